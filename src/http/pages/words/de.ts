import { programNames } from '../../../domain/activity.ts'
import { deConditions } from './de-conditions.ts'
import { deErrors } from './de-errors.ts'
import { deFront } from './de-front.ts'
import { deLink } from './de-link.ts'
import { deLost } from './de-lost.ts'
import { deMe } from './de-me.ts'
import { deSignIn } from './de-sign-in.ts'
import type { PageWords } from './words.ts'

const language = 'de'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** All that pages say in German; what is missing, and why no page is shown, stands in files beside it. */
export const de: PageWords = {
  language,
  ownName: 'Deutsch',
  calendarScripts: ['fullcalendar-de.js'],
  title: 'Ihr Arbeitskalender',
  skip: 'Zur Vorschau springen',
  skipPreview: 'Zu „Was er zeigt“ springen',
  kicker: 'Ihr Kalender-Link',
  holds: (names, audience) => {
    if (names.length === 0) return 'In diesem Kalender ist gerade nichts eingeschaltet.'
    const whose = audience === 'own' ? 'Ihre' : 'Im Team:'
    return `${whose} ${lists.format(names)}, immer aktuell in dem Kalender, den Sie ohnehin nutzen.`
  },
  subscribe: 'In Ihren Kalender übernehmen',
  otherWays: 'Andere Wege',
  ways: {
    apple: {
      name: 'Apple Kalender',
      action: 'In Apple Kalender abonnieren',
      hint: 'iPhone, iPad und Mac. Mit „Abonnieren“ bestätigen.',
    },
    google: {
      name: 'Google Kalender',
      action: 'Adresse kopieren und Google öffnen',
      hint: 'Am Computer, mit Ihrem Google-Konto.',
      steps: [
        'Dieser Knopf kopiert die Adresse und öffnet die Einstellungen von Google Kalender.',
        'Fügen Sie die Adresse bei „URL des Kalenders“ ein.',
        'Drücken Sie „Kalender hinzufügen“. Telefone mit demselben Konto zeigen ihn dann auch.',
      ],
      unscripted: {
        action: 'Google öffnen',
        step: 'Markieren und kopieren Sie diese Adresse des Kalenders und öffnen Sie dann mit dem Knopf darüber die Einstellungen von Google Kalender:',
      },
      note: 'Google fragt nur alle 4 bis 24 Stunden nach Änderungen, und niemand kann das beschleunigen.',
    },
    outlookWork: {
      name: 'Outlook bei der Arbeit',
      action: 'In Outlook abonnieren',
      hint: 'Microsoft 365, mit Ihrem Arbeitskonto. Mit „Importieren“ bestätigen.',
    },
    outlookCom: {
      name: 'Outlook.com',
      action: 'In Outlook.com abonnieren',
      hint: 'Mit einem privaten Microsoft-Konto. Mit „Importieren“ bestätigen.',
    },
    copy: {
      name: 'Jeder andere Kalender',
      action: 'Adresse kopieren',
      hint: 'Für Thunderbird, Nextcloud, ICSx5 und andere: dort „Abonnieren“ oder „Kalender aus dem Internet“ wählen und sie einfügen.',
    },
    download: {
      name: 'Einmal herunterladen',
      action: 'Kopie herunterladen',
      hint: 'Eine Datei mit dem Stand von heute. Sie aktualisiert sich nicht.',
    },
  },
  googleOnPhone: {
    name: 'Google Kalender auf diesem Telefon',
    hint: 'Die App von Google kann das nicht selbst. Öffnen Sie diese Seite einmal am Computer, dann zeigt auch dieses Telefon den Kalender.',
    steps: [
      'Schicken Sie sich diese Seite, zum Beispiel per Mail.',
      'Öffnen Sie sie am Computer und drücken Sie dort „Adresse kopieren und Google öffnen“.',
      'Danach erscheint der Kalender auf jedem Telefon mit diesem Google-Konto.',
    ],
    onNewAddress: {
      hint: 'Die App von Google kann das nicht selbst. Öffnen Sie die Seite der neuen Adresse einmal am Computer, dann zeigt auch dieses Telefon den Kalender.',
      step: 'Schicken Sie sich die Seite der neuen Adresse, zum Beispiel per Mail:',
    },
  },
  device: {
    name: 'Auf einem anderen Gerät',
    hint: 'Richten Sie die Kamera dieses Geräts auf einen Code.',
    calendarCode: 'iPhone: abonniert',
    pageCode: 'Jedes andere Gerät: öffnet diese Seite',
  },
  share: {
    action: 'Diese Seite an mich schicken',
    copy: 'Adresse dieser Seite kopieren',
    copied: 'Die Adresse der Seite ist kopiert: Schicken Sie sie sich selbst.',
    failed: 'Ihr Browser hat das nicht erlaubt. Kopieren Sie die Adresse oben aus der Adresszeile.',
  },
  sheet: {
    code: 'iPhone und iPad: die Kamera auf den ersten Code richten und mit „Abonnieren“ bestätigen.',
    open: 'Alles andere: die Kamera auf den zweiten Code richten oder diese Adresse am Computer öffnen.',
    choose: 'Dort Ihren Kalender wählen. Er bleibt dann von selbst aktuell, auch auf dem Telefon.',
    secret:
      'Behalten Sie dieses Blatt für sich: Wer es hat, kann diesen Kalender lesen. Ist es in falsche Hände geraten, öffnen Sie die Adresse oben und holen Sie sich dort eine neue.',
  },
  address: 'Adresse des Kalenders',
  copied: 'Die Adresse ist kopiert.',
  copyFailed:
    'Ihr Browser hat das Kopieren nicht erlaubt. Die Adresse ist markiert: Bitte kopieren Sie sie selbst.',
  newTab: 'öffnet einen neuen Tab',
  steps: 'Schritt für Schritt',
  unreachable:
    'Google und Microsoft holen Kalender mit ihren eigenen Servern ab, und die erreichen diese Adresse nicht. Nutzen Sie hier einen anderen Weg.',
  qrCode: 'QR-Code der Adresse des Kalenders',
  pageCode: 'QR-Code der Adresse dieser Seite',
  preview: {
    heading: 'So wird er aussehen',
    hint: (timezone) => `Genau das bekommt Ihr Kalenderprogramm, hier in der Zeit von ${timezone}.`,
    hintHere: (timezone) =>
      `Genau das bekommt Ihr Kalenderprogramm, hier in der Zeit dieses Geräts. Die Zeitzone des Kalenders ist ${timezone}.`,
    loading: 'Ihr Kalender wird geladen …',
    failed: 'Der Kalender lässt sich gerade nicht zeigen.',
    missing: 'Er steht hier, sobald es etwas zu zeigen gibt.',
    retry: 'Noch einmal versuchen',
    beyondWeek:
      'Das sind die nächsten sieben Tage. Ihr Kalenderprogramm zeigt den ganzen Kalender.',
    beyondCut: (count) =>
      `Das sind die ersten ${count} Einträge der nächsten sieben Tage. Ihr Kalenderprogramm zeigt den ganzen Kalender.`,
    onlyWeek: 'Spätere Einträge lassen sich gerade nicht zeigen.',
    views: 'Darstellung',
    list: 'Liste',
    month: 'Monat',
    today: 'Heute',
    earlier: 'Früher',
    later: 'Später',
    more: 'Mehr anzeigen',
    reach: 'Einträge bisher bis {date}. Spätere erscheinen von selbst.',
    empty: 'In diesem Kalender steht noch nichts. Was dazukommt, erscheint von selbst.',
    emptyWeek: 'In den nächsten sieben Tagen steht nichts an.',
    emptyAhead: 'Ab heute steht nichts an. Was dazukommt, erscheint von selbst.',
    close: 'Schließen',
    allDay: 'ganztägig',
  },
  selfService: {
    heading: 'Was er zeigt',
    hint: 'Schalten Sie aus, was Sie nicht in Ihrem Kalender haben möchten. Sie können es jederzeit wieder einschalten.',
    fixed: 'Was dieser Kalender zeigt, bestimmt die Personalabteilung.',
    detail: 'Wie viel er über Abwesenheiten sagt',
    details: {
      absent: 'Nur „Abwesend“',
      type: 'Die Art der Abwesenheit',
      full: 'Die Art der Abwesenheit und den Grund',
    },
    detailHint:
      'Auch „Abwesend“ sagt „(beantragt)“, solange es nicht genehmigt ist, und die Dauer, wo es keine ganzen Tage sind, etwa „(halber Tag)“.',
    save: 'Speichern',
    saved: 'Gespeichert. Kalenderprogramme zeigen es, wenn sie das nächste Mal fragen.',
    notSaved: 'Nicht gespeichert: keine Verbindung. Versuchen Sie es noch einmal.',
    unsaved: 'Ihre Änderungen sind noch nicht gespeichert. Ohne sie weitergehen?',
  },
  activity: {
    heading: 'Wann Kalenderprogramme zuletzt gefragt haben',
    none: 'Noch hat keines gefragt. Sobald Sie den Kalender übernommen haben, steht es hier.',
    google: 'Google fragt alle 4 bis 24 Stunden, andere meist innerhalb einer Stunde.',
    clock: (timezone) => `Zeiten von ${timezone}.`,
    clients: {
      ...programNames,
      browser: 'Ein Browser',
      other: 'Ein anderes Programm',
    },
    verdict: ({ askedAt, state, changedAt }, times) => {
      const asked = `hat ${times.ago(askedAt)} gefragt`
      const change = changedAt === null ? '' : ` (${times.at(changedAt)})`
      if (state === 'current') return `${asked} und kennt die letzte Änderung${change}`
      return state === 'refused'
        ? `${asked} und keinen Kalender bekommen; es fragt wieder`
        : `${asked}, seit der letzten Änderung${change} noch nicht`
    },
  },
  link: deLink,
  conditions: 'Gut zu wissen',
  condition: deConditions,
  secret:
    'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, bitten Sie die Personalabteilung um einen neuen Link.',
  front: deFront,
  lost: deLost,
  signIn: deSignIn,
  me: deMe,
  waysOn: { own: 'Zu Ihrem eigenen Kalender', front: 'Zur Startseite' },
  errors: deErrors,
}

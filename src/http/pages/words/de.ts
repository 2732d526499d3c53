import { programNames } from '../../../domain/activity.ts'
import { deFront } from './de-front.ts'
import type { PageWords } from './words.ts'

const language = 'de'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** All that pages say in German: one table, however long, so that a language is one file. */
export const de: PageWords = {
  language,
  calendarScripts: ['fullcalendar-de.js'],
  title: 'Ihr Arbeitskalender',
  skip: 'Zur Vorschau springen',
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
      hint: 'iPhone, iPad und Mac. Auf Nachfrage mit „Abonnieren“ bestätigen.',
    },
    google: {
      name: 'Google Kalender',
      action: 'Adresse kopieren und Google öffnen',
      hint: 'Im Browser mit Ihrem Google-Konto, am besten am Computer.',
      steps: [
        'Dieser Knopf kopiert die Adresse und öffnet die Einstellungen von Google Kalender.',
        'Fügen Sie die Adresse bei „URL des Kalenders“ ein.',
        'Drücken Sie „Kalender hinzufügen“. Telefone mit demselben Konto zeigen ihn dann auch.',
      ],
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
      hint: 'Thunderbird, Nextcloud, Home Assistant, ICSx5 und andere: dort „Abonnieren“ oder „Kalender aus dem Internet“ wählen und diese Adresse einfügen.',
    },
    download: {
      name: 'Einmal herunterladen',
      action: 'Kopie herunterladen',
      hint: 'Eine Datei mit dem Stand von heute. Sie aktualisiert sich nicht.',
    },
    device: {
      name: 'Auf einem anderen Gerät',
      hint: 'Richten Sie die Kamera Ihres Telefons auf diesen Code und bestätigen Sie mit „Abonnieren“.',
    },
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
  preview: {
    heading: 'So wird er aussehen',
    hint: 'Genau der Kalender, den Ihr Programm bekommt, in der Zeitzone dieses Geräts.',
    loading: 'Ihr Kalender wird geladen …',
    failed:
      'Der Kalender lässt sich gerade nicht zeigen. Sie können ihn trotzdem übernehmen: Er füllt sich von selbst.',
    withoutScript: 'Die Vorschau braucht JavaScript. Alles andere hier geht auch ohne.',
    list: 'Liste',
    month: 'Monat',
    today: 'Heute',
    earlier: 'Früher',
    later: 'Später',
    empty: 'In diesen Wochen steht nichts an.',
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
    save: 'Speichern',
    saved: 'Gespeichert. Kalenderprogramme zeigen es, wenn sie das nächste Mal fragen.',
  },
  activity: {
    heading: 'Wann Kalenderprogramme zuletzt gefragt haben',
    none: 'Noch hat keines gefragt. Sobald Sie den Kalender übernommen haben, steht es hier.',
    google: 'Google fragt alle 4 bis 24 Stunden, andere meist innerhalb einer Stunde.',
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
  conditions: 'Gut zu wissen',
  condition: {
    unavailable: {
      heading: 'Gerade gibt es nichts zu zeigen',
      text: 'Das Personalsystem gibt keine Antwort, die sicher gezeigt werden kann. Sie können den Kalender trotzdem übernehmen: Programme behalten, was sie haben, und er füllt sich von selbst.',
    },
    leaves_missing: {
      heading: 'Abwesenheiten fehlen',
      text: 'Noch ist nicht bewiesen, dass das Personalsystem die Abwesenheiten verschiedener Personen auseinanderhält. Bis dahin werden keine gezeigt. Die IT kann es mit der Untersuchung klären.',
    },
    nothing_shown: {
      heading: 'Alles ist ausgeschaltet',
      text: 'Der Kalender bleibt leer, bis etwas eingeschaltet wird.',
    },
    unknown_schedules: {
      heading: 'Ihr Arbeitsplan ist noch nicht bekannt',
      text: 'Als dieser Kalender angelegt wurde, hat das Personalsystem nicht gesagt, welche Arbeitspläne es gibt. Sobald es das tut, übernimmt der Kalender den üblichen und füllt sich von selbst.',
    },
    no_schedule: {
      heading: 'Schichten fehlen',
      text: 'Für diesen Kalender ist kein Arbeitsplan gewählt. Die Personalabteilung kann das tun.',
    },
    no_projects: {
      heading: 'Aufgaben fehlen',
      text: 'Es sind keine Projekte angegeben, deren Aufgaben dieser Kalender zeigen könnte. Die Personalabteilung kann das tun.',
    },
    no_invoices: {
      heading: 'Rechnungen fehlen',
      text: 'Für diesen Kalender sind keine Rechnungen gewählt. Die Personalabteilung kann das tun.',
    },
    missing_schedule: {
      heading: 'Ein Arbeitsplan ist weg',
      text: 'Einen Arbeitsplan dieses Kalenders gibt es nicht mehr, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    inactive_schedule: {
      heading: 'Ein Arbeitsplan gilt nicht mehr',
      text: 'Ein Arbeitsplan dieses Kalenders ist abgeschaltet, daher fehlen seine Schichten. Die Personalabteilung kann einen anderen wählen.',
    },
    needs_rotation: {
      heading: 'Wechselschichten fehlen',
      text: 'Noch hat niemand angegeben, welche Woche des Wechsels Ihre ist, und eine falsche Schicht ist schlimmer als keine. Die Personalabteilung kann den Wechsel angeben.',
    },
    no_such_project: {
      heading: 'Ein Projekt ist weg',
      text: 'Das Personalsystem kennt ein Projekt dieses Kalenders nicht mehr, daher fehlen dessen Aufgaben.',
    },
    no_such_invoice: {
      heading: 'Eine Rechnung ist weg',
      text: 'Das Personalsystem kennt eine Rechnung dieses Kalenders nicht mehr.',
    },
    stale: (kinds, since) => ({
      heading: `${lists.format(kinds)}: Stand ${since}`,
      text: 'Seitdem hat das Personalsystem nicht geantwortet. Sie sehen, was es damals gesagt hat; sobald es antwortet, wird von selbst aktualisiert.',
    }),
    leaves_held: (since) => ({
      heading: `Abwesenheiten: Stand ${since}`,
      text: 'Seitdem lässt sich nicht beweisen, dass das Personalsystem die Abwesenheiten der einen Person von denen der anderen trennt. Sie sehen, was vorher bewiesen war; Neues wird erst wieder übernommen, wenn es bewiesen ist.',
    }),
    link_ends: (date) => ({
      heading: `Dieser Link endet am ${date}`,
      text: 'Bitten Sie die Personalabteilung rechtzeitig um den neuen und übernehmen Sie diesen.',
    }),
    unreadable_records: (count) => ({
      heading: count === 1 ? 'Ein Eintrag fehlt' : `${count} Einträge fehlen`,
      text: 'Das Personalsystem beschreibt sie so, dass sich kein Datum oder Zustand lesen lässt.',
    }),
  },
  secret:
    'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, bitten Sie die Personalabteilung um einen neuen Link.',
  front: deFront,
  errors: {
    unknown_link: {
      heading: 'Diesen Link kennen wir nicht',
      text: 'Vielleicht ist unterwegs ein Teil verloren gegangen.',
      hint: 'Öffnen Sie ihn noch einmal vollständig aus der Mail, die Sie bekommen haben. Hilft das nicht, bitten Sie die Personalabteilung um einen neuen.',
    },
    ended_link: {
      heading: 'Dieser Kalender-Link ist beendet',
      text: 'Er wurde ersetzt oder abgeschaltet; Kalenderprogramme bekommen darüber nichts Neues mehr.',
      hint: 'Entfernen Sie das alte Abonnement aus Ihrem Kalender. Brauchen Sie noch eines, bitten Sie die Personalabteilung um einen neuen Link.',
    },
    unknown_page: {
      heading: 'Hier ist nichts',
      text: 'Diese Adresse führt nirgendwohin.',
      hint: 'Suchen Sie Ihren Kalender, öffnen Sie den Link in der Mail der Personalabteilung.',
    },
    unavailable: {
      heading: 'Gerade nicht möglich',
      text: 'Dieser Kalender lässt sich im Augenblick nicht öffnen.',
      hint: 'Versuchen Sie es in einigen Minuten wieder. Kalenderprogramme behalten solange, was sie haben.',
    },
    foreign_request: {
      heading: 'Es wurde nichts geändert',
      text: 'Die Anfrage kam nicht von der Seite dieses Kalenders.',
      hint: 'Öffnen Sie den Link in der Mail der Personalabteilung und ändern Sie es dort.',
    },
    not_allowed: {
      heading: 'Es wurde nichts geändert',
      text: 'Die Personalabteilung erlaubt diese Wahl für diesen Kalender nicht.',
      hint: 'Gehen Sie zurück und sehen Sie, was Sie wählen können, oder fragen Sie die Personalabteilung.',
    },
    invalid: {
      heading: 'Es wurde nichts geändert',
      text: 'Diese Wahl ließ sich nicht lesen.',
      hint: 'Gehen Sie zurück, laden Sie die Seite neu und wählen Sie noch einmal.',
    },
    wrong_method: {
      heading: 'Das geht hier nicht',
      text: 'Diese Adresse lässt sich nur öffnen.',
      hint: 'Öffnen Sie den Link in der Mail der Personalabteilung.',
    },
    too_many_requests: {
      heading: 'Einen Augenblick bitte',
      text: 'Von hier kamen sehr viele Anfragen.',
      hint: 'Versuchen Sie es in einer Minute wieder.',
    },
    failure: {
      heading: 'Hier ist etwas schiefgegangen',
      text: 'Das war unser Fehler, nicht Ihrer.',
      hint: 'Versuchen Sie es in einigen Minuten wieder. Kalenderprogramme behalten solange, was sie haben.',
    },
  },
}

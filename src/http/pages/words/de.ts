import { deCondition, deKinds } from './de-conditions.ts'
import type { PageWords } from './words.ts'

const lists = new Intl.ListFormat('de', { type: 'conjunction' })

export const de: PageWords = {
  title: 'Ihr Arbeitskalender',
  skip: 'Zur Vorschau springen',
  kicker: 'Ihr Kalender-Link',
  kinds: deKinds,
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
      steps: [],
      note: null,
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
      steps: [],
      note: null,
    },
    outlookCom: {
      name: 'Outlook.com',
      action: 'In Outlook.com abonnieren',
      hint: 'Mit einem privaten Microsoft-Konto. Mit „Importieren“ bestätigen.',
      steps: [],
      note: null,
    },
    copy: {
      name: 'Jeder andere Kalender',
      action: 'Adresse kopieren',
      hint: 'Thunderbird, Nextcloud, Home Assistant, ICSx5 und andere: dort „Abonnieren“ oder „Kalender aus dem Internet“ wählen und diese Adresse einfügen.',
      steps: [],
      note: null,
    },
    download: {
      name: 'Einmal herunterladen',
      action: 'Kopie herunterladen',
      hint: 'Eine Datei mit dem Stand von heute. Sie aktualisiert sich nicht.',
      steps: [],
      note: null,
    },
    device: {
      name: 'Auf einem anderen Gerät',
      action: '',
      hint: 'Richten Sie die Kamera Ihres Telefons auf diesen Code und bestätigen Sie mit „Abonnieren“.',
      steps: [],
      note: null,
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
      google: 'Google',
      outlook: 'Outlook',
      apple: 'Apple',
      thunderbird: 'Thunderbird',
      icsx5: 'ICSx5',
      nextcloud: 'Nextcloud',
      'home-assistant': 'Home Assistant',
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
  condition: deCondition,
  secret:
    'Behalten Sie diese Seite und ihre Adresse für sich: Wer sie hat, kann diesen Kalender lesen. Sind sie in falsche Hände geraten, bitten Sie die Personalabteilung um einen neuen Link.',
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

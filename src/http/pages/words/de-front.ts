import type { FrontWords } from './front-words.ts'

/** What the front page says in German. */
export const deFront: FrontWords = {
  title: 'Arbeitskalender',
  heading: 'Ihr Arbeitskalender in dem Kalender, den Sie ohnehin nutzen',
  what: 'Mit einem persönlichen Link zeigen Google Kalender, Outlook, Apple Kalender und andere Ihre Abwesenheiten, Schichten, Stundenzettel und Aufgaben und folgen jeder Änderung.',
  forWhom:
    'Das ist für die Beschäftigten eines Unternehmens, dessen Personalabteilung diese Links ausgibt.',
  signIn: {
    heading: 'Ihr Kalender',
    text: 'Melden Sie sich an wie sonst in Ihrem Unternehmen, um Ihren Kalender, seine Links und Einstellungen zu sehen.',
    link: 'Anmelden',
  },
  lost: {
    heading: 'Haben Sie Ihren Link verloren?',
    text: 'Bitten Sie die Personalabteilung um einen neuen. Niemand kann Ihren nachschlagen: Er ist ein Geheimnis, das nirgends aufbewahrt wird.',
    bySignIn:
      'Melden Sie sich an und erstellen Sie einen neuen. Niemand kann Ihren nachschlagen: Er ist ein Geheimnis, das nirgends aufbewahrt wird.',
  },
  documentation: {
    heading: 'Für Personalabteilung und IT',
    text: 'Kalender entstehen auf der Kommandozeile oder durch Programme über HTTP.',
    link: 'Dokumentation der HTTP-Schnittstelle (englisch)',
  },
  sample: {
    heading: 'Dies ist ein Beispielunternehmen',
    text: 'Noch ist kein System angeschlossen. Das bekommt eine Mitarbeiterin des Beispielunternehmens mit ihrem Link zu sehen:',
    link: 'Adas Seite öffnen',
  },
}

import type { MeWords } from './me-words.ts'

/** Was die Seite einer angemeldeten Person sagt, auf Deutsch. */
export const deMe: MeWords = {
  title: 'Mein Arbeitskalender',
  saved: 'Gespeichert. Kalenderprogramme zeigen es, wenn sie das nächste Mal nachfragen.',
  others: 'Ihre anderen Kalender',
  signedIn: (who) => `Angemeldet: ${who}`,
  signOutHint:
    'Wer sich hier abmeldet, bleibt in den anderen Programmen des Unternehmens angemeldet.',
  empty: {
    heading: (who) => `Willkommen, ${who}`,
    text: 'Sie haben noch keinen Kalender. Ein Klick genügt: Ihre Abwesenheiten, Schichten, Stundenzettel und Aufgaben in dem Kalenderprogramm, das Sie ohnehin nutzen.',
    revoked: (date) =>
      `Die Personalabteilung hat Ihren Kalender am ${date} beendet, und mit ihm seine Links. Einen neuen können Sie nicht selbst erstellen. Brauchen Sie noch einen, bitten Sie die Personalabteilung darum: Dann finden Sie ihn hier.`,
    closed:
      'Ihr Kalender ist geschlossen, weil die Daten Ihres Unternehmens sagten, dass Sie ausgeschieden sind. Sobald sie neu gelesen sind und etwas anderes sagen, geht er von selbst weiter, mit den Links, die Sie haben. Bleibt er geschlossen, fragen Sie die Personalabteilung.',
    action: 'Meinen Kalender erstellen',
  },
  links: {
    heading: 'Ihre Links',
    hint: 'Jedes Gerät und jede Person hat einen eigenen Link; so können Sie einen beenden, ohne die anderen zu verlieren.',
    none: 'Alle Ihre Links sind beendet. Erstellen Sie unten einen neuen.',
    first: 'Erster Link',
    mailed: 'Per Mail geschickter Link',
    onlyAway: 'Nur „Abwesend“',
    neverAsked: 'Noch hat kein Kalenderprogramm danach gefragt.',
    made: (date) => `Erstellt am ${date}.`,
    ends: (date) => `Endet am ${date}: Die Personalabteilung hat ihn durch einen anderen ersetzt.`,
    unused: (date) =>
      `Endet am ${date}, wenn bis dahin kein Kalenderprogramm danach fragt: Ein neuerer wurde Ihnen geschickt.`,
  },
  newLink: {
    heading: 'Weiteren Link erstellen',
    label: 'Wofür ist er?',
    hint: 'Zum Beispiel „Telefon“ oder „Familie“. Das sehen nur Sie und die Personalabteilung.',
    awayHint:
      'Für Familie oder Freunde: Er sagt, dass Sie abwesend sind, nicht warum, und sonst nichts. Wer ihn hat, kann das nicht ändern.',
    action: 'Erstellen',
  },
  replace: {
    summary: 'In falsche Hände geraten: Adresse ersetzen',
    text: 'Die alte Adresse endet sofort, für alle, die sie haben. Ihnen wird ein einziges Mal eine neue gezeigt, die Sie neu abonnieren.',
    confirm: 'Ich abonniere neu',
    action: 'Ersetzen',
  },
  end: {
    summary: 'Diesen Link beenden',
    text: 'Kalenderprogramme bekommen über ihn nichts mehr. Ihre anderen Links bestehen weiter.',
    confirm: 'Er wird nicht mehr gebraucht',
    action: 'Beenden',
  },
  made: {
    heading: (label) => `Ihr neuer Link: ${label}`,
    text: 'Er ist fertig. Fügen Sie ihn gleich Ihrem Kalenderprogramm hinzu: Diese Adresse wird nur dieses eine Mal gezeigt.',
    keep: 'Er hat eine eigene Seite, für ein anderes Gerät oder für die Person, für die er ist:',
    back: 'Zurück zu meinem Kalender',
  },
  faults: {
    not_known:
      'Es wurde nichts erstellt: Das System Ihres Unternehmens kennt Sie nicht als jemanden, der dort arbeitet. Fragen Sie die Personalabteilung.',
    label_missing: 'Es wurde nichts erstellt: Sagen Sie, wofür der Link ist.',
    label_unseen:
      'Es wurde nichts erstellt: Von diesem Namen ist nichts zu sehen. Nehmen Sie Buchstaben, Ziffern oder Zeichen.',
    label_unfit: 'Es wurde nichts erstellt: höchstens 100 Zeichen, und nicht nur Punkte.',
    label_of_mail:
      'Es wurde nichts erstellt: „mail“ heißt der Link, den bekommt, wer seinen verloren hat. Nehmen Sie einen anderen Namen.',
    label_in_use:
      'Es wurde nichts erstellt: Einen Link dieses Namens haben Sie schon. Nehmen Sie einen anderen.',
    too_many_links:
      'Es wurde nichts erstellt: Mehr Links kann es nicht geben. Beenden Sie zuerst einen.',
    nothing_shown:
      'Es wurde nichts erstellt: Ihr Kalender zeigt keine Abwesenheiten, der Link wäre leer.',
    sent_before:
      'Es wurde nichts erstellt: Dieses Formular war schon gesendet. Senden Sie es für einen weiteren Link noch einmal.',
    unconfirmed: 'Es wurde nichts geändert: Setzen Sie zuerst das Häkchen.',
  },
}

import type { LetterWords } from './words.ts'

/** What letters say in German. */
export const deLetters: LetterWords = {
  subjects: {
    invitation: 'Ihr Arbeitskalender',
    renewed: 'Ihr Arbeitskalender hat eine neue Adresse',
    reminder: 'Ihr Arbeitskalender wartet auf Sie',
    lost: 'Ihr neuer Link zu Ihrem Arbeitskalender',
  },
  greeting: (firstName) => (firstName === '' ? 'Guten Tag,' : `Guten Tag, ${firstName},`),
  intros: {
    invitation: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ steht bereit. Das Kalenderprogramm, das Sie ohnehin nutzen, kann ihn zeigen und folgt jeder Änderung.`,
    renewed: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ hat eine neue Adresse. Bitte abonnieren Sie ihn noch einmal.`,
    reminder: (calendar) =>
      `Ihr Arbeitskalender „${calendar}“ ist noch nicht abonniert. Hier ist ein neuer Link zu ihm.`,
    lost: (calendar) =>
      `hier ist ein neuer Link zu Ihrem Arbeitskalender „${calendar}“, um den Sie gebeten haben, oder jemand, der Ihre Adresse eingegeben hat. Ein Link, der Ihnen zuvor auf diesem Weg geschickt wurde, endet, sobald Sie über diesen abonniert haben; Ihre anderen gelten weiter.`,
  },
  oldHasEnded:
    'Die alte Adresse ist beendet: Was Ihr Kalenderprogramm unter ihr zeigt, ändert sich nicht mehr. Entfernen Sie dort den alten Kalender.',
  oldEndsOn: (date) =>
    `Die alte Adresse gilt noch bis ${date}. Entfernen Sie den alten Kalender aus Ihrem Kalenderprogramm, sobald Sie den neuen sehen.`,
  page: 'Dies ist Ihre Seite:',
  steps: [
    'Öffnen Sie die Seite auf dem Gerät, auf dem Sie Ihren Kalender nutzen.',
    'Wählen Sie dort Ihr Kalenderprogramm und drücken Sie dessen Knopf.',
    'Bestätigen Sie im Programm, dass Sie den Kalender abonnieren. Die meisten zeigen die ersten Einträge nach Minuten, Google innerhalb eines Tages.',
  ],
  secret:
    'Die Adresse der Seite ist ein Geheimnis: Wer sie hat, kann diesen Kalender lesen. Leiten Sie diese Mail nicht weiter. Ist sie in falsche Hände geraten, nehmen Sie auf der Seite eine neue Adresse oder bitten Sie die Personalabteilung um eine.',
  unasked: {
    invitation: 'Falls Sie diese Mail nicht erwartet haben, fragen Sie die Personalabteilung.',
    renewed: 'Falls Sie keine neue Adresse erwartet haben, fragen Sie die Personalabteilung.',
    reminder: 'Falls Sie diesen Kalender nicht nutzen möchten, ist nichts zu tun.',
    lost: 'Falls Sie nicht darum gebeten haben, ist nichts zu tun: Nur Sie haben diesen Link bekommen. Löschen Sie diese Mail, und sagen Sie der Personalabteilung Bescheid, wenn sie wiederkommt.',
  },
}

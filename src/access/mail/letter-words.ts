import type { Locale } from '../../domain/feed.ts'

/** Plain text. What is not known, such as the company, is an empty text. */
const en = {
  neutralName: 'Work calendars',
  at: (company: string) => company && ` at ${company}`,
  subjects: {
    invitation: (at: string) => `Your work calendar${at}`,
    renewed: (at: string) => `Your work calendar${at} has a new address`,
    reminder: (at: string) => `Your work calendar${at} is waiting for you`,
    quiet: (at: string) => `Your work calendar${at} no longer reaches your calendar app`,
    lost: (at: string) => `Your new link to your work calendar${at}`,
  },
  previews: {
    invitation: 'See it in the calendar app you already use, in three steps.',
    renewed: 'Please subscribe to it again, in three steps.',
    reminder: 'Add it to your calendar app, in three steps.',
    quiet: 'Add it to your calendar app again, in three steps.',
    lost: 'Add your calendar again, in three steps.',
  },
  headings: {
    invitation: 'Your work calendar is ready',
    renewed: 'Your work calendar has a new address',
    reminder: 'Your work calendar is waiting for you',
    quiet: 'Your calendar app no longer gets your work calendar',
    lost: 'Your new link is here',
  },
  greeting: (firstName: string) => (firstName === '' ? 'Hello,' : `Hello ${firstName},`),
  intros: {
    invitation: (calendar: string) =>
      `The calendar app you already use can show “${calendar}” and keeps it up to date.`,
    renewed: (calendar: string) => `Please subscribe to “${calendar}” again.`,
    reminder: (calendar: string) =>
      `“${calendar}” is not in your calendar app yet. Here is a new link to it.`,
    quiet: (calendar: string) =>
      `No calendar app has asked for “${calendar}” for two weeks. Here is a new link to it.`,
    lost: (calendar: string) =>
      `It opens the page of “${calendar}”. A link that was emailed to you this way before stops working once you have subscribed with this one; your other links keep working.`,
  },
  oldHasEnded:
    'The old address has ended: your calendar app no longer gets changes through it. Remove the old calendar there.',
  oldEndsOn: (date: string) =>
    `The old address works until ${date}. Remove the old calendar from your calendar app once you see the new one.`,
  action: 'Add your calendar',
  page: 'Add your calendar on this page:',
  fallback:
    'The button opens this address. If it does not work, copy the address into your browser:',
  steps: [
    'Open the page on the device where you use your calendar.',
    'Choose your calendar app there and press its button.',
    'Confirm in the app that you want to subscribe. Most apps show the first entries within minutes, Google within a day.',
  ],
  secret:
    'This link is personal. Do not forward it: anyone who has it can read your calendar. If somebody else has it, get a new one on the page or from HR.',
  unasked: {
    invitation: 'If you did not expect this email, ask HR about it.',
    renewed: 'If you did not expect a new address, ask HR about it.',
    reminder: 'If you do not want this calendar, you do not need to do anything.',
    quiet: 'If you no longer want this calendar, you do not need to do anything.',
    lost: 'If you did not ask for it, you do not need to do anything else: only you have received this link. Delete this email, and tell HR if you get another one.',
  },
  reasons: {
    invitation: (at: string) =>
      `You get this email because HR${at} set up a work calendar for you.`,
    renewed: (at: string) =>
      `You get this email because HR${at} gave your work calendar a new address.`,
    reminder: (at: string) =>
      `You get this email because HR${at} set up a work calendar for you that you have not added yet.`,
    quiet: (at: string) =>
      `You get this email because HR${at} set up a work calendar for you, and no calendar app asks for it any more.`,
    lost: (at: string) =>
      `You get this email because you, or somebody who entered your address, asked for a new link to your work calendar${at}.`,
  },
  sentBy: (sender: string, host: string) =>
    `Sent by the calendar service${sender && ` of ${sender}`} at ${host}.`,
}

export type LetterWords = typeof en

const de: LetterWords = {
  neutralName: 'Arbeitskalender',
  at: (company) => company && ` bei ${company}`,
  subjects: {
    invitation: (at) => `Ihr Arbeitskalender${at}`,
    renewed: (at) => `Ihr Arbeitskalender${at} hat eine neue Adresse`,
    reminder: (at) => `Ihr Arbeitskalender${at} wartet auf Sie`,
    quiet: (at) => `Ihr Arbeitskalender${at} kommt nicht mehr bei Ihnen an`,
    lost: (at) => `Ihr neuer Link zu Ihrem Arbeitskalender${at}`,
  },
  previews: {
    invitation: 'In drei Schritten in der Kalender-App, die Sie ohnehin nutzen.',
    renewed: 'Bitte abonnieren Sie ihn noch einmal, in drei Schritten.',
    reminder: 'In drei Schritten in Ihrer Kalender-App.',
    quiet: 'In drei Schritten wieder in Ihrer Kalender-App.',
    lost: 'In drei Schritten zurück zu Ihrem Kalender.',
  },
  headings: {
    invitation: 'Ihr Arbeitskalender steht bereit',
    renewed: 'Ihr Arbeitskalender hat eine neue Adresse',
    reminder: 'Ihr Arbeitskalender wartet auf Sie',
    quiet: 'Ihre Kalender-App ruft Ihren Arbeitskalender nicht mehr ab',
    lost: 'Ihr neuer Link ist da',
  },
  greeting: (firstName) => (firstName === '' ? 'Guten Tag,' : `Guten Tag, ${firstName},`),
  intros: {
    invitation: (calendar) =>
      `Sie können „${calendar}“ in der Kalender-App anzeigen, die Sie ohnehin nutzen. Der Kalender bleibt dort von selbst aktuell.`,
    renewed: (calendar) =>
      `Ihre Kalender-App kennt sie noch nicht: Bitte abonnieren Sie „${calendar}“ noch einmal.`,
    reminder: (calendar) =>
      `Sie haben „${calendar}“ noch nicht abonniert. Hier ist ein neuer Link dafür.`,
    quiet: (calendar) =>
      `Seit zwei Wochen hat keine Kalender-App „${calendar}“ abgerufen. Hier ist ein neuer Link dafür.`,
    lost: (calendar) =>
      `Sie öffnen damit die Seite von „${calendar}“. Ein Link, der Ihnen zuvor auf diesem Weg geschickt wurde, wird ungültig, sobald Sie den neuen abonniert haben; Ihre anderen Links gelten weiter.`,
  },
  oldHasEnded:
    'Die alte Adresse gilt nicht mehr: Ihre Kalender-App bekommt darüber keine Änderungen mehr. Entfernen Sie dort den alten Kalender.',
  oldEndsOn: (date) =>
    `Die alte Adresse gilt noch bis zum ${date}. Entfernen Sie den alten Kalender aus Ihrer Kalender-App, sobald Sie den neuen sehen.`,
  action: 'Kalender hinzufügen',
  page: 'Auf dieser Seite fügen Sie Ihren Kalender hinzu:',
  fallback:
    'Der Button öffnet diese Adresse. Falls er nicht funktioniert, kopieren Sie sie in Ihren Browser:',
  steps: [
    'Öffnen Sie die Seite auf dem Gerät, auf dem Sie Ihren Kalender nutzen.',
    'Wählen Sie dort Ihre Kalender-App und klicken oder tippen Sie auf den zugehörigen Button.',
    'Bestätigen Sie in der App, dass Sie den Kalender abonnieren möchten. Die meisten Apps zeigen die ersten Einträge nach wenigen Minuten, Google innerhalb eines Tages.',
  ],
  secret:
    'Dieser Link ist nur für Sie. Leiten Sie ihn nicht weiter: Wer ihn hat, kann Ihren Kalender lesen. Hat ihn jemand anderes, bekommen Sie einen neuen auf der Seite oder von der Personalabteilung.',
  unasked: {
    invitation: 'Falls Sie diese Mail nicht erwartet haben, fragen Sie die Personalabteilung.',
    renewed: 'Falls Sie keine neue Adresse erwartet haben, fragen Sie die Personalabteilung.',
    reminder: 'Falls Sie diesen Kalender nicht nutzen möchten, brauchen Sie nichts zu tun.',
    quiet: 'Falls Sie diesen Kalender nicht mehr nutzen möchten, brauchen Sie nichts zu tun.',
    lost: 'Falls Sie nicht darum gebeten haben, brauchen Sie nichts weiter zu tun: Nur Sie haben diesen Link bekommen. Löschen Sie diese Mail, und sagen Sie der Personalabteilung Bescheid, wenn Sie sie noch einmal bekommen.',
  },
  reasons: {
    invitation: (at) =>
      `Sie bekommen diese Mail, weil Ihre Personalabteilung${at} einen Arbeitskalender für Sie eingerichtet hat.`,
    renewed: (at) =>
      `Sie bekommen diese Mail, weil Ihre Personalabteilung${at} Ihrem Arbeitskalender eine neue Adresse gegeben hat.`,
    reminder: (at) =>
      `Sie bekommen diese Mail, weil Ihre Personalabteilung${at} einen Arbeitskalender für Sie eingerichtet hat, den Sie noch nicht abonniert haben.`,
    quiet: (at) =>
      `Sie bekommen diese Mail, weil Ihre Personalabteilung${at} einen Arbeitskalender für Sie eingerichtet hat, den keine Kalender-App mehr abruft.`,
    lost: (at) =>
      `Sie bekommen diese Mail, weil Sie oder jemand, der Ihre Adresse eingegeben hat, einen neuen Link zu Ihrem Arbeitskalender${at} angefordert haben.`,
  },
  sentBy: (sender, host) =>
    `Gesendet vom Kalenderdienst${sender && ` von ${sender}`} unter ${host}.`,
}

export const languages: Readonly<Record<Locale, LetterWords>> = { en, de }

import type { LetterWords } from './words.ts'

/** What letters say in English. */
export const enLetters: LetterWords = {
  subjects: {
    invitation: 'Your work calendar',
    renewed: 'Your work calendar has a new address',
    reminder: 'Your work calendar is waiting for you',
    lost: 'Your new link to your work calendar',
  },
  greeting: (firstName) => (firstName === '' ? 'Hello,' : `Hello ${firstName},`),
  intros: {
    invitation: (calendar) =>
      `your work calendar “${calendar}” is ready. The calendar program that you use anyway can show it, and it follows every change.`,
    renewed: (calendar) =>
      `your work calendar “${calendar}” has a new address. Please subscribe to it again.`,
    reminder: (calendar) =>
      `nobody has subscribed to your work calendar “${calendar}” yet. Here is a new link to it.`,
    lost: (calendar) =>
      `here is a new link to your work calendar “${calendar}”, as you, or somebody who entered your address, asked for. A link that was mailed to you in this way before ends once you have subscribed by this one; your others go on.`,
  },
  oldHasEnded:
    'The old address has ended: what your calendar program shows by it no longer changes. Remove the old calendar there.',
  oldEndsOn: (date) =>
    `The old address goes on until ${date}. Remove the old calendar from your calendar program once you see the new one.`,
  page: 'This is your page:',
  steps: [
    'Open the page on the device on which you use your calendar.',
    'Choose your calendar program there and press its button.',
    'Confirm in the program that you want to subscribe. Most show the first entries within minutes, Google within a day.',
  ],
  secret:
    'The address of the page is a secret: whoever has it can read this calendar. Do not forward this mail. If it got into the wrong hands, take a new address on the page, or ask HR for one.',
  unasked: {
    invitation: 'If you did not expect this mail, ask HR about it.',
    renewed: 'If you did not expect a new address, ask HR about it.',
    reminder: 'If you do not want this calendar, there is nothing to do.',
    lost: 'If you did not ask for it, there is nothing to do: only you have got this link. Delete this mail, and tell HR if it comes again.',
  },
}

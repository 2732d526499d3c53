import type { MeWords } from './me-words.ts'

/** What the page of a person who has signed in says in English. */
export const enMe: MeWords = {
  title: 'My work calendar',
  saved: 'Saved. Calendar programs show it the next time they ask.',
  others: 'Your other calendars',
  signedIn: (who) => `Signed in: ${who}`,
  signOutHint: 'Signing out here does not sign you out of your company’s other programs.',
  empty: {
    heading: (who) => `Welcome, ${who}`,
    text: 'You have no calendar yet. One press makes it: your leave, shifts, timesheets and tasks in the calendar program that you already use.',
    revoked: (date) =>
      `HR ended your calendar on ${date}, and its links with it. You cannot make another yourself. If you still need one, ask HR to make it: you will then find it here.`,
    closed:
      'Your calendar is closed, because your company’s records said that you had left. Once they are read again and say otherwise, it goes on by itself, with the links that you have. If it stays closed, ask HR.',
    action: 'Make my calendar',
  },
  links: {
    heading: 'Your links',
    hint: 'Each device or person has a link of its own, so that you can end one without the others.',
    none: 'All of your links have ended. Make one below.',
    first: 'First link',
    mailed: 'Link that was mailed to you',
    onlyAway: 'Only “Away”',
    neverAsked: 'No calendar program has asked for it yet.',
    made: (date) => `Made on ${date}.`,
    ends: (date) => `Ends on ${date}: HR has put another in its place.`,
    unused: (date) =>
      `Ends on ${date} unless a calendar program asks for it before: a newer one was mailed to you.`,
  },
  newLink: {
    heading: 'Make another link',
    label: 'What is it for?',
    hint: 'Such as “phone” or “family”. Only you and HR see this.',
    awayHint:
      'For family or friends: it says that you are away, not why, and nothing else. Whoever has it cannot change that.',
    action: 'Make',
  },
  replace: {
    summary: 'It leaked: replace its address',
    text: 'The old address ends at once, for everybody who has it. You are shown a new one, once, and subscribe with it again.',
    confirm: 'I will subscribe again',
    action: 'Replace',
  },
  end: {
    summary: 'End this link',
    text: 'Calendar programs get nothing more through it. Your other links go on.',
    confirm: 'It is no longer needed',
    action: 'End',
  },
  made: {
    heading: (label) => `Your new link: ${label}`,
    text: 'It is ready. Add it to your calendar program now: this address is shown only this once.',
    keep: 'It has a page of its own, for another device or for whom it is for:',
    back: 'Back to my calendar',
  },
  faults: {
    not_known:
      'Nothing was made: your company’s system does not know you as somebody who works there. Ask HR.',
    label_missing: 'Nothing was made: say what the link is for.',
    label_unseen:
      'Nothing was made: of that name nothing can be seen. Take letters, digits or signs.',
    label_unfit: 'Nothing was made: take at most 100 characters, and not dots alone.',
    label_of_mail:
      'Nothing was made: “mail” is the link that is mailed to who has lost theirs. Take another name.',
    label_in_use: 'Nothing was made: you have a link of this name already. Take another name.',
    too_many_links: 'Nothing was made: you have as many links as there can be. End one first.',
    nothing_shown: 'Nothing was made: your calendar shows no leave, so the link would be empty.',
    sent_before:
      'Nothing was made: this form had been sent before. Send it once more for another link.',
    unconfirmed: 'Nothing was changed: tick the box first.',
  },
}

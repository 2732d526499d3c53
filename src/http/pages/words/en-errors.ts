import type { PageWords } from './words.ts'

/** What keeps a page from being shown, in English. */
export const enErrors: PageWords['errors'] = {
  unknown_link: {
    heading: 'We do not know this link',
    text: 'Perhaps a part of it was lost on the way.',
    hint: 'Open it once more from the mail you got, all of it. If that does not help, ask HR for a new link.',
  },
  ended_link: {
    heading: 'This calendar link has ended',
    text: 'It was replaced or switched off, so calendar programs get nothing new through it. If you took a new address yourself, open that page. The old calendar stays in your programs until you remove it there:',
    hint: 'If you have no new address and still need one, ask HR.',
  },
  unknown_page: {
    heading: 'There is nothing here',
    text: 'This address leads nowhere.',
    hint: 'If you are looking for your calendar, open the link that you were sent.',
  },
  unavailable: {
    heading: 'Not at the moment',
    text: 'This calendar cannot be opened right now.',
    hint: 'Try again in a few minutes. Calendar programs keep what they have until then.',
  },
  foreign_request: {
    heading: 'Nothing was changed',
    text: 'The request did not come from a page of ours.',
    hint: 'Open the page itself, such as by the link that you were sent, and do it there.',
  },
  not_allowed: {
    heading: 'Nothing was changed',
    text: 'HR has not allowed this choice for this calendar.',
    hint: 'Go back to see what you can choose, or ask HR.',
  },
  not_by_sign_in: {
    heading: 'Nothing was changed',
    text: 'The request did not come from a page of ours, or your sign-in does not allow it.',
    hint: 'Open your own page and try it there.',
  },
  not_open: {
    heading: 'This is not open to you',
    text: 'Only HR and IT get in here, with a sign-in or a token of their own.',
    hint: 'If you are looking for your calendar, open the link that you were sent.',
  },
  invalid: {
    heading: 'Nothing was changed',
    text: 'This choice could not be read.',
    hint: 'Go back, reload the page and choose again.',
  },
  wrong_method: {
    heading: 'That does not work here',
    text: 'This address does not take what your browser sent.',
    hint: 'If you are looking for your calendar, open the link that you were sent.',
  },
  too_many_requests: {
    heading: 'One moment, please',
    text: 'There were very many requests from here.',
    hint: 'Try again in a minute.',
  },
  too_many_today: {
    heading: 'No more for today',
    text: 'Nothing was changed: there were so many changes within a day that no more can be made now.',
    hint: 'Try again tomorrow. What there is goes on as it was. If those changes were not yours, somebody else may know this link: ask HR for a new one.',
  },
  failure: {
    heading: 'Something went wrong here',
    text: 'That was our mistake, not yours.',
    hint: 'Try again in a few minutes. Calendar programs keep what they have until then.',
  },
}

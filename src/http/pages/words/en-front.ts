import type { FrontWords } from './front-words.ts'

/** What the front page says in English. */
export const enFront: FrontWords = {
  title: 'Work calendars',
  heading: 'Your work calendar, in the calendar you already use',
  what: 'With a personal link, Google Calendar, Outlook, Apple Calendar and others show your leave, shifts, timesheets and tasks, and follow every change.',
  forWhom: 'It is for the people of a company whose HR hands out these links.',
  signIn: {
    heading: 'Your calendar',
    text: 'Sign in as you do elsewhere at your company to see your calendar, its links and its settings.',
    link: 'Sign in',
  },
  lost: {
    heading: 'Have you lost your link?',
    text: 'Ask HR for a new one. Nobody can look yours up: it is a secret that is kept nowhere.',
    bySignIn:
      'Sign in and make a new one. Nobody can look yours up: it is a secret that is kept nowhere.',
  },
  documentation: {
    heading: 'For HR and IT',
    text: 'Calendars are made on the command line, or by programs over HTTP.',
    link: 'Documentation of the HTTP API',
  },
  sample: {
    heading: 'This is a sample company',
    text: 'No workforce system is connected yet. See what an employee of the sample company gets with her link:',
    link: 'Open Ada’s page',
  },
}

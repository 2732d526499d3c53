import type { ConditionWords } from './words.ts'

const lists = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** What is stale or missing in a calendar, and why, in English. */
export const enConditions: ConditionWords = {
  unavailable: {
    heading: 'There is nothing to show right now',
    text: 'The workforce system gives no answer that can be shown safely. Adding it may fail just now: try again in a few minutes. Programs that have it already keep what they have.',
  },
  leaves_missing: {
    heading: 'Leave is missing',
    text: 'It is not proven yet that the workforce system keeps one person’s leave apart from another’s. Until then none is shown. IT can find out with the examination.',
  },
  misnamed: {
    heading: 'This calendar is made for another spelling of a user id',
    text: 'The workforce system calls the person by another id than this calendar does, so nothing new of them is shown. HR can make a new calendar for the right id.',
  },
  person_held: {
    heading: 'This calendar stays as it was',
    text: 'The workforce system now gives another name and another mail address for a person of it. Until HR has said whether it is still the same person, nothing new of them is shown.',
  },
  nothing_shown: {
    heading: 'Everything is switched off',
    text: 'The calendar stays empty until something is switched on.',
  },
  unknown_schedules: {
    heading: 'Your work schedule is not known yet',
    text: 'When this calendar was made, the workforce system did not say which work schedules there are. As soon as it does, the calendar takes the usual one and fills by itself.',
  },
  no_schedule: {
    heading: 'Shifts are missing',
    text: 'No work schedule has been chosen for this calendar. HR can set it.',
  },
  no_projects: {
    heading: 'Tasks are missing',
    text: 'No projects have been set whose tasks this calendar could show. HR can set them.',
  },
  no_invoices: {
    heading: 'Invoices are missing',
    text: 'No invoices have been chosen for this calendar. HR can set them.',
  },
  missing_schedule: {
    heading: 'A work schedule is gone',
    text: 'A schedule chosen for this calendar no longer exists, so its shifts are missing. HR can choose another.',
  },
  inactive_schedule: {
    heading: 'A work schedule is no longer in use',
    text: 'A schedule chosen for this calendar is switched off, so its shifts are missing. HR can choose another.',
  },
  needs_rotation: {
    heading: 'Rotating shifts are missing',
    text: 'Nobody has said yet which week of the rotation is yours, and a wrong shift is worse than none. HR can set the rotation.',
  },
  no_such_project: {
    heading: 'A project is gone',
    text: 'The workforce system no longer knows a project of this calendar, so its tasks are missing.',
  },
  no_such_invoice: {
    heading: 'An invoice is gone',
    text: 'The workforce system no longer knows an invoice of this calendar.',
  },
  stale: (kinds, since) => ({
    heading: `${lists.format(kinds)}: as of ${since}`,
    text: 'The workforce system has not answered since. You see what it said then; it updates by itself as soon as it answers.',
  }),
  unkept: (kinds, since) => ({
    heading: `${lists.format(kinds)}: as of ${since}`,
    text: 'What has come since cannot be saved here. You see what it was then; it updates by itself as soon as it can be saved.',
  }),
  leaves_held: (since) => ({
    heading: `Leave: as of ${since}`,
    text: 'Since then it cannot be proven that the workforce system keeps one person’s leave apart from another’s. You see what was proven before; nothing new is taken over until there is proof again.',
  }),
  link_ends: (date) => ({
    heading: `This link ends on ${date}`,
    text: 'Ask HR for the new one in time and add that instead.',
  }),
  unreadable_records: (count) => ({
    heading: count === 1 ? 'One entry is missing' : `${count} entries are missing`,
    text: 'The workforce system describes them in a way that cannot be read as a date or a state.',
  }),
}

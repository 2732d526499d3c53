import type { LinkWords } from './link-words.ts'

/** How a link is changed, replaced and ended, in English. */
export const enLink: LinkWords = {
  locale: 'Language of the entries',
  reminder: 'Reminder',
  reminderHint:
    'Before shifts and everything else that has a time of day. Google and Outlook ignore reminders of subscribed calendars; in Apple Calendar leave “Remove alerts” off when you subscribe.',
  noReminder: 'None',
  before: (minutes) => {
    if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'day')
    if (minutes % 60 === 0 && minutes > 0) return counted(minutes / 60, 'hour')
    return minutes === 0 ? 'At the start' : counted(minutes, 'minute')
  },
  nothingShown:
    'Nothing was saved: everything would be switched off, and the calendar would be empty. Leave at least one thing on, or end this link further down.',
  unconfirmed: 'Nothing was changed: tick the box first.',
  notSent: 'Nothing was changed: no connection. Try again.',
  heading: 'This link',
  another: {
    fromHr: 'Only HR can give you another.',
    bySignIn:
      'If the calendar is your own, you make another yourself once you sign in; otherwise ask whoever gave you this one.',
  },
  secret:
    'Keep this page and its address to yourself: whoever has them can read this calendar. If they got into the wrong hands, take a new address under “This link”.',
  replace: {
    summary: 'This address leaked: give me a new one',
    text: 'The old address ends at once, for everybody who has it. The new one is shown to you once, here. Calendar programs do not follow by themselves: you subscribe again with the new address in each of them. What you have chosen here is not taken over: set it again on the new page.',
    confirm: 'I will subscribe again everywhere',
    action: 'Replace',
  },
  end: {
    summary: 'End this link',
    text: 'Calendar programs get nothing more through this address. Other links to the calendar go on.',
    confirm: 'I no longer need this link',
    action: 'End',
  },
  replaced: {
    heading: 'Your new address',
    text: 'The old address has ended. Calendar programs do not follow by themselves: subscribe again in each of them with this one.',
    keep: 'This address is shown only now. Bookmark the page behind this link, it belongs to the new address:',
    page: 'Open the page of the new address',
    remove:
      'Then remove the old calendar from each program: it stays there as it was and is not updated any more.',
    choices: 'What you had chosen starts anew: set it again there.',
    secret:
      'Keep the new page and its address to yourself: whoever has them can read this calendar.',
  },
  ended: {
    heading: 'This link has ended',
    text: 'Calendar programs get nothing more through this address. What they have got already they keep until you remove the calendar there:',
    programs: [
      'Apple Calendar: on iPhone, Calendars, the “i” beside it, “Delete Calendar”; on a Mac, a secondary click on it and “Unsubscribe”.',
      'Google Calendar: on a computer, the settings of the calendar, “Remove calendar”. Until then it goes on showing what it got last.',
      'Outlook: the calendar’s menu, “Remove”.',
      'Any other program: remove or unsubscribe it there. Some show an error until you do.',
    ],
    hint: 'The calendar’s other links go on.',
  },
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} before`
}

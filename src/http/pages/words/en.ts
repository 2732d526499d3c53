import { programNames } from '../../../domain/activity.ts'
import { enFront } from './en-front.ts'
import type { PageWords } from './words.ts'

const language = 'en-GB'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** All that pages say in English: one table, however long, so that a language is one file. */
export const en: PageWords = {
  language,
  calendarScripts: [],
  title: 'Your work calendar',
  skip: 'Skip to the preview',
  kicker: 'Your calendar link',
  holds: (names, audience) => {
    if (names.length === 0) return 'Nothing is switched on in this calendar at the moment.'
    const what = lists.format(names.map((name) => name.toLowerCase()))
    const whose = audience === 'own' ? 'Your' : 'The team’s'
    return `${whose} ${what}, always up to date in the calendar you already use.`
  },
  subscribe: 'Add it to your calendar',
  otherWays: 'Other ways to add it',
  ways: {
    apple: {
      name: 'Apple Calendar',
      action: 'Add to Apple Calendar',
      hint: 'iPhone, iPad and Mac. Confirm with “Subscribe” when you are asked.',
    },
    google: {
      name: 'Google Calendar',
      action: 'Copy address and open Google',
      hint: 'In a browser with your Google account, best on a computer.',
      steps: [
        'This button copies the address and opens Google Calendar’s settings.',
        'Paste the address into “URL of calendar”.',
        'Press “Add calendar”. Phones with the same account show it too.',
      ],
      note: 'Google asks for changes only every 4 to 24 hours, and nobody can hurry it.',
    },
    outlookWork: {
      name: 'Outlook at work',
      action: 'Add to Outlook at work',
      hint: 'Microsoft 365, with your work account. Confirm with “Import”.',
    },
    outlookCom: {
      name: 'Outlook.com',
      action: 'Add to Outlook.com',
      hint: 'With a private Microsoft account. Confirm with “Import”.',
    },
    copy: {
      name: 'Any other calendar',
      action: 'Copy address',
      hint: 'Thunderbird, Nextcloud, Home Assistant, ICSx5 and more: choose “Subscribe” or “Calendar from the internet” there and paste this address.',
    },
    download: {
      name: 'Download once',
      action: 'Download a copy',
      hint: 'A file of today’s state. It will not update itself.',
    },
    device: {
      name: 'On another device',
      hint: 'Point the camera of your phone at this code and confirm with “Subscribe”.',
    },
  },
  address: 'Address of the calendar',
  copied: 'The address is copied.',
  copyFailed: 'Your browser did not allow copying. The address is selected: copy it yourself.',
  newTab: 'opens a new tab',
  steps: 'Step by step',
  unreachable:
    'Google and Microsoft fetch calendars from their own servers, and those cannot reach this address. Use another way here.',
  qrCode: 'QR code of the calendar’s address',
  preview: {
    heading: 'How it will look',
    hint: 'The very calendar your program will get, in the time zone of this device.',
    loading: 'Loading your calendar…',
    failed:
      'The calendar cannot be shown right now. You can add it all the same: it fills by itself.',
    withoutScript: 'The preview needs JavaScript. Everything else here works without it.',
    list: 'List',
    month: 'Month',
    today: 'Today',
    earlier: 'Earlier',
    later: 'Later',
    empty: 'Nothing in these weeks.',
    close: 'Close',
    allDay: 'all day',
  },
  selfService: {
    heading: 'What it shows',
    hint: 'Switch off what you do not want in your calendar. You can switch it on again at any time.',
    fixed: 'HR decides what this calendar shows.',
    detail: 'How much it says about leave',
    details: {
      absent: 'Only “Away”',
      type: 'The kind of leave',
      full: 'The kind of leave and the reason',
    },
    save: 'Save',
    saved: 'Saved. Calendar programs show it the next time they ask.',
  },
  activity: {
    heading: 'When calendar programs last asked',
    none: 'None has asked yet. As soon as you have added the calendar, it shows here.',
    google: 'Google asks every 4 to 24 hours; others mostly within an hour.',
    clients: {
      ...programNames,
      browser: 'A browser',
      other: 'Another program',
    },
    verdict: ({ askedAt, state, changedAt }, times) => {
      const asked = `asked ${times.ago(askedAt)}`
      const change = changedAt === null ? '' : ` of ${times.at(changedAt)}`
      if (state === 'current') return `${asked} and has the last change${change}`
      return state === 'refused'
        ? `${asked} and got no calendar; it will ask again`
        : `${asked}, and not since the last change${change}`
    },
  },
  conditions: 'Good to know',
  condition: {
    unavailable: {
      heading: 'There is nothing to show right now',
      text: 'The workforce system gives no answer that can be shown safely. You can add the calendar all the same: programs keep what they have, and it fills by itself.',
    },
    leaves_missing: {
      heading: 'Leave is missing',
      text: 'It is not proven yet that the workforce system keeps one person’s leave apart from another’s. Until then none is shown. IT can find out with the examination.',
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
  },
  secret:
    'Keep this page and its address to yourself: whoever has them can read this calendar. If they got into the wrong hands, ask HR for a new link.',
  front: enFront,
  errors: {
    unknown_link: {
      heading: 'We do not know this link',
      text: 'Perhaps a part of it was lost on the way.',
      hint: 'Open it once more from the mail you got, all of it. If that does not help, ask HR for a new link.',
    },
    ended_link: {
      heading: 'This calendar link has ended',
      text: 'It was replaced or switched off, so calendar programs get nothing new through it.',
      hint: 'Remove the old subscription from your calendar and ask HR for a new link if you still need one.',
    },
    unknown_page: {
      heading: 'There is nothing here',
      text: 'This address leads nowhere.',
      hint: 'If you are looking for your calendar, open the link in the mail from HR.',
    },
    unavailable: {
      heading: 'Not at the moment',
      text: 'This calendar cannot be opened right now.',
      hint: 'Try again in a few minutes. Calendar programs keep what they have until then.',
    },
    foreign_request: {
      heading: 'Nothing was changed',
      text: 'The request did not come from this calendar’s own page.',
      hint: 'Open the link in the mail from HR and make the change there.',
    },
    not_allowed: {
      heading: 'Nothing was changed',
      text: 'HR has not allowed this choice for this calendar.',
      hint: 'Go back to see what you can choose, or ask HR.',
    },
    invalid: {
      heading: 'Nothing was changed',
      text: 'This choice could not be read.',
      hint: 'Go back, reload the page and choose again.',
    },
    wrong_method: {
      heading: 'That does not work here',
      text: 'This address can only be opened.',
      hint: 'Open the link in the mail from HR.',
    },
    too_many_requests: {
      heading: 'One moment, please',
      text: 'There were very many requests from here.',
      hint: 'Try again in a minute.',
    },
    failure: {
      heading: 'Something went wrong here',
      text: 'That was our mistake, not yours.',
      hint: 'Try again in a few minutes. Calendar programs keep what they have until then.',
    },
  },
}

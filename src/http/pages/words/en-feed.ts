import { type ClientFamily, type ClientState, programNames } from '../../../domain/activity.ts'
import type { Audience } from '../../../domain/feed-options.ts'
import { localeNames } from '../../../domain/feed.ts'
import type { LeaveDetail } from '../../../domain/leave.ts'
import type { ChoiceName, Choices } from '../../../domain/link.ts'
import type { FeedCondition } from '../../../publishing/feed-condition.ts'
import type { Way } from '../subscribe.ts'
import type { PageTimes } from '../times.ts'

const language = 'en-GB'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

export interface Notice {
  readonly heading: string
  readonly text: string
}

type ChoiceWords = {
  readonly [Name in ChoiceName]: {
    readonly label: string
    readonly hint?: string
    readonly text: (value: NonNullable<Choices[Name]>) => string
  }
}

export function textOf<Value extends string>(
  texts: Readonly<Record<Value, string>>,
): (value: Value) => string {
  return (value) => texts[value]
}

export const enFeed = {
  language,
  title: 'Your work calendar',
  skip: 'Skip to the preview',
  skipPreview: 'Skip to “What it shows”',
  holds: (names: readonly string[], audience: Audience): string => {
    if (names.length === 0) return 'Nothing is switched on in this calendar at the moment.'
    const what = lists.format(names.map((name) => name.toLowerCase()))
    const start = audience === 'own' ? 'Your' : 'The team’s'
    return `${start} ${what}, always up to date in the calendar you already use.`
  },
  subscribe: 'Add it to your calendar',
  otherWays: 'Other ways to add it',
  ways: {
    apple: {
      name: 'Apple Calendar',
      action: 'Add to Apple Calendar',
      hint: 'iPhone, iPad and Mac. Confirm with “Subscribe”.',
    },
    google: {
      name: 'Google Calendar',
      action: 'Copy address and open Google',
      hint: 'On a computer, with your Google account.',
      steps: [
        'This button copies the address and opens Google Calendar’s settings.',
        'Paste the address into “URL of calendar”.',
        'Press “Add calendar”. Phones with the same account show it too.',
      ],
      unscripted: {
        action: 'Open Google',
        step: 'Select and copy this calendar address, then open Google Calendar’s settings with the button above:',
      },
      note: 'Google checks for changes only every 4 to 24 hours. You cannot speed this up.',
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
      hint: 'For Thunderbird, Nextcloud, ICSx5 and others: choose “Subscribe” or “Calendar from the internet” there and paste the address.',
    },
    download: {
      name: 'Download once',
      action: 'Download a copy',
      hint: 'A file with the calendar as it is today. It will not update itself.',
    },
  } satisfies Record<Way, object>,
  googleOnPhone: {
    name: 'Google Calendar on this phone',
    hint: 'Google’s app cannot add it by itself. Open this page on a computer once, and this phone will show the calendar as well.',
    steps: [
      'Send this page to yourself, for example by email.',
      'Open it on a computer and press “Copy address and open Google” there.',
      'The calendar then appears on every phone with that Google account.',
    ],
    onNewAddress: {
      hint: 'Google’s app cannot add it by itself. Open the page of the new address on a computer once, and this phone will show the calendar as well.',
      step: 'Send the page of the new address to yourself, for example by email:',
    },
  },
  device: {
    name: 'On another device',
    hint: 'Point that device’s camera at a code.',
    calendarCode: 'iPhone: subscribes to the calendar',
    pageCode: 'Any other device: opens this page',
  },
  share: {
    action: 'Send this page to myself',
    copy: 'Copy this page’s address',
    copied: 'The page’s address is copied: send it to yourself.',
    failed: 'Your browser did not allow it. Copy the address from your browser’s address bar.',
  },
  sheet: {
    code: 'iPhone and iPad: point the camera at the first code and confirm with “Subscribe”.',
    open: 'Everything else: point the camera at the second code, or open this address on a computer.',
    choose: 'Choose your calendar there. It then stays up to date by itself, on your phone too.',
    secret:
      'Keep this sheet to yourself: anyone who has it can read this calendar. If it got into the wrong hands, open the address above and get a new one there.',
  },
  address: 'Address of the calendar',
  copied: 'The address is copied.',
  copyFailed: 'Your browser did not allow copying. The address is selected: copy it yourself.',
  newTab: 'opens a new tab',
  steps: 'Step by step',
  unreachable:
    'Google and Microsoft fetch calendars from their own servers, and those cannot reach this address. Choose another option here.',
  qrCode: 'QR code of the calendar’s address',
  pageCode: 'QR code of this page’s address',
  preview: {
    heading: 'How it will look',
    hint: (timezone: string): string =>
      `Exactly what your calendar program will get, shown in the time zone ${timezone}.`,
    hintHere: (timezone: string): string =>
      `Exactly what your calendar program will get, shown in this device’s time zone. The calendar’s own time zone is ${timezone}.`,
    loading: 'Loading your calendar…',
    failed: 'The calendar cannot be shown right now.',
    missing: 'It appears here as soon as there is something to show.',
    retry: 'Try again',
    beyondWeek: 'These are the next seven days. Your calendar program shows the whole calendar.',
    beyondCut: (count: number): string =>
      `These are the first ${count} entries of the next seven days. Your calendar program shows the whole calendar.`,
    onlyWeek: 'Later entries cannot be shown right now.',
    views: 'Show as',
    list: 'List',
    month: 'Month',
    today: 'Today',
    earlier: 'Earlier',
    later: 'Later',
    more: 'Show more',
    reach: 'Entries up to {date}. Later ones appear automatically.',
    empty: 'This calendar is still empty. New entries appear automatically.',
    emptyWeek: 'Nothing in the next seven days.',
    emptyAhead: 'Nothing from today on. New entries appear automatically.',
    close: 'Close',
    allDay: 'all day',
  },
  selfService: {
    heading: 'What it shows',
    hint: 'Switch off what you do not want in your calendar. You can switch it on again at any time.',
    fixed: 'HR decides what this calendar shows.',
    /** In the order of the page. */
    choices: {
      detail: {
        label: 'How much it says about leave',
        hint: 'Even “Away” shows “(pending)” until the leave is approved and, unless it is for whole days, how long it is, such as “(half day)”.',
        text: textOf<LeaveDetail>({
          absent: 'Only “Away”',
          type: 'The kind of leave',
          full: 'The kind of leave and the reason',
        }),
      },
      reminderMinutes: {
        label: 'Reminder',
        hint: 'Before shifts and everything else that has a time of day. Google and Outlook ignore reminders of subscribed calendars; in Apple Calendar leave “Remove alerts” off when you subscribe.',
        text: (minutes) => {
          if (minutes === 'none') return 'None'
          if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'day')
          if (minutes % 60 === 0 && minutes > 0) return counted(minutes / 60, 'hour')
          return minutes === 0 ? 'At the start' : counted(minutes, 'minute')
        },
      },
      leavesShowAs: {
        label: 'Show leave as',
        text: textOf({ outOfOffice: 'Out of office', busy: 'Busy', free: 'Free' }),
      },
      shiftsAs: {
        label: 'Shifts',
        text: textOf({ hours: 'Blocks', day: 'One line a day' }),
      },
      shiftsShowAs: { label: 'Show shifts as', text: textOf({ busy: 'Busy', free: 'Free' }) },
      timesheetsAs: {
        label: 'Timesheets',
        text: textOf({
          both: 'Over their period and on the last day',
          period: 'Over their period',
          deadline: 'On the last day',
          todo: 'Only as to-dos',
        }),
      },
      locale: { label: 'Language of the entries', text: textOf(localeNames) },
    } satisfies ChoiceWords,
    save: 'Save',
    saved: 'Saved. Calendar programs show the change the next time they check.',
    notSaved: 'Not saved: no connection. Try again.',
    unsaved: 'Your changes are not saved yet. Leave without saving?',
  },
  activity: {
    heading: 'When calendar programs last checked',
    none: 'None has checked yet. Once you have added the calendar, checks appear here.',
    google: 'Google checks every 4 to 24 hours, most others at least once an hour.',
    clock: (timezone: string): string => `Times are in ${timezone}.`,
    clients: {
      ...programNames,
      browser: 'A browser',
      other: 'Another program',
    } satisfies Record<ClientFamily, string>,
    verdict: ({ askedAt, state, changedAt }: ClientState, times: PageTimes): string => {
      const asked = `checked ${times.ago(askedAt)}`
      const change = changedAt === null ? '' : ` (${times.at(changedAt)})`
      if (state === 'current') return `${asked} and has the latest change${change}`
      return state === 'refused'
        ? `${asked} and got no calendar. It will try again`
        : `${asked}, but not since the latest change${change}`
    },
  },
  link: {
    nothingShown:
      'Nothing was saved: the calendar would be empty. Leave at least one thing switched on, or end this link below.',
    unconfirmed: 'Nothing was changed: tick the box first.',
    notSent: 'Nothing was changed: no connection. Try again.',
    heading: 'This link',
    another: {
      fromHr: 'Only HR can give you another link.',
      bySignIn:
        'If the calendar is your own, sign in to create another link yourself. Otherwise, ask the person who gave you this one.',
    },
    secret:
      'Keep this page and its address to yourself: anyone who has them can read this calendar. If they got into the wrong hands, get a new address under “This link”.',
    replace: {
      summary: 'This address leaked: give me a new one',
      text: 'The old address stops working at once, for everybody who has it. You see the new one only once, here. Calendar programs do not change over by themselves: subscribe to the new address in each of them. Your choices on this page are not carried over: make them again on the new page.',
      confirm: 'I will subscribe again everywhere',
      action: 'Replace',
    },
    end: {
      summary: 'End this link',
      text: 'Calendar programs no longer get anything through this address. Other links to the calendar keep working.',
      confirm: 'I no longer need this link',
      action: 'End',
    },
    replaced: {
      heading: 'Your new address',
      text: 'The old address has ended. Calendar programs do not change over by themselves: subscribe to this new one in each of them.',
      keep: 'This address is shown only once. Bookmark the page of the new address:',
      page: 'Open the page of the new address',
      remove:
        'Then remove the old calendar from each program: it stays there but is no longer updated.',
      choices: 'Your choices are not carried over: make them again there.',
      secret:
        'Keep the new page and its address to yourself: anyone who has them can read this calendar.',
    },
    ended: {
      heading: 'This link has ended',
      text: 'Calendar programs no longer get anything through this address. They keep what they have until you remove the calendar there:',
      programs: [
        'Apple Calendar: on iPhone, tap “Calendars”, the “i” beside this calendar, then “Delete Calendar”; on a Mac, Control-click the calendar and choose “Unsubscribe”.',
        'Google Calendar: on a computer, open the calendar’s settings and choose “Remove calendar”. Until then it keeps showing what it got last.',
        'Outlook: open the calendar’s menu and choose “Remove”.',
        'Any other program: remove the calendar or unsubscribe from it there. Some programs show an error until you do.',
      ],
      hint: 'The calendar’s other links keep working.',
    },
  },
  conditions: 'Good to know',
  condition: {
    unavailable: {
      heading: 'There is nothing to show right now',
      text: 'The workforce system is not giving an answer that is safe to show. Adding the calendar may fail for now: try again in a few minutes. Programs that already have it keep what they have.',
    },
    leaves_missing: {
      heading: 'Leave is missing',
      text: 'It is not proven yet that the workforce system keeps people’s leave apart. Until then, no leave is shown. IT can find out more with the “doctor” check.',
    },
    misnamed: {
      heading: 'This calendar uses a different spelling of a user id',
      text: 'The workforce system knows the person by a different id, so nothing new about them is shown. HR can create a new calendar for the right id.',
    },
    person_held: {
      heading: 'This calendar stays as it was',
      text: 'The workforce system now gives a different name and email address for a person in this calendar. Until HR confirms that it is still the same person, nothing new about them is shown.',
    },
    nothing_shown: {
      heading: 'Everything is switched off',
      text: 'The calendar stays empty until something is switched on.',
    },
    unknown_schedules: {
      heading: 'Your work schedule is not known yet',
      text: 'When this calendar was created, the workforce system did not list its work schedules. As soon as it does, the calendar uses the default one and is filled automatically.',
    },
    no_schedule: {
      heading: 'Shifts are missing',
      text: 'No work schedule has been chosen for this calendar. HR can set it.',
    },
    no_projects: {
      heading: 'Tasks are missing',
      text: 'No projects are set for this calendar. HR can set them.',
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
      text: 'It is not set yet which week of the rotation is yours, and a wrong shift is worse than none. HR can set the rotation.',
    },
    no_such_project: {
      heading: 'A project is gone',
      text: 'The workforce system no longer has one of this calendar’s projects, so its tasks are missing.',
    },
    no_such_invoice: {
      heading: 'An invoice is gone',
      text: 'The workforce system no longer has one of this calendar’s invoices.',
    },
    stale: (kinds: readonly string[], since: string): Notice => ({
      heading: `${lists.format(kinds)}: as of ${since}`,
      text: 'The workforce system has not answered since then. You see what it said at that time. The calendar updates automatically once it answers.',
    }),
    notStored: (kinds: readonly string[], since: string): Notice => ({
      heading: `${lists.format(kinds)}: as of ${since}`,
      text: 'Newer data cannot be saved right now. You see the data of that time. The calendar updates automatically once saving works again.',
    }),
    leaves_held: (since: string): Notice => ({
      heading: `Leave: as of ${since}`,
      text: 'Since then, it has not been possible to prove that the workforce system keeps people’s leave apart. You see what was proven before. Nothing new is added until there is proof again.',
    }),
    link_ends: (date: string): Notice => ({
      heading: `This link ends on ${date}`,
      text: 'Ask HR for a new link in good time and add that one instead.',
    }),
    unreadable_records: (count: number): Notice => ({
      heading: count === 1 ? 'One entry is missing' : `${count} entries are missing`,
      text: 'The date or status that the workforce system sends cannot be read.',
    }),
  } satisfies Record<FeedCondition['about'], object>,
  secret:
    'Keep this page and its address to yourself: anyone who has them can read this calendar. If they got into the wrong hands, ask HR for a new link.',
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} before`
}

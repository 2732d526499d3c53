import { type ClientFamily, type ClientState, programNames } from '../../../domain/activity.ts'
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

/** Whose absences a calendar for others shows; `names` is empty if nobody, or too many, would have to be named. */
export interface People {
  readonly names: readonly string[]
  readonly count: number
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
  skipPreview: 'Skip to “What this calendar shows”',
  /** `people` is null for the reader's own calendar. */
  holds: (names: readonly string[], people: People | null): string => {
    if (names.length === 0) return 'Nothing is switched on in this calendar at the moment.'
    const what = lists.format(names.map((name) => name.toLowerCase()))
    const start = people ? aboutOthers(what, people) : `Your ${what}`
    return `${start}, always up to date in the calendar you already use.`
  },
  absences: 'Absences',
  absencesOf: (name: string): string => `${name}’s absences`,
  shared: 'Work calendar',
  subscribe: 'Add it to your calendar',
  otherWays: 'Other calendar apps',
  ways: {
    apple: {
      action: 'Add to Apple Calendar',
      hint: 'iPhone, iPad and Mac. Confirm with “Subscribe”.',
      profile: 'Or download a profile that subscribes to it',
    },
    icsx5: {
      action: 'Add with ICSx⁵',
      hint: 'ICSx⁵ is an app that adds this calendar to your phone and keeps it up to date.',
      install: 'Install ICSx⁵ once from',
      or: 'or',
      googlePlay: 'Google Play (paid)',
      fDroid: 'F-Droid (free)',
      steps: [
        'Press “Add with ICSx⁵” and confirm in the app.',
        'Your phone’s calendar app now shows it.',
      ],
    },
    google: {
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
      note: 'Google syncs only every 4 to 24 hours. You cannot speed this up.',
    },
    outlook: {
      action: 'Add to Outlook',
      hint: 'With your work account. Confirm with “Import”.',
      personal: 'Personal account? Add to Outlook.com',
      versions: [
        {
          name: 'Outlook on the web',
          steps: [
            'Press “Add to Outlook” above and sign in if asked.',
            'Check the name of the calendar.',
            'Press “Import”. The new Outlook for Windows shows the calendar too.',
          ],
        },
        {
          name: 'New Outlook for Windows',
          copies: true,
          steps: [
            'Copy the address of the calendar.',
            'Open the calendar in Outlook and choose “Add calendar”, then “Subscribe from web”.',
            'Paste the address, enter a name and press “Import”.',
          ],
        },
        {
          name: 'Classic Outlook for Windows',
          copies: true,
          steps: [
            'Copy the address of the calendar.',
            'Open the calendar in Outlook and choose “Add Calendar” or “Open Calendar” on the “Home” tab, then “From Internet”.',
            'Paste the address, press “OK”, then “Yes”.',
          ],
        },
      ],
    },
    copy: {
      action: 'Copy address',
      hint: 'For Thunderbird, Nextcloud and every app that subscribes to an address.',
      steps: [
        'Copy the address.',
        'In Thunderbird, open the calendar and choose “New Calendar…”, then “On the Network”. Other apps call it “Subscribe” or “From URL”.',
        'Paste the address, leave the user name empty, press “Find Calendars”, then “Subscribe”.',
      ],
    },
    download: {
      action: 'Download a copy',
      hint: 'A file with the calendar as it is today. It will not update itself.',
    },
  } satisfies Record<Way, object>,
  googleOnPhone: {
    name: 'Google Calendar, from a computer',
    hint: 'Google’s phone app cannot subscribe to an address. Add the calendar once on a computer and this phone shows it too. Google syncs every 4 to 24 hours.',
    steps: [
      'Send this page to yourself, for example by email.',
      'Open it on a computer and press “Copy address and open Google” there.',
      'The calendar then appears on every phone with that Google account.',
    ],
    onNewAddress: 'Send the page of the new address to yourself, for example by email:',
  },
  device: {
    name: 'On another device',
    hint: 'Point its camera at a code.',
    calendarCode: 'iPhone: subscribes to the calendar',
    pageCode: 'Any other device: opens this page',
  },
  share: {
    action: 'Send this page to myself',
    copy: 'Copy this page’s address',
    copied: 'Copied. Now send it to yourself.',
    failed: 'Your browser does not allow it. Copy the address from the address bar.',
  },
  sheet: {
    code: 'iPhone and iPad: point the camera at the first code and confirm with “Subscribe”.',
    open: 'Everything else: point the camera at the second code, or open this address on a computer.',
    choose: 'Choose your calendar there. It then stays up to date by itself, on your phone too.',
    secret:
      'Keep this sheet to yourself: anyone who has it can read this calendar. If somebody else has it, open the address above and replace it there.',
  },
  address: 'Address of the calendar',
  copied: 'Address copied.',
  copyFailed: 'Your browser does not allow copying. Select the address and copy it yourself.',
  newTab: 'opens a new tab',
  steps: 'Step by step',
  unreachable:
    'Google and Outlook on the web cannot reach this address from their servers. Choose another way.',
  qrCode: 'QR code of the calendar’s address',
  pageCode: 'QR code of this page’s address',
  preview: {
    heading: 'How it will look',
    hint: (timezone: string): string =>
      `What your calendar app will show. Times are in ${timezone}.`,
    hintHere: 'What your calendar app will show. Times are in this device’s time zone.',
    loading: 'Loading the calendar…',
    failed: 'The calendar cannot be loaded right now.',
    missing: 'It appears here as soon as there is something to show.',
    retry: 'Try again',
    beyondWeek: 'These are the next seven days. Your calendar app shows the whole calendar.',
    beyondCut: (count: number): string =>
      `These are the first ${count} entries of the next seven days. Your calendar app shows the whole calendar.`,
    onlyWeek: 'Later entries cannot be loaded right now.',
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
  seen: {
    label: 'View',
    asYou: 'As you see it',
    asOthers: 'As others see it',
    bare: 'This is what a colleague’s calendar shows about you: that you are away, and when.',
    more: 'This is what a colleague’s calendar shows about you.',
    hint: (timezone: string): string => `Times are in ${timezone}.`,
    hintHere: 'Times are in this device’s time zone.',
    beyond: 'These are the next seven days.',
  },
  selfService: {
    heading: 'What this calendar shows',
    hint: 'Turn off what you do not want to see. You can change it back at any time.',
    fixed: 'HR decides what this calendar shows.',
    onlyAway: 'This link only says “Away”: not why, and nothing else.',
    general: 'Language and reminder',
    choices: {
      detail: {
        label: 'Details',
        hint: '“Away” still shows “(pending)” until the leave is approved, and parts of a day such as “(half day)”.',
        text: textOf<LeaveDetail>({
          absent: 'Only “Away”',
          type: 'Kind of leave',
          full: 'Kind and reason',
        }),
      },
      reminderMinutes: {
        label: 'Reminder',
        hint: 'For shifts and other events with a time. Google and Outlook ignore reminders of subscribed calendars; in Apple Calendar, turn “Remove Alerts” off when you subscribe.',
        text: (minutes) => {
          if (minutes === 'none') return 'None'
          if (minutes % 1440 === 0 && minutes > 0) return counted(minutes / 1440, 'day')
          if (minutes % 60 === 0 && minutes > 0) return counted(minutes / 60, 'hour')
          return minutes === 0 ? 'At the start' : counted(minutes, 'minute')
        },
      },
      leavesAs: {
        label: 'Display',
        text: textOf({ person: 'Each leave', day: 'One line a day' }),
      },
      leavesShowAs: {
        label: 'Show as',
        text: textOf({ outOfOffice: 'Out of office', busy: 'Busy', free: 'Free' }),
      },
      shiftsAs: {
        label: 'Display',
        text: textOf({ hours: 'Blocks', day: 'One line a day' }),
      },
      shiftsShowAs: { label: 'Show as', text: textOf({ busy: 'Busy', free: 'Free' }) },
      timesheetsAs: {
        label: 'Display',
        text: textOf({
          both: 'Periods and deadlines',
          period: 'Periods',
          deadline: 'Deadlines',
          todo: 'To-dos',
        }),
      },
      locale: { label: 'Language', text: textOf(localeNames) },
    } satisfies ChoiceWords,
    save: 'Save',
    saving: 'Saving…',
    saved: 'Saved. Calendar apps show the change at their next sync.',
    notSaved: 'Not saved: no connection. Try again.',
  },
  activity: {
    heading: 'Last synced',
    none: 'No calendar app has synced yet. Once you have added the calendar, you see here when it last did.',
    google:
      'Google syncs every 4 to 24 hours, Outlook on the web and new Outlook every 3 to 6, most others at least once an hour, accounts every 5 to 15 minutes.',
    clock: (timezone: string): string => `Times are in ${timezone}.`,
    clients: {
      ...programNames,
      browser: 'A browser',
      other: 'Another app',
    } satisfies Record<ClientFamily, string>,
    verdict: ({ askedAt, state, changedAt }: ClientState, times: PageTimes): string => {
      const when = times.isNow(askedAt) ? 'just now' : times.ago(askedAt)
      if (state === 'current') return `synced ${when}`
      if (state === 'refused') return `could not sync ${when}. It will try again.`
      const change =
        changedAt === null ? 'The latest change' : `The change of ${times.at(changedAt)}`
      return `synced ${when}. ${change} shows at its next sync.`
    },
  },
  link: {
    nothingShown:
      'Not saved: the calendar would be empty. Leave at least one thing on, or end this link below.',
    unconfirmed: 'Nothing was changed: tick the box first.',
    notSent: 'Nothing was changed: no connection. Try again.',
    heading: 'This link',
    another: {
      fromHr: 'Only HR can give you another link.',
      bySignIn: 'You can create another link yourself: sign in.',
      fromGiver: 'Only the person who gave you this link can give you another one.',
    },
    secret:
      'Keep this page to yourself: anyone with its address can read this calendar. If somebody else has it, replace it under “This link”.',
    replace: {
      summary: 'Replace this address',
      text: 'For when somebody else has it: the old address stops working at once, for everybody. You see the new one only once, on the next page, and add it again in each calendar app. Your settings stay.',
      confirm: 'I will add the calendar again everywhere',
      action: 'Replace',
    },
    end: {
      summary: 'End this link',
      text: 'Calendar apps get nothing more through this address. Other links to the calendar keep working.',
      confirm: 'I no longer need this link',
      action: 'End',
    },
    replaced: {
      heading: 'Your new address',
      text: 'The old address has ended.',
      now: 'Add the new address now: this page is shown only once. Then do the same in every other calendar app, and remove the old calendar there.',
      keep: 'The new address has its own page. Save it as a bookmark:',
      page: 'Open the new page',
      secret: 'Keep the new page to yourself: anyone with its address can read this calendar.',
    },
    ended: {
      heading: 'This link has ended',
      text: 'Calendar apps get nothing more through this address. What they have stays until you remove the calendar there.',
      remove: 'How to remove the calendar',
      programs: [
        'Apple Calendar: on iPhone, tap “Calendars”, the “i” next to this calendar, then “Delete Calendar”; on a Mac, Control-click the calendar and choose “Unsubscribe”.',
        'Google Calendar: on a computer, open the calendar’s settings and choose “Remove calendar”.',
        'Outlook: open the calendar’s menu and choose “Remove”.',
        'Added as an account: remove the account in the app; on iPhone, iPad and Mac, remove its profile.',
        'Other apps: remove the calendar or unsubscribe from it there. Some show an error until you do.',
      ],
      hint: 'The calendar’s other links keep working.',
    },
  },
  conditions: 'Good to know',
  condition: {
    unavailable: {
      heading: 'There is nothing to show right now',
      text: 'Your company’s system does not answer as it should. Adding the calendar may fail for now: try again in a few minutes. Apps that already have it keep what they have.',
    },
    leaves_missing: {
      heading: 'Leave is missing',
      text: 'We are not yet certain to whom the leave from your company’s system belongs. Uncertain leave is not shown. IT can find out more with the “doctor” check.',
    },
    misnamed: {
      heading: 'This calendar no longer updates',
      text: 'Your company’s system now spells the person’s user id differently. HR can create a new calendar for the right id.',
    },
    person_held: {
      heading: 'This calendar is paused',
      text: 'Your company’s system now has a different name and email address for a person in this calendar. Until HR confirms that it is the same person, nothing new about them is shown.',
    },
    nothing_shown: {
      heading: 'Everything is switched off',
      text: 'The calendar stays empty until something is switched on.',
    },
    unknown_schedules: {
      heading: 'The work schedule is not known yet',
      text: 'Your company’s system has not sent its work schedules yet. As soon as it does, the calendar fills automatically.',
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
      text: 'It is not set which week of the rotation applies. HR can set it.',
    },
    no_such_project: {
      heading: 'A project is gone',
      text: 'Your company’s system no longer has one of this calendar’s projects, so its tasks are missing.',
    },
    no_such_invoice: {
      heading: 'An invoice is gone',
      text: 'Your company’s system no longer has one of this calendar’s invoices.',
    },
    team_manager_unknown: {
      heading: 'The manager of this team is not known',
      text: 'Your company’s system names nobody who reports to this manager. HR can find out why.',
    },
    team_manager_left: {
      heading: 'The manager of this team has left',
      text: 'The calendar shows everybody who still reports to them. HR can choose another manager.',
    },
    team_empty: {
      heading: 'Nobody is in this team',
      text: 'The calendar fills automatically as soon as somebody reports to this manager.',
    },
    team_too_large: (members: number, shown: number): Notice => ({
      heading: `Shows ${shown} of ${members} people`,
      text: 'The team is larger than one calendar can show. HR can create calendars for smaller teams.',
    }),
    stale: (kinds: readonly string[], since: string): Notice => ({
      heading: `${lists.format(kinds)}: as of ${since}`,
      text: 'Your company’s system has not answered since then. The calendar updates by itself once it does.',
    }),
    notStored: (kinds: readonly string[], since: string): Notice => ({
      heading: `${lists.format(kinds)}: as of ${since}`,
      text: 'Newer data cannot be saved right now. The calendar updates by itself once that works again.',
    }),
    leaves_held: (since: string): Notice => ({
      heading: `Leave: as of ${since}`,
      text: 'Since then we are not certain to whom the leave from your company’s system belongs. New leave is shown once we do.',
    }),
    link_ends: (date: string): Notice => ({
      heading: `This link ends on ${date}`,
      text: 'Ask HR for a new link before then and add that one instead.',
    }),
    unreadable_records: (count: number): Notice => ({
      heading: count === 1 ? 'One entry is missing' : `${count} entries are missing`,
      text: 'Your company’s system sends a date or status that cannot be read.',
    }),
  } satisfies Record<FeedCondition['about'], object>,
  secret:
    'Keep this page to yourself: anyone with its address can read this calendar. If somebody else has it, ask HR for a new link.',
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'} before`
}

function aboutOthers(what: string, { names, count }: People): string {
  const who =
    names.length > 0 ? lists.format(names) : count === 1 ? 'one person' : `${count} people`
  if (what === 'absences') return `Shows when ${who} ${count === 1 ? 'is' : 'are'} away`
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} of ${who}`
}

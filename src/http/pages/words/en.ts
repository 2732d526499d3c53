import { programNames } from '../../../domain/activity.ts'
import { enConditions } from './en-conditions.ts'
import { enErrors } from './en-errors.ts'
import { enFront } from './en-front.ts'
import { enLink } from './en-link.ts'
import { enLost } from './en-lost.ts'
import { enMe } from './en-me.ts'
import { enSignIn } from './en-sign-in.ts'
import type { PageWords } from './words.ts'

const language = 'en-GB'
const lists = new Intl.ListFormat(language, { type: 'conjunction' })

/** All that pages say in English; what is missing, and why no page is shown, stands in files beside it. */
export const en: PageWords = {
  language,
  ownName: 'English',
  calendarScripts: [],
  title: 'Your work calendar',
  skip: 'Skip to the preview',
  skipPreview: 'Skip to “What it shows”',
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
        step: 'Select and copy this address of the calendar, then open Google Calendar’s settings with the button above:',
      },
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
      hint: 'For Thunderbird, Nextcloud, ICSx5 and others: choose “Subscribe” or “Calendar from the internet” there and paste it.',
    },
    download: {
      name: 'Download once',
      action: 'Download a copy',
      hint: 'A file of today’s state. It will not update itself.',
    },
  },
  googleOnPhone: {
    name: 'Google Calendar on this phone',
    hint: 'Google’s app cannot add it by itself. Open this page on a computer once, and this phone shows the calendar as well.',
    steps: [
      'Send this page to yourself, for example by mail.',
      'Open it on a computer and press “Copy address and open Google” there.',
      'The calendar then appears on every phone with that Google account.',
    ],
    onNewAddress: {
      hint: 'Google’s app cannot add it by itself. Open the page of the new address on a computer once, and this phone shows the calendar as well.',
      step: 'Send the page of the new address to yourself, for example by mail:',
    },
  },
  device: {
    name: 'On another device',
    hint: 'Point that device’s camera at a code.',
    calendarCode: 'iPhone: subscribes',
    pageCode: 'Any other device: opens this page',
  },
  share: {
    action: 'Send this page to myself',
    copy: 'Copy this page’s address',
    copied: 'The page’s address is copied: send it to yourself.',
    failed: 'Your browser did not allow it. Copy the address from the top of the browser.',
  },
  sheet: {
    code: 'iPhone and iPad: point the camera at the first code and confirm with “Subscribe”.',
    open: 'Everything else: point the camera at the second code, or open this address on a computer.',
    choose: 'Choose your calendar there. It then stays up to date by itself, on your phone too.',
    secret:
      'Keep this sheet to yourself: whoever has it can read this calendar. If it got into the wrong hands, open the address above and take a new one there.',
  },
  address: 'Address of the calendar',
  copied: 'The address is copied.',
  copyFailed: 'Your browser did not allow copying. The address is selected: copy it yourself.',
  newTab: 'opens a new tab',
  steps: 'Step by step',
  unreachable:
    'Google and Microsoft fetch calendars from their own servers, and those cannot reach this address. Use another way here.',
  qrCode: 'QR code of the calendar’s address',
  pageCode: 'QR code of this page’s address',
  preview: {
    heading: 'How it will look',
    hint: (timezone) => `Just what your calendar program will get, in the time of ${timezone}.`,
    hintHere: (timezone) =>
      `Just what your calendar program will get, in the time of this device. The calendar’s own time zone is ${timezone}.`,
    loading: 'Loading your calendar…',
    failed: 'The calendar cannot be shown right now.',
    missing: 'It stands here as soon as there is something to show.',
    retry: 'Try again',
    beyondWeek: 'These are the next seven days. Your calendar program shows the whole calendar.',
    beyondCut: (count) =>
      `These are the first ${count} entries of the next seven days. Your calendar program shows the whole calendar.`,
    onlyWeek: 'Later entries cannot be shown right now.',
    views: 'Show as',
    list: 'List',
    month: 'Month',
    today: 'Today',
    earlier: 'Earlier',
    later: 'Later',
    more: 'Show more',
    reach: 'Entries until {date} so far. Later ones appear by themselves.',
    empty: 'There is nothing in this calendar yet. What comes appears by itself.',
    emptyWeek: 'Nothing in the next seven days.',
    emptyAhead: 'Nothing from today on. What comes appears by itself.',
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
    detailHint:
      'Even “Away” says “(pending)” as long as it is not approved and, where it is not whole days, how long it is, such as “(half day)”.',
    save: 'Save',
    saved: 'Saved. Calendar programs show it the next time they ask.',
    notSaved: 'Not saved: no connection. Try again.',
    unsaved: 'Your changes are not saved yet. Leave without them?',
  },
  activity: {
    heading: 'When calendar programs last asked',
    none: 'None has asked yet. As soon as you have added the calendar, it shows here.',
    google: 'Google asks every 4 to 24 hours; others mostly within an hour.',
    clock: (timezone) => `Times of ${timezone}.`,
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
  link: enLink,
  conditions: 'Good to know',
  condition: enConditions,
  secret:
    'Keep this page and its address to yourself: whoever has them can read this calendar. If they got into the wrong hands, ask HR for a new link.',
  front: enFront,
  lost: enLost,
  signIn: enSignIn,
  me: enMe,
  waysOn: { own: 'To your own calendar', front: 'To the front page' },
  errors: enErrors,
}

import type { FormFault } from '../../../feeds/own/wrong-form.ts'
import type { GivingUpWords } from './link-words.ts'

/** What the page of a person who has signed in says. */
export interface MeWords {
  readonly title: string
  readonly saved: string
  /** Before calendars of theirs other than the one that is shown. */
  readonly others: string
  signedIn(who: string): string
  readonly signOutHint: string
  /** While they have no calendar. */
  readonly empty: EmptyWords
  readonly links: OwnLinksWords
  readonly newLink: NewLinkWords
  readonly replace: GivingUpWords
  readonly end: GivingUpWords
  /** Of the page that shows a new address. */
  readonly made: MadeWords
  readonly faults: Readonly<Record<FormFault, string>>
}

interface EmptyWords {
  heading(who: string): string
  /** They never had one. */
  readonly text: string
  /** HR ended the one that they had, on that day. */
  revoked(date: string): string
  /** The bridge closed it, since its person was said to have left; there is none to be made beside it. */
  readonly closed: string
  readonly action: string
}

interface OwnLinksWords {
  readonly heading: string
  readonly hint: string
  readonly none: string
  /** What links are called that the bridge has named: that of the calendar, and one that is mailed to who has lost theirs. */
  readonly first: string
  readonly mailed: string
  readonly onlyAway: string
  readonly neverAsked: string
  made(date: string): string
  ends(date: string): string
  /** Of a mailed link after which another was mailed. */
  unused(date: string): string
}

interface NewLinkWords {
  readonly heading: string
  readonly label: string
  readonly hint: string
  readonly awayHint: string
  readonly action: string
}

interface MadeWords {
  heading(label: string): string
  readonly text: string
  readonly keep: string
  readonly back: string
}

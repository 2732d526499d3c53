import type { ClientFamily, ClientState } from '../../../domain/activity.ts'
import type { Audience } from '../../../domain/feed-options.ts'
import type { LeaveDetail } from '../../../domain/leave.ts'
import type { FeedCondition } from '../../../publishing/feed-condition.ts'
import type { Way } from '../likely-way.ts'
import type { AssetName } from '../page-assets.ts'
import type { PageTimes } from '../page-times.ts'
import type { FrontWords } from './front-words.ts'
import type { LinkWords } from './link-words.ts'
import type { LostLinkWords } from './lost-words.ts'
import type { MeWords } from './me-words.ts'
import type { SignInWords } from './sign-in-words.ts'

/** Everything that the pages say in one language; plain text, escaped where it is written. */
export interface PageWords {
  /** How lists are written, and times for who does not say where they live (RFC 5646). */
  readonly language: string
  /** What the language calls itself. */
  readonly ownName: string
  /** What the preview's calendar needs beside its own script to speak the language. */
  readonly calendarScripts: readonly AssetName[]
  /** Of the browser's tab: chat programs show it beside a shared link, so it names nobody. */
  readonly title: string
  readonly skip: string
  readonly skipPreview: string
  readonly kicker: string
  /** What the calendar holds, from the names of its kinds. */
  holds(kinds: readonly string[], audience: Audience): string
  readonly subscribe: string
  readonly otherWays: string
  readonly ways: Readonly<Record<Way, WayWords>>
  /** Google's own app cannot subscribe: the way leads over a computer. */
  readonly googleOnPhone: OverComputerWords
  readonly device: DeviceWords
  readonly share: ShareWords
  /** What is printed beside the code. */
  readonly sheet: SheetWords
  readonly address: string
  readonly copied: string
  readonly copyFailed: string
  readonly newTab: string
  readonly steps: string
  /** Said where Google's and Microsoft's servers cannot reach this one. */
  readonly unreachable: string
  readonly qrCode: string
  readonly pageCode: string
  readonly preview: PreviewWords
  readonly selfService: SelfServiceWords
  readonly activity: ActivityWords
  readonly link: LinkWords
  readonly conditions: string
  readonly condition: ConditionWords
  readonly secret: string
  readonly front: FrontWords
  readonly lost: LostLinkWords
  readonly signIn: SignInWords
  readonly me: MeWords
  /** Where whoever has come upon a message goes on. */
  readonly waysOn: { readonly own: string; readonly front: string }
  readonly errors: Readonly<Record<PageError, ErrorWords>>
}

export interface WayWords {
  readonly name: string
  readonly action: string
  readonly hint: string
  readonly steps?: readonly string[]
  /** What the button is called, and the first step, before a script has made the button copy. */
  readonly unscripted?: { readonly action: string; readonly step: string }
  readonly note?: string
}

export interface OverComputerWords {
  readonly name: string
  readonly hint: string
  readonly steps: readonly string[]
  /** The same where a new address has just been taken, with the first step, which names its page. */
  readonly onNewAddress: { readonly hint: string; readonly step: string }
}

export interface DeviceWords {
  readonly name: string
  readonly hint: string
  /** What each of the two codes does, and on what. */
  readonly calendarCode: string
  readonly pageCode: string
}

/** The page is handed to the reader's other device: by the device's own way, else as a copied address. */
export interface ShareWords {
  readonly action: string
  readonly copy: string
  readonly copied: string
  readonly failed: string
}

export interface SheetWords {
  readonly code: string
  readonly open: string
  readonly choose: string
  /** Where the reader can take a new address. */
  readonly secret: string
}

export interface PreviewWords {
  readonly heading: string
  /** By whose clock times stand: that of the calendar as the page is served, that of the device once its script has run. */
  hint(timezone: string): string
  hintHere(timezone: string): string
  readonly loading: string
  readonly failed: string
  /** In its place while there is none to be had. */
  readonly missing: string
  readonly retry: string
  /** Below the first days, where the page has no script, or not yet: what else there is; that these are not all of them. */
  readonly beyondWeek: string
  beyondCut(count: number): string
  /** Where the script could not fetch the rest. */
  readonly onlyWeek: string
  readonly views: string
  readonly list: string
  readonly month: string
  readonly today: string
  readonly earlier: string
  readonly later: string
  readonly more: string
  /** How far the entries go; `{date}` stands for the day of the last. */
  readonly reach: string
  /** The calendar holds nothing at all; nothing within a week; nothing from today on. */
  readonly empty: string
  readonly emptyWeek: string
  readonly emptyAhead: string
  readonly close: string
  readonly allDay: string
}

export interface SelfServiceWords {
  readonly heading: string
  readonly hint: string
  readonly fixed: string
  readonly detail: string
  readonly details: Readonly<Record<LeaveDetail, string>>
  readonly detailHint: string
  readonly save: string
  readonly saved: string
  /** Without a connection. */
  readonly notSaved: string
  /** Asked before the page is left with changes that are not saved. */
  readonly unsaved: string
}

export interface ActivityWords {
  readonly heading: string
  readonly none: string
  readonly google: string
  clock(timezone: string): string
  readonly clients: Readonly<Record<ClientFamily, string>>
  readonly verdict: (state: ClientState, times: PageTimes) => string
}

/** What is said of each condition; of some with what is known of it, written already. */
export interface ConditionWords extends Readonly<Record<PlainCondition, Notice>> {
  stale(kinds: readonly string[], since: string): Notice
  unkept(kinds: readonly string[], since: string): Notice
  leaves_held(since: string): Notice
  link_ends(date: string): Notice
  unreadable_records(count: number): Notice
}

type PlainCondition = Exclude<
  FeedCondition['about'],
  'stale' | 'unkept' | 'leaves_held' | 'link_ends' | 'unreadable_records'
>

export interface Notice {
  readonly heading: string
  readonly text: string
}

export interface ErrorWords extends Notice {
  readonly hint: string
}

/** What keeps a page from being shown. */
export type PageError =
  | 'unknown_link'
  | 'ended_link'
  | 'unknown_page'
  | 'unavailable'
  | 'foreign_request'
  | 'not_allowed'
  | 'not_by_sign_in'
  | 'not_open'
  | 'invalid'
  | 'wrong_method'
  | 'too_many_requests'
  | 'too_many_today'
  | 'failure'

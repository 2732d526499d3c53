import type { ClientFamily } from './activity.ts'
import type { CollectionKind, EventKind } from './kinds.ts'

/**
 * What the program measures, noted where it happens. Each label is a word of a closed list or the id of a company in the
 * settings: never a person, a name, an address or a token.
 */
export interface Measures {
  countPoll(poll: CountedPoll): void
  /** For the requests to that company's Read API. */
  ofReadApi(company: string): ReadApiMeasures
  countRefresh(refresh: CountedRefresh, seconds: number): void
  /** Of a copy from which a calendar is made or confirmed. */
  noteCopyAge(company: string, seconds: number): void
  /** Called once a calendar is made. */
  countRender(seconds: number): void
  /** Called for each record that a calendar had to leave out. */
  countSetAside(company: string, kind: EventKind): void
  /** `sent`, or why not. */
  countMail(outcome: string): void
  /** `signed_in`, or why not. */
  countSignIn(outcome: string): void
  /** Reports from now on how many wait there. */
  watchQueue(queue: CountedQueue, waiting: () => number): void
}

export interface CountedPoll {
  readonly client: ClientFamily
  readonly status: number
  /** Whether the answer was ready, so that one read was enough. */
  readonly ready: boolean
}

interface CountedRefresh {
  readonly company: string
  readonly kind: CollectionKind
  readonly outcome: string
}

export interface ReadApiMeasures {
  /** Called for each request that was sent; `answered`, or how it failed. */
  countRequest(operation: string, outcome: string, seconds: number): void
  /** Called whenever requests pause: `asked` for by the Read API, or after `failures`. */
  countPause(reason: 'asked' | 'failures'): void
  /** As `watchQueue`. */
  watchWaiting(waiting: () => number): void
}

/** Where something may have to wait for its turn. */
export const countedQueues = {
  read_api: 'requests to the Read APIs',
  read_api_bodies: 'answers of more than a megabyte to be read',
  calendars: 'calendars to be made',
  tables: 'tables and lists sent to the API',
  mails: 'mails handed to the mail server or waiting for it',
  lost_links: 'requests for a lost link',
  activity: 'links with polls to be noted in the database',
} as const

export type CountedQueue = keyof typeof countedQueues

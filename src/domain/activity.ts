import type { FeedLink } from './link.ts'
import type { Instant } from './world.ts'

/** What calendar programs are called, in every language. */
export const programNames = {
  google: 'Google',
  outlook: 'Outlook',
  apple: 'Apple',
  thunderbird: 'Thunderbird',
  icsx5: 'ICSx5',
  nextcloud: 'Nextcloud',
  'home-assistant': 'Home Assistant',
} as const

/** Calendar programs told apart by their user agent, for support only: nothing is ever served by it. */
export type ClientFamily = keyof typeof programNames | 'browser' | 'other'

/** What one family of clients has asked of one link. No addresses. */
interface ClientPolls {
  readonly client: ClientFamily
  readonly firstPolledAt: Instant
  readonly lastPolledAt: Instant
  /** HTTP status of the last answer. */
  readonly lastStatus: number
  readonly polls: number
  /** Last-Modified of the calendar that it has by these polls; null where none of them gave it one. */
  readonly hasChangeOf: Instant | null
}

/** What has been asked of the link with that token since it was last written down. */
export interface LinkPolls extends ClientPolls {
  readonly tokenHash: Uint8Array
}

/** All that has been asked of a link. */
export interface ClientActivity extends ClientPolls {
  readonly feedId: string
  readonly label: string
}

/** Who asked for which link, and when. */
export interface ActivityStore {
  /** Adds what has happened since the last call; polls of links that are no more are left out. */
  addActivity(polls: readonly LinkPolls[]): Promise<void>
  listActivity(feedIds: readonly string[]): Promise<readonly ClientActivity[]>
}

/** What is known of one family of calendar programs that has asked for a link. */
export interface ClientState {
  readonly client: ClientFamily
  readonly askedAt: Instant
  /**
   * `current`: it has the last change; `behind`: it has not asked since the last change; `refused`: it asked after
   * the last change or there is none, and got an error.
   */
  readonly state: 'current' | 'behind' | 'refused'
  /** When the calendar last changed; null while none has been served. */
  readonly changedAt: Instant | null
}

/** One state per family, the last to ask first; the browser that shows the page itself has none. */
export function clientStates(
  link: FeedLink,
  activity: readonly ClientActivity[],
): readonly ClientState[] {
  const changedAt = link.publication?.lastModified ?? null
  return activityOf(link, activity)
    .filter(({ client }) => client !== 'browser')
    .map((it) => ({
      client: it.client,
      askedAt: it.lastPolledAt,
      state: stateOf(it, changedAt),
      changedAt,
    }))
}

/** Who asked for that link, the last to ask first. */
export function activityOf(
  { feedId, label }: FeedLink,
  activity: readonly ClientActivity[],
): readonly ClientActivity[] {
  return activity
    .filter((it) => it.feedId === feedId && it.label === label)
    .toSorted((a, b) => b.lastPolledAt - a.lastPolledAt)
}

function stateOf(
  { lastStatus, lastPolledAt, hasChangeOf }: ClientActivity,
  changedAt: Instant | null,
): ClientState['state'] {
  if (changedAt !== null && hasChangeOf !== null && hasChangeOf >= changedAt) return 'current'
  if (lastStatus >= 400 && (changedAt === null || lastPolledAt >= changedAt)) return 'refused'
  return 'behind'
}

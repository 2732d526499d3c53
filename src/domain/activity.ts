import type { FeedLink } from './link.ts'
import { dayMs, type Instant } from './world.ts'

export const programNames = {
  google: 'Google',
  outlook: 'Outlook',
  apple: 'Apple',
  thunderbird: 'Thunderbird',
  icsx5: 'ICSx5',
  nextcloud: 'Nextcloud',
  'home-assistant': 'Home Assistant',
} as const

/** Told apart by user agent, for support only: no answer depends on it. */
export type ClientFamily = keyof typeof programNames | 'browser' | 'other'

interface ClientPolls {
  readonly client: ClientFamily
  readonly firstPolledAt: Instant
  readonly lastPolledAt: Instant
  readonly lastStatus: number
  readonly polls: number
  /** Last-Modified of the calendar that it has; null if it got none. */
  readonly hasChangeOf: Instant | null
}

export interface LinkPolls extends ClientPolls {
  readonly tokenHash: Uint8Array
}

export interface ClientActivity extends ClientPolls {
  readonly feedId: string
  readonly label: string
}

export interface ActivityStore {
  /** Adds polls since the last call, except of links that no longer exist. */
  addActivity(polls: readonly LinkPolls[]): Promise<void>
  listActivity(feedIds: readonly string[]): Promise<readonly ClientActivity[]>
}

export interface ClientState {
  readonly client: ClientFamily
  readonly askedAt: Instant
  /** `behind`: it has not asked since the last change; `refused`: it has, and got an error. */
  readonly state: 'current' | 'behind' | 'refused'
  readonly changedAt: Instant | null
}

/** One state per calendar program, the last to ask first. */
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

export interface LinkStatus {
  readonly client: ClientFamily
  readonly askedAt: Instant
  /** `stopped`: it asked regularly and no longer does; `past`: it asked once or twice, long ago. */
  readonly state: 'synced' | 'refused' | 'stopped' | 'past'
}

const silentMs = 3 * dayMs
/** Programs ask at very different intervals, and computers are off at weekends. */
const usualPausesMax = 4
const regularPolls = 3

/** How each calendar program of a link is doing, the last to ask first. */
export function linkStatuses(
  link: FeedLink,
  activity: readonly ClientActivity[],
  now: Instant,
): readonly LinkStatus[] {
  return activityOf(link, activity)
    .filter(({ client }) => client !== 'browser')
    .map((it) => ({
      client: it.client,
      askedAt: it.lastPolledAt,
      state: isSilent(it, now)
        ? it.polls < regularPolls
          ? 'past'
          : 'stopped'
        : stateOf(it, link.publication?.lastModified ?? null) === 'refused'
          ? 'refused'
          : 'synced',
    }))
}

function isSilent({ firstPolledAt, lastPolledAt, polls }: ClientPolls, now: Instant): boolean {
  const usualPause = polls > 1 ? (lastPolledAt - firstPolledAt) / (polls - 1) : 0
  return now - lastPolledAt > Math.max(silentMs, usualPausesMax * usualPause)
}

/** Which clients asked for that link, the last to ask first. */
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

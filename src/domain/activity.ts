import type { FeedLink } from './link.ts'
import { dayMs, hourMs, type Instant } from './world.ts'

export const programNames = {
  google: 'Google',
  outlook: 'Outlook',
  apple: 'Apple',
  thunderbird: 'Thunderbird',
  icsx5: 'ICSx5',
  davx5: 'DAVx5',
  gnome: 'GNOME',
  nextcloud: 'Nextcloud',
  'home-assistant': 'Home Assistant',
} as const

/** Told apart by user agent, for support only: no answer depends on it. */
export type ClientFamily = keyof typeof programNames | 'browser' | 'other'

/** How long programs usually wait before they ask again; settings differ, and Google takes 4 to 24 hours. */
const usualPauseMs: Readonly<Partial<Record<ClientFamily, number>>> = {
  google: 8 * hourMs,
  outlook: 3 * hourMs,
  apple: hourMs,
  thunderbird: hourMs / 2,
  icsx5: dayMs,
  nextcloud: hourMs,
  'home-assistant': dayMs,
}

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
  return programsOf(link, activity).map((it) => ({
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
export const regularPolls = 3

/** How the calendar program that asked last for a link is doing; undefined if none has. */
export function linkStatus(
  link: FeedLink,
  activity: readonly ClientActivity[],
  now: Instant,
): LinkStatus | undefined {
  const [last] = programsOf(link, activity)
  if (!last) return undefined
  const { client, lastPolledAt: askedAt, polls } = last
  if (isSilent(last, now))
    return { client, askedAt, state: polls < regularPolls ? 'past' : 'stopped' }
  const state = stateOf(last, link.publication?.lastModified ?? null)
  return { client, askedAt, state: state === 'refused' ? state : 'synced' }
}

const quietMs = 14 * dayMs

/** Programs that asked last before then no longer ask. */
export function quietBefore(now: Instant): Instant {
  return now - quietMs
}

/** Whether a calendar program asked regularly, and none has asked for two weeks. */
export function isQuiet(activity: readonly ClientActivity[], now: Instant): boolean {
  const programs = activity.filter(({ client }) => client !== 'browser')
  return (
    programs.some(({ polls }) => polls >= regularPolls) &&
    programs.every(({ lastPolledAt }) => lastPolledAt < quietBefore(now))
  )
}

export interface NextPoll {
  /** The calendar program that asked last; null if none has. */
  readonly client: ClientFamily | null
  readonly lastPolledAt: Instant | null
  /** When it will probably ask again; null if it has stopped, the link has ended, or its habit is not known. */
  readonly expectedAt: Instant | null
}

/** When the calendar program of a link asked last and will probably ask next: by its own habit, or else by what is usual for it. */
export function nextPoll(
  link: FeedLink,
  activity: readonly ClientActivity[],
  now: Instant,
): NextPoll {
  const [last] = programsOf(link, activity)
  if (!last) return { client: null, lastPolledAt: null, expectedAt: null }
  const { client, lastPolledAt, polls } = last
  const pauseMs = polls >= regularPolls ? habitMs(last) : usualPauseMs[client]
  const hasStopped = isSilent(last, now) || (link.endsAt !== null && link.endsAt <= now)
  const expectedAt =
    hasStopped || pauseMs === undefined ? null : Math.max(now, lastPolledAt + Math.round(pauseMs))
  return { client, lastPolledAt, expectedAt }
}

function isSilent(it: ClientPolls, now: Instant): boolean {
  return now - it.lastPolledAt > Math.max(silentMs, usualPausesMax * habitMs(it))
}

/** How long it has waited between polls; 0 if it has asked only once. */
function habitMs({ firstPolledAt, lastPolledAt, polls }: ClientPolls): number {
  return polls > 1 ? (lastPolledAt - firstPolledAt) / (polls - 1) : 0
}

/** `activityOf` without browsers, which keep no calendar. */
function programsOf(
  link: FeedLink,
  activity: readonly ClientActivity[],
): readonly ClientActivity[] {
  return activityOf(link, activity).filter(({ client }) => client !== 'browser')
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

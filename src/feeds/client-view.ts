import {
  activityOf,
  type ClientActivity,
  type ClientFamily,
  type ClientState,
  clientStates,
  programNames,
} from '../domain/activity.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { type ClientView, toIso } from './feed-view.ts'

const names: Readonly<Record<ClientFamily, string>> = {
  ...programNames,
  browser: 'A browser',
  other: 'Another program',
}

/** The clients of a link, the last to ask first. */
export function viewClients(
  link: FeedLink,
  activity: readonly ClientActivity[],
  now: Instant,
): readonly ClientView[] {
  const states = new Map(clientStates(link, activity).map((state) => [state.client, state]))
  return activityOf(link, activity).map((it) => {
    const state = states.get(it.client)
    return {
      label: link.label,
      client: it.client,
      firstPolledAt: toIso(it.firstPolledAt),
      lastPolledAt: toIso(it.lastPolledAt),
      lastStatus: it.lastStatus,
      polls: it.polls,
      verdict: state ? sentence(state, it, now) : null,
    }
  })
}

/** Whether the client has what the calendar says now. */
function sentence(
  { client, askedAt, state, changedAt }: ClientState,
  { lastStatus }: ClientActivity,
  now: Instant,
): string {
  const asked = `${names[client]} asked ${timeAgo(now - askedAt)}`
  const change =
    changedAt === null ? '' : ` of ${toIso(changedAt).slice(0, 16).replace('T', ' ')} UTC`
  if (state === 'refused') return `${asked} and was answered with ${lastStatus}.`
  if (state === 'current') return `${asked} and has the change${change}.`
  return `${asked} and has not asked since the change${change}.`
}

/** As one says it: "just now", "5 min ago", "3 h ago", "2 days ago". */
export function timeAgo(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 2880) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / 1440)} days ago`
}

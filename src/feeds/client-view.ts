import { clientVerdicts, type ClientVerdict } from '../activity/client-verdict.ts'
import type { ClientActivity, ClientFamily } from '../domain/activity.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { toIso } from './feed-view.ts'

/** What one family of clients has asked of one link. */
export interface ClientView {
  readonly label: string
  readonly client: ClientFamily
  readonly firstPolledAt: string
  readonly lastPolledAt: string
  /** HTTP status of the last answer. */
  readonly lastStatus: number
  readonly polls: number
  /** In a sentence, whether the client has what the calendar says now; null for a browser, which keeps nothing. */
  readonly verdict: string | null
}

const names: Readonly<Record<ClientFamily, string>> = {
  google: 'Google',
  outlook: 'Outlook',
  apple: 'Apple',
  thunderbird: 'Thunderbird',
  icsx5: 'ICSx5',
  nextcloud: 'Nextcloud',
  'home-assistant': 'Home Assistant',
  browser: 'A browser',
  other: 'Another program',
}

/** The clients of a link, the last to ask first. */
export function viewClients(
  link: FeedLink,
  activity: readonly ClientActivity[],
  now: Instant,
): readonly ClientView[] {
  const verdicts = clientVerdicts(link, activity)
  return activity
    .filter(({ feedId, label }) => feedId === link.feedId && label === link.label)
    .toSorted((a, b) => b.lastPolledAt - a.lastPolledAt)
    .map((it) => {
      const verdict = verdicts.find(({ client }) => client === it.client)
      return {
        label: link.label,
        client: it.client,
        firstPolledAt: toIso(it.firstPolledAt),
        lastPolledAt: toIso(it.lastPolledAt),
        lastStatus: it.lastStatus,
        polls: it.polls,
        verdict: verdict ? sentence(verdict, it, now) : null,
      }
    })
}

function sentence(
  { client, askedAt, state, changedAt }: ClientVerdict,
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

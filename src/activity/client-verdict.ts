import type { ClientActivity, ClientFamily } from '../domain/activity.ts'
import type { FeedLink } from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'

/** What is known of one family of calendar programs that has asked for a link. */
export interface ClientVerdict {
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

/** One verdict per family, the last to ask first; the browser that shows the page itself is none. */
export function clientVerdicts(
  link: FeedLink,
  activity: readonly ClientActivity[],
): readonly ClientVerdict[] {
  const changedAt = link.publication?.lastModified ?? null
  return activity
    .filter(({ feedId, label }) => feedId === link.feedId && label === link.label)
    .filter(({ client }) => client !== 'browser')
    .toSorted((a, b) => b.lastPolledAt - a.lastPolledAt)
    .map((it) => ({
      client: it.client,
      askedAt: it.lastPolledAt,
      state: stateOf(it, changedAt),
      changedAt,
    }))
}

function stateOf(
  { lastStatus, lastPolledAt, hasChangeOf }: ClientActivity,
  changedAt: Instant | null,
): ClientVerdict['state'] {
  if (changedAt !== null && hasChangeOf !== null && hasChangeOf >= changedAt) return 'current'
  if (lastStatus >= 400 && (changedAt === null || lastPolledAt >= changedAt)) return 'refused'
  return 'behind'
}

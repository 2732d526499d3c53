import type { Connection } from '../domain/connection.ts'
import { type CopyHead, emptyHash } from '../domain/copy.ts'
import type { Instant } from '../domain/world.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { isHeard } from './missing.ts'
import type { RefreshOutcome } from './refresher.ts'

/** What is known of one collection now. */
export interface CollectionState {
  readonly request: CollectionRequest
  /** The last good copy; null while there has been none. */
  readonly head: CopyHead | null
  /** Whether the last refresh failed, or brought what must not be kept. */
  readonly failed: boolean
  /** Whether the last refresh was answered and its answer thrown away for want of proof. */
  readonly refused: boolean
  /** Whether the Read API says that there is no such thing, or does not show it, and there never was. */
  readonly absent: boolean
  /** Whether it was due and has just been asked for. */
  readonly refreshed: boolean
  /** Whether that is still under way. */
  readonly late: boolean
}

/** What is known of a collection after its last refresh on this node. */
export function stateAfter(
  outcome: RefreshOutcome,
  known: Pick<CollectionState, 'request' | 'head'>,
  { connection, now }: { readonly connection: Connection; readonly now: Instant },
): Omit<CollectionState, 'refreshed' | 'late'> {
  const { request, head } = known
  const refused = outcome === 'refused'
  const isMissing = outcome === 'missing'
  const isGone = isMissing && head?.contentHash === emptyHash
  return {
    ...known,
    failed: outcome === 'failed' || refused || (isMissing && !isGone),
    refused,
    absent: isMissing && !head && isHeard(connection, request.collection.kind, now),
  }
}

import type { Connection } from '../domain/connection.ts'
import { type Copy, type CopyHead, type CopyStore, makeCopy } from '../domain/copy.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import type { CollectionRequest } from './kinds/kind.ts'

const dayMs = 86_400_000

interface MissingRecordDeps {
  readonly connection: Connection
  readonly copies: Pick<CopyStore, 'confirmCopy'>
  readonly clock: Clock
  readonly log: Log
}

/**
 * A project or invoice that is not there is empty at its first reading, or when a day later it still is not; and stays
 * so. Undefined until then: the copy that there is stays, and says since when it has been missing.
 */
export async function keepMissing(
  { connection, copies, clock, log }: MissingRecordDeps,
  { collection, scope: { reach } }: CollectionRequest,
  { head, begunAt }: { readonly head: CopyHead | null; readonly begunAt: Instant },
): Promise<Copy | undefined> {
  const now = clock.now()
  const missingSince = head?.missingSince ?? now
  log.warn({ company: connection.company.id, ...collection }, 'record_missing')
  const empty = makeCopy(collection, [], { begunAt, fetchedAt: now, reach })
  const isEmpty = !head || head.contentHash === empty.contentHash
  if (isEmpty || now - missingSince >= dayMs) return { ...empty, missingSince }
  await copies.confirmCopy(connection.id, { ...head, begunAt, missingSince })
  return undefined
}

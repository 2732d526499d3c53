import type { Connection } from '../domain/connection.ts'
import { type CopyHead, type CopyStore, emptyHash, makeCopy } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Clock } from '../domain/world.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { personInFeed } from './kinds/kinds.ts'
import type { ToldOnce } from './told-once.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface MissingDeps {
  readonly connection: Connection
  readonly copies: Pick<CopyStore, 'confirmCopies' | 'keepCopy'>
  readonly clock: Clock
  readonly told: ToldOnce
}

/** Whether another operation has answered within the hour: an API that answers nothing says of nothing that it is gone. */
export function isHeard({ api }: Connection, kind: CollectionKind, now: number): boolean {
  const answeredAt = api.lastAnswerBut(kind)
  return answeredAt !== null && now - answeredAt <= hourMs
}

/** A project or invoice that is refused while others are answered is empty a day later, if it still is; and stays so. */
export async function noteMissing(
  { connection, copies, clock, told }: MissingDeps,
  request: CollectionRequest,
  head: CopyHead,
): Promise<void> {
  const now = clock.now()
  const { collection, scope } = request
  if (!isHeard(connection, collection.kind, now)) return forgetMissing(connection, copies, head)
  const missingSince = Math.min(head.missingSince ?? now, now)
  const isEmpty = head.contentHash === emptyHash
  // What is refused for minutes is refused with all else, most likely.
  const isLasting = now - missingSince >= hourMs
  if (isLasting) told.warn({ company: connection.company.id, ...collection }, 'record_missing')
  if (!isEmpty && now - missingSince < dayMs) {
    await copies.confirmCopies(connection.id, [{ ...head, missingSince }])
    return
  }
  const empty = makeCopy(collection, [], { begunAt: now, fetchedAt: now, reach: scope.reach })
  await copies.keepCopy(
    connection.id,
    { ...empty, missingSince },
    personInFeed(connection, request),
  )
}

/** What was refused while nothing was answered does not count. */
async function forgetMissing(
  { id }: Connection,
  copies: MissingDeps['copies'],
  head: CopyHead,
): Promise<void> {
  if (head.missingSince === null) return
  await copies.confirmCopies(id, [{ ...head, missingSince: null }])
}

/* Less than before is more likely a fault than the truth, until further readings say the same. Pure. */
import type { Copy, Doubt } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'
import { hashOfList } from '../json/list-text.ts'
import { each, filtered } from '../json/long-lists.ts'
import { setOf } from '../json/long-sets.ts'
import { sortedTexts } from '../json/sorted.ts'
import type { Kind } from './kinds/kind.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
/** After the first reading the second, and where nothing is left of what there was the third. */
const readAgainAfterMs = [minuteMs, 11 * minuteMs]
const lossMin = 3

/** What is missing from an answer, too much to be believed at once. */
export type Loss = Pick<Doubt, 'lostHash' | 'ofAll' | 'isReplaced'>

/** Whether the answer empties what was not empty, or takes away more than half of three or more; null where it does not. Of any length, in steps. */
export function* lossOf<K extends CollectionKind>(
  { countedBy = nameOf }: Kind<K>,
  before: Copy<K>['records'],
  after: Copy<K>['records'],
): Generator<unknown, Loss | null> {
  const had = yield* countedIn(before, countedBy)
  const present = yield* setOf(yield* countedIn(after, countedBy))
  const lost = yield* filtered(had, (it) => !present.has(it))
  const ofAll = had.length > 0 && present.size === 0
  if (!ofAll && (had.length < lossMin || lost.length <= had.length / 2)) return null
  const isReplaced = !ofAll && lost.length === had.length
  // Of what came in place of all the next reading has to say the same.
  const came = isReplaced ? yield* sortedTexts([...present]) : []
  const changed = (yield* sortedTexts(lost)).concat(came)
  return { lostHash: yield* hashOfList(changed), ofAll, isReplaced }
}

function* countedIn<T>(
  records: readonly T[],
  countedBy: (record: T) => readonly string[],
): Generator<unknown, readonly string[]> {
  const counted: string[] = []
  yield* each(records, (record) => counted.push(...countedBy(record)))
  return counted
}

/** The doubt after a reading with that loss: it goes on where the same is missing, and begins anew where it is not. */
export function doubtAfter(loss: Loss, before: Doubt | undefined, now: Instant): Doubt {
  if (before?.lostHash !== loss.lostHash || before.since > now + clockSkewMs) {
    return { ...loss, since: now, readings: 1, ofMany: false }
  }
  return nextReadingAt(before) <= now ? { ...before, readings: before.readings + 1 } : before
}

/** Whether all readings that are needed agree. */
export function isBelievable(
  { readings, ofAll, isReplaced, ofMany, since }: Doubt,
  now: Instant,
): boolean {
  if (ofMany && now - since < dayMs) return false
  return readings > (ofAll || isReplaced ? 2 : 1)
}

/** When it is to be read again. */
export function nextReadingAt({ readings, since, ofMany }: Doubt): Instant {
  const waitMs = readAgainAfterMs[readings - 1]
  return since + (waitMs ?? (ofMany ? dayMs : minuteMs))
}

function nameOf({ id }: { readonly id: string }): readonly string[] {
  return [id]
}

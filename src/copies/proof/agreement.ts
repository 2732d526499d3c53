/* What several readings of one person's leaves come to. Pure; of any length, in steps. */
import { setOf, within, without } from '../../json/long-sets.ts'
import type { Claims } from './claims.ts'

interface Agreed {
  /** What is the person's already, and of all else what came in every reading and can be decided. */
  readonly present: ReadonlySet<string>
  /** What came in any of them. */
  readonly seen: ReadonlySet<string>
}

/** What of an answer the readings agree on; the answer itself may be among them. */
export function* agreed(
  ids: ReadonlySet<string>,
  { own, undecided }: Pick<Claims, 'own' | 'undecided'>,
  readings: readonly ReadonlySet<string>[],
): Generator<unknown, Agreed> {
  let [seen, stable] = [ids, ids]
  for (const reading of readings) {
    if (reading === ids) continue
    seen = yield* setOf(seen, reading)
    stable = yield* within(stable, reading)
  }
  const decided = yield* without(stable, undecided)
  return { present: yield* setOf(yield* within(ids, own), decided), seen }
}

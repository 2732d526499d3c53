/* What several readings of one person's leaves come to. Pure; of any length, in steps. */
import { setOf, within, without } from '../../json/long-sets.ts'

interface Agreed {
  /** What has come for the person before, and of what is new what came in all readings. */
  readonly present: ReadonlySet<string>
  /** What came in any of them. */
  readonly seen: ReadonlySet<string>
}

/** What of an answer the readings agree on; the answer itself may be among them. */
export function* agreed(
  ids: ReadonlySet<string>,
  fresh: ReadonlySet<string>,
  readings: readonly ReadonlySet<string>[],
): Generator<unknown, Agreed> {
  let [seen, stable] = [ids, ids]
  for (const reading of readings) {
    if (reading === ids) continue
    seen = yield* setOf(seen, reading)
    stable = yield* within(stable, reading)
  }
  return { present: yield* setOf(yield* without(ids, fresh), stable), seen }
}

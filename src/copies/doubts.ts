/* Less than before is more likely a fault than the truth, until further readings confirm it. */
import {
  collectionKey,
  collectionOf,
  contentHashOf,
  type Copy,
  type CopyHead,
  type Doubt,
} from '../domain/copy.ts'
import { widest } from '../domain/feed-options.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import { dayMs, hourMs, minuteMs, clockSkewMs, type Instant } from '../domain/world.ts'
import { type CollectionRequest, type Kind, kinds } from './kinds.ts'
import type { ProofDeps } from './proof/proof-state.ts'

const readAgainAfterMs = [minuteMs, 11 * minuteMs]
const lossMin = 3
/** Of at least this many collections, more than half may not become empty together. */
const manyMin = 4
/** How many others are read before an empty collection is believed. */
const othersRead = 4

/** Reads collections again that suddenly shrank, until the loss is believed or gone. */
export class Doubts {
  readonly #deps: ProofDeps
  readonly #signal: AbortSignal
  readonly #refresh: (request: CollectionRequest) => Promise<unknown>
  readonly #waiting = new Map<string, Promise<void>>()

  constructor(
    deps: ProofDeps,
    signal: AbortSignal,
    refresh: (_: CollectionRequest) => Promise<unknown>,
  ) {
    this.#deps = deps
    this.#signal = signal
    this.#refresh = refresh
  }

  /** Whether the answer may replace the stored copy, apart from `retained` records. If not, it is read again later. */
  async isBelieved<K extends CollectionKind>(
    request: CollectionRequest<K>,
    kept: Copy<K>,
    answer: Copy<K>,
    retained: ReadonlySet<string>,
  ): Promise<boolean> {
    const { connection, clock, doubts } = this.#deps
    if (!connection.shrinkGuard) return true
    const [before, after] = [kept, answer].map(({ records }) =>
      records.filter(({ id }) => !retained.has(id)),
    )
    const loss = lossOf(kinds[request.collection.kind], before ?? [], after ?? [])
    if (!loss) return true
    const now = clock.now()
    const doubt = await this.#amongOthers(doubtAfter(loss, kept.doubt, now), request, kept)
    if (isBelievable(doubt, now)) return true
    await doubts.saveDoubt(connection.id, kept.key, doubt)
    this.#readAgainLater(request, doubt)
    return false
  }

  /** Returns the stored copy, without its doubt if the answer contains again what was missing. */
  async settled<K extends CollectionKind>(
    { collection: { kind } }: CollectionRequest<K>,
    kept: Copy<K>,
    answer: Copy<K>,
  ): Promise<Copy<K>> {
    if (!kept.doubt || lossOf(kinds[kind], kept.records, answer.records)) return kept
    await this.#deps.doubts.saveDoubt(this.#deps.connection.id, kept.key, null)
    const { doubt: _, ...undoubted } = kept
    return undoubted
  }

  async close(): Promise<void> {
    await Promise.all(this.#waiting.values())
  }

  /** Before an empty collection is believed, others are read, since many do not become empty together. */
  async #amongOthers(doubt: Doubt, request: CollectionRequest, kept: CopyHead): Promise<Doubt> {
    const { doubts, connection, clock, copies } = this.#deps
    if (!doubt.ofAll || doubt.ofMany || !isBelievable(doubt, clock.now())) return doubt
    const { kind } = request.collection
    const filled = await doubts.listFilled(connection.id, kind, othersRead + 1)
    if (filled.length < manyMin) return doubt
    if (await this.#areManyEmptied(kind)) return { ...doubt, ofMany: true }
    const others = filled.filter(({ key }) => key !== kept.key).slice(0, othersRead)
    const unread = others.filter((head) => !head.doubt)
    const reads = unread.map(({ key, reach, withReasons: reasons = false }) =>
      this.#refresh({ collection: collectionOf(key), scope: { reach, reasons } }),
    )
    await Promise.all(reads)
    const keys = others.map(({ key }) => key)
    const after = await copies.findHeads(connection.id, keys)
    const areEmptied = after.filter((head) => head.doubt?.ofAll).length > others.length / 2
    return { ...doubt, ofMany: areEmptied || (await this.#areManyEmptied(kind)) }
  }

  async #areManyEmptied(kind: CollectionKind): Promise<boolean> {
    const { doubts, connection, clock } = this.#deps
    const since = clock.now() - hourMs
    const { filled, emptied } = await doubts.countEmptied(connection.id, kind, since)
    return filled >= manyMin && emptied > filled / 2
  }

  #readAgainLater(request: CollectionRequest, doubt: Doubt): void {
    const key = collectionKey(request.collection)
    if (this.#waiting.has(key)) return
    const { log, connection } = this.#deps
    const company = connection.company.id
    log.warn({ company, key }, 'collection_shrank')
    const reading = this.#readUntilDecided(request, key, doubt)
      .catch((error: unknown) => {
        if (!this.#signal.aborted) log.error({ company, key, error }, 'doubt_failed')
      })
      .finally(() => this.#waiting.delete(key))
    this.#waiting.set(key, reading)
  }

  async #readUntilDecided(request: CollectionRequest, key: string, first: Doubt): Promise<void> {
    const { connection, clock, copies } = this.#deps
    let doubt: Doubt | undefined = first
    // After readings without a decision, the pause grows from a minute to an hour.
    let pauseMs = 0
    while (doubt) {
      const waitMs = Math.max(pauseMs, nextReadingAt(doubt) - clock.now())
      await clock.sleep(waitMs, this.#signal)
      const [head] = await copies.findHeads(connection.id, [key])
      if (!head?.doubt) return
      const reach = widest(request.scope.reach, head.reach)
      await this.#refresh({ ...request, scope: { ...request.scope, reach } })
      doubt = (await copies.findHeads(connection.id, [key]))[0]?.doubt
      const isOverdue = doubt !== undefined && nextReadingAt(doubt) <= clock.now()
      pauseMs = isOverdue ? Math.min(Math.max(2 * pauseMs, minuteMs), hourMs) : 0
    }
  }
}

type Loss = Pick<Doubt, 'lostHash' | 'ofAll' | 'isReplaced'>

/** Null unless the answer empties a collection, or removes more than half of three or more entries. */
function lossOf<K extends CollectionKind>(
  { countedBy = ({ id }) => [id] }: Kind<K>,
  before: Copy<K>['records'],
  after: Copy<K>['records'],
): Loss | null {
  const had = before.flatMap(countedBy)
  const present = new Set(after.flatMap(countedBy))
  const lost = had.filter((it) => !present.has(it))
  const ofAll = had.length > 0 && present.size === 0
  if (!ofAll && (had.length < lossMin || lost.length <= had.length / 2)) return null
  const isReplaced = !ofAll && lost.length === had.length
  // If everything was replaced, the next reading must return the same replacement.
  const came = isReplaced ? [...present].toSorted() : []
  return { lostHash: contentHashOf([...lost.toSorted(), ...came]), ofAll, isReplaced }
}

/** Continues the doubt if the same is missing; otherwise starts a new one. */
function doubtAfter(loss: Loss, before: Doubt | undefined, now: Instant): Doubt {
  if (before?.lostHash !== loss.lostHash || before.since > now + clockSkewMs) {
    return { ...loss, since: now, readings: 1, ofMany: false }
  }
  return nextReadingAt(before) <= now ? { ...before, readings: before.readings + 1 } : before
}

function isBelievable(
  { readings, ofAll, isReplaced, ofMany, since }: Doubt,
  now: Instant,
): boolean {
  if (ofMany && now - since < dayMs) return false
  return readings > (ofAll || isReplaced ? 2 : 1)
}

function nextReadingAt({ readings, since, ofMany }: Doubt): Instant {
  const waitMs = readAgainAfterMs[readings - 1]
  return since + (waitMs ?? (ofMany ? dayMs : minuteMs))
}

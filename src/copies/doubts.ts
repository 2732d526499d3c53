/* Less than before is more likely a fault than the truth, until further readings say the same. */
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
import { clockSkewMs, type Instant } from '../domain/world.ts'
import { type CollectionRequest, type Kind, kinds } from './kinds.ts'
import type { ProofDeps } from './proof/proof-state.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** After the first reading the second, and where nothing is left of what there was the third. */
const readAgainAfterMs = [minuteMs, 11 * minuteMs]
/** Of fewer records any part may be missing but all. */
const lossMin = 3
/** Of so many collections more than half may not turn empty together. */
const manyMin = 4
/** So many others are read before it is believed that one is empty. */
const othersRead = 4
/** After a reading that has decided nothing; twice as long after each further one, up to an hour. */
const pauseMs = minuteMs

/** An answer beside the copy that is kept. */
interface Change<K extends CollectionKind> {
  readonly kept: Copy<K>
  readonly answer: Copy<K>
  /** Records of it that did not come, but stand for another reason. */
  readonly retained?: ReadonlySet<string>
}

/** Reads again what has become suddenly less, until it is believed or is back. */
export class Doubts {
  readonly #deps: ProofDeps & { readonly signal: AbortSignal }
  readonly #refresh: (request: CollectionRequest) => Promise<unknown>
  /** Collections that will be read again, by key. */
  readonly #waiting = new Map<string, Promise<void>>()

  constructor(
    deps: ProofDeps & { readonly signal: AbortSignal },
    refresh: (request: CollectionRequest) => Promise<unknown>,
  ) {
    this.#deps = deps
    this.#refresh = refresh
  }

  /** Whether the answer may take the place of the copy; where not, it is read again by itself. */
  async isBelieved<K extends CollectionKind>(
    request: CollectionRequest<K>,
    { kept, answer, retained = new Set() }: Change<K>,
  ): Promise<boolean> {
    const { connection, clock } = this.#deps
    if (!connection.shrinkGuard) return true
    const came = ({ records }: Copy<K>): Copy<K>['records'] =>
      records.filter(({ id }) => !retained.has(id))
    const loss = lossOf(kinds[request.collection.kind], came(kept), came(answer))
    if (!loss) return true
    const now = clock.now()
    const doubt = await this.#amongOthers(doubtAfter(loss, kept.doubt, now), request, kept)
    if (isBelievable(doubt, now)) return true
    await this.#deps.doubts.saveDoubt(connection.id, kept.key, doubt)
    this.#readAgainLater(request, doubt)
    return false
  }

  /** The copy without its doubt where the answer holds again what was missing, whether or not it is kept. */
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

  /** Waits for the readings under way; they end with the signal. */
  async close(): Promise<void> {
    await Promise.all(this.#waiting.values())
  }

  /** Before it is believed that nothing is left, others are looked at: many do not turn empty together. */
  async #amongOthers(doubt: Doubt, request: CollectionRequest, kept: CopyHead): Promise<Doubt> {
    const { doubts, connection, clock } = this.#deps
    if (!doubt.ofAll || doubt.ofMany || !isBelievable(doubt, clock.now())) return doubt
    const { kind } = request.collection
    const filled = await doubts.listFilled(connection.id, kind, othersRead + 1)
    if (filled.length < manyMin) return doubt
    if (await this.#areManyEmptied(kind)) return { ...doubt, ofMany: true }
    const ofOthers = await this.#readOthers(filled, kept)
    return { ...doubt, ofMany: ofOthers || (await this.#areManyEmptied(kind)) }
  }

  /** Whether more than half of those that are read are said to be empty, too. */
  async #readOthers(filled: readonly CopyHead[], kept: CopyHead): Promise<boolean> {
    const others = filled.filter(({ key }) => key !== kept.key).slice(0, othersRead)
    const unread = others.filter(({ doubt }) => !doubt)
    const reads = unread.map((head) => {
      const scope = { reach: head.reach, reasons: head.withReasons === true }
      return this.#refresh({ collection: collectionOf(head.key), scope })
    })
    await Promise.all(reads)
    const keys = others.map(({ key }) => key)
    const after = await this.#deps.copies.findHeads(this.#deps.connection.id, keys)
    return after.filter(({ doubt }) => doubt?.ofAll).length > others.length / 2
  }

  async #areManyEmptied(kind: CollectionKind): Promise<boolean> {
    const { doubts, connection, clock } = this.#deps
    const since = clock.now() - hourMs
    const { filled, emptied } = await doubts.countEmptied(connection.id, kind, since)
    return filled >= manyMin && emptied > filled / 2
  }

  #readAgainLater(request: CollectionRequest, doubt: Doubt): void {
    const { log, signal, connection } = this.#deps
    const key = collectionKey(request.collection)
    if (this.#waiting.has(key)) return
    const company = connection.company.id
    log.warn({ company, key }, 'collection_shrank')
    const reading = this.#readAfterPause(request, doubt)
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ company, key, error }, 'doubt_failed')
      })
      .finally(() => {
        if (this.#waiting.get(key) === reading) this.#waiting.delete(key)
      })
    this.#waiting.set(key, reading)
  }

  /** Until it is believed, or less is missing. */
  async #readAfterPause(request: CollectionRequest, first: Doubt): Promise<void> {
    const { connection, clock, copies, signal } = this.#deps
    const key = collectionKey(request.collection)
    let doubt: Doubt | undefined = first
    let undecidedMs = 0
    while (doubt) {
      await clock.sleep(Math.max(undecidedMs, nextReadingAt(doubt) - clock.now()), signal)
      const [head] = await copies.findHeads(connection.id, [key])
      const scope = { ...request.scope, reach: widest(request.scope.reach, head?.reach ?? null) }
      if (!head?.doubt) return
      await this.#refresh({ ...request, scope })
      doubt = (await copies.findHeads(connection.id, [key]))[0]?.doubt
      const isOverdue = doubt !== undefined && nextReadingAt(doubt) <= clock.now()
      undecidedMs = isOverdue ? Math.min(Math.max(2 * undecidedMs, pauseMs), hourMs) : 0
    }
  }
}

/** What is missing from an answer, too much to be believed at once. */
type Loss = Pick<Doubt, 'lostHash' | 'ofAll' | 'isReplaced'>

/** Whether the answer empties what was not empty, or takes away more than half of three or more; null where it does not. */
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
  // Of what came in place of all the next reading has to say the same.
  const came = isReplaced ? [...present].toSorted() : []
  return { lostHash: contentHashOf([...lost.toSorted(), ...came]), ofAll, isReplaced }
}

/** The doubt after a reading with that loss: it goes on where the same is missing, and starts again where it is not. */
function doubtAfter(loss: Loss, before: Doubt | undefined, now: Instant): Doubt {
  if (before?.lostHash !== loss.lostHash || before.since > now + clockSkewMs) {
    return { ...loss, since: now, readings: 1, ofMany: false }
  }
  return nextReadingAt(before) <= now ? { ...before, readings: before.readings + 1 } : before
}

/** Whether all readings that are needed agree. */
function isBelievable(
  { readings, ofAll, isReplaced, ofMany, since }: Doubt,
  now: Instant,
): boolean {
  if (ofMany && now - since < dayMs) return false
  return readings > (ofAll || isReplaced ? 2 : 1)
}

/** When it is to be read again. */
function nextReadingAt({ readings, since, ofMany }: Doubt): Instant {
  const waitMs = readAgainAfterMs[readings - 1]
  return since + (waitMs ?? (ofMany ? dayMs : minuteMs))
}

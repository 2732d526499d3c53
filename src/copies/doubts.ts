import type { Connection } from '../domain/connection.ts'
import {
  collectionKey,
  collectionOf,
  type Copy,
  type CopyHead,
  type CopyStore,
  type Doubt,
  type DoubtStore,
} from '../domain/copy.ts'
import { widest } from '../domain/feed-options.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Clock, Log } from '../domain/world.ts'
import { filtered } from '../json/long-lists.ts'
import { inSteps } from '../json/rest.ts'
import { doubtAfter, isBelievable, lossOf, nextReadingAt } from './doubt.ts'
import type { CollectionRequest, Kind } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'

const hourMs = 3_600_000
/** Of so many collections more than half may not turn empty together. */
const manyMin = 4
/** So many others are read before it is believed that one is empty. */
const othersRead = 4
/** After a reading that has decided nothing; twice as long after each further one, up to an hour. */
const pauseMs = 60_000

export interface DoubtsDeps {
  readonly connection: Connection
  readonly copies: Pick<CopyStore, 'findHeads'>
  readonly doubts: DoubtStore
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** An answer beside the copy that is kept. */
interface Change<K extends CollectionKind> {
  readonly kept: Copy<K>
  readonly answer: Copy<K>
  /** Records of it that did not come, but stand for another reason. */
  readonly retained?: ReadonlySet<string>
}

type Refresh = (request: CollectionRequest) => Promise<unknown>

/** Reads again what has become suddenly less, until it is believed or is back. */
export class Doubts {
  readonly #deps: DoubtsDeps
  readonly #refresh: Refresh
  /** Collections that will be read again, by key. */
  readonly #waiting = new Map<string, Promise<void>>()

  constructor(deps: DoubtsDeps, refresh: Refresh) {
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
    const kind: Kind<K> = kinds[request.collection.kind]
    const came = ({ records }: Copy<K>): Promise<Copy<K>['records']> =>
      inSteps(filtered(records, ({ id }) => !retained.has(id)))
    const loss = await inSteps(lossOf(kind, await came(kept), await came(answer)))
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
    { kept, answer }: Change<K>,
  ): Promise<Copy<K>> {
    const known: Kind<K> = kinds[kind]
    if (!kept.doubt) return kept
    if (await inSteps(lossOf(known, kept.records, answer.records))) return kept
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
    if (!doubt.ofAll || doubt.ofMany || !isBelievable(doubt, this.#deps.clock.now())) return doubt
    const { kind } = request.collection
    const filled = await this.#deps.doubts.listFilled(
      this.#deps.connection.id,
      kind,
      othersRead + 1,
    )
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
    const key = collectionKey(request.collection)
    if (this.#waiting.has(key)) return
    this.#deps.log.warn({ company: this.#deps.connection.company.id, key }, 'collection_shrank')
    const reading = this.#readAfterPause(request, doubt)
      .catch((error: unknown) => this.#tell(key, error))
      .finally(() => {
        if (this.#waiting.get(key) === reading) this.#waiting.delete(key)
      })
    this.#waiting.set(key, reading)
  }

  #tell(key: string, error: unknown): void {
    const { signal, log, connection } = this.#deps
    if (!signal.aborted) log.error({ company: connection.company.id, key, error }, 'doubt_failed')
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

import {
  type Collection,
  collectionKey,
  type Copy,
  type CopyHead,
  type CopyStore,
} from '../domain/copy.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { isWhole, type Read } from './read-collection.ts'
import type { BeforeRefresh } from './refresher.ts'

interface Waiting {
  readonly head: CopyHead
  readonly done: PromiseWithResolvers<boolean>
}

interface ConfirmationsDeps {
  readonly connectionId: string
  readonly copies: Pick<CopyStore, 'confirmCopies'>
}

/**
 * What the refreshes of one poll find unchanged, written by one statement once each of them has been answered; earlier where
 * somebody else waits for one of them. Each is confirmed only when that is written.
 */
export class Confirmations {
  readonly #deps: ConfirmationsDeps
  /** As they were written, by key; those that were kept, too. */
  readonly noted = new Map<string, CopyHead>()
  readonly #urgent = new Set<string>()
  #underWay = 0
  #waiting: Waiting[] = []
  #isOver = false

  constructor(deps: ConfirmationsDeps) {
    this.#deps = deps
  }

  /** Has the others wait for this refresh. */
  async during<T>(refresh: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await refresh()
    } finally {
      this.#underWay -= 1
      await this.#writeWhenComplete()
    }
  }

  /** Whether it was noted that the content of this copy was confirmed; fails as its writing does. */
  async confirm(head: CopyHead): Promise<boolean> {
    const done = Promise.withResolvers<boolean>()
    this.#waiting.push({ head, done })
    await (this.#isOver || this.#urgent.has(head.key) ? this.#write() : this.#writeWhenComplete())
    return done.promise
  }

  /** Notes that this copy was kept. */
  noteKept({ records: _, ...head }: Copy): void {
    this.noted.set(head.key, head)
  }

  /** Writes as soon as that one has been answered. */
  hurry(key: string): void {
    this.#urgent.add(key)
    if (this.#waiting.some(({ head }) => head.key === key)) void this.#write()
  }

  /** Has nobody wait any longer: what has been answered is written when this resolves. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#write()
  }

  async #writeWhenComplete(): Promise<void> {
    if (this.#waiting.length >= this.#underWay) await this.#write()
  }

  async #write(): Promise<void> {
    const written = this.#waiting
    this.#waiting = []
    if (written.length === 0) return
    const { copies, connectionId } = this.#deps
    try {
      const heads = written.map(({ head }) => head)
      const keys = await copies.confirmCopies(connectionId, heads)
      for (const { head, done } of written) {
        if (keys.has(head.key)) this.noted.set(head.key, head)
        done.resolve(keys.has(head.key))
      }
    } catch (error) {
      for (const { done } of written) done.reject(error)
    }
  }
}

/** Of all companies together: each takes some hundred bytes. */
const answersMax = 100_000

/** What an answer of these bytes makes a copy of. */
export interface KnownAnswer extends Pick<CopyHead, 'contentHash' | 'withReasons'> {
  readonly digest: string
}

/** What the answers of each collection of all companies came to last, by their bytes: the same bytes need not be read again to be confirmed. */
export class KnownAnswers {
  readonly #byName = new Map<string, KnownAnswer>()

  /** The answer by which the kept copy would be confirmed and nothing else be said; undefined where there is none. */
  find(
    connectionId: string,
    { collection }: CollectionRequest,
    { head, standing }: BeforeRefresh,
  ): KnownAnswer | undefined {
    const known = this.#byName.get(nameOf(connectionId, collection))
    if (!head || head.doubt || known?.contentHash !== head.contentHash) return undefined
    const saysMore = standing.unsettled.length > 0 || standing.proof.state === 'disproved'
    return collection.kind === 'leaves' && saysMore ? undefined : known
  }

  /** Notes an answer of which everything could be read. */
  note(connectionId: string, { collection }: CollectionRequest, { reading, copy }: Read): void {
    const name = nameOf(connectionId, collection)
    this.#byName.delete(name)
    const { digest } = reading
    if (digest === undefined || !isWhole(reading)) return
    const [oldest] = this.#byName.keys()
    if (this.#byName.size >= answersMax && oldest !== undefined) this.#byName.delete(oldest)
    const { contentHash, withReasons = false } = copy
    this.#byName.set(name, { digest, contentHash, withReasons })
  }

  /** Has the next answer be read whatever it is. */
  forget(connectionId: string, { collection }: CollectionRequest): void {
    this.#byName.delete(nameOf(connectionId, collection))
  }
}

/** The kept copy as that answer confirms it. */
export function confirmedHead(
  { collection, scope }: CollectionRequest,
  { contentHash, withReasons }: KnownAnswer,
  {
    head,
    begunAt,
    fetchedAt,
  }: Pick<BeforeRefresh, 'head'> & Pick<CopyHead, 'begunAt' | 'fetchedAt'>,
): CopyHead {
  return {
    key: collectionKey(collection),
    contentHash,
    begunAt,
    fetchedAt,
    reach: scope.reach,
    missingSince: null,
    ...(withReasons ? { withReasons } : {}),
    ...(head?.emptiedAt === undefined ? {} : { emptiedAt: head.emptiedAt }),
  }
}

function nameOf(connectionId: string, collection: Collection): string {
  return `${connectionId} ${collectionKey(collection)}`
}

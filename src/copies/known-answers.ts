import type { Standing } from '../domain/connection.ts'
import { type Collection, collectionKey, type CopyHead } from '../domain/copy.ts'
import type { CollectionRequest } from './kinds.ts'
import { isWhole, type Read } from './reading.ts'

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
    head: CopyHead | null,
    { unsettled, proof }: Standing,
  ): KnownAnswer | undefined {
    const known = this.#byName.get(nameOf(connectionId, collection))
    if (!head || head.doubt || known?.contentHash !== head.contentHash) return undefined
    const saysMore = unsettled.length > 0 || proof.state === 'disproved'
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

function nameOf(connectionId: string, collection: Collection): string {
  return `${connectionId} ${collectionKey(collection)}`
}

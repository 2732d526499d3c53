import type { Standing } from '../domain/connection.ts'
import { collectionKey, type CopyHead } from '../domain/copy.ts'
import type { CollectionRequest } from './kinds.ts'
import { isWhole, type ReadCopy } from './reading.ts'

/** For all companies together: each takes some hundred bytes. */
const answersMax = 100_000

/** The copy that an answer of these bytes makes. */
export interface KnownAnswer extends Pick<CopyHead, 'contentHash' | 'withReasons'> {
  readonly digest: string
}

/** The last answer for each collection of all companies, by its bytes: the same bytes need not be read again. */
export class KnownAnswers {
  readonly #byName = new Map<string, KnownAnswer>()

  /** The answer that would only confirm the kept copy. */
  find(
    connectionId: string,
    { collection }: CollectionRequest,
    head: CopyHead | null,
    { unsettled, proof }: Standing,
  ): KnownAnswer | undefined {
    const known = this.#byName.get(`${connectionId} ${collectionKey(collection)}`)
    if (!head || head.doubt || known?.contentHash !== head.contentHash) return undefined
    const saysMore = unsettled.length > 0 || proof.state === 'disproved'
    return collection.kind === 'leaves' && saysMore ? undefined : known
  }

  /** Notes an answer, unless it could not be read in full. */
  note(connectionId: string, read: ReadCopy): void {
    const { digest } = read
    const { key, contentHash, withReasons = false } = read.copy
    const name = `${connectionId} ${key}`
    this.#byName.delete(name)
    if (digest === undefined || !isWhole(read)) return
    const [oldest] = this.#byName.keys()
    if (this.#byName.size >= answersMax && oldest !== undefined) this.#byName.delete(oldest)
    this.#byName.set(name, { digest, contentHash, withReasons })
  }

  forget(connectionId: string, { collection }: CollectionRequest): void {
    this.#byName.delete(`${connectionId} ${collectionKey(collection)}`)
  }
}

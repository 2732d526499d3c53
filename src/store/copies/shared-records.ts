import { Recent } from '../../domain/memo.ts'
import type { Unpacked } from './copy-records.ts'

/** As JSON; in memory they are a few times as large. */
const bytesMaxOfAll = 8 * 1024 * 1024

interface Kept extends Unpacked {
  readonly contentHash: string
}

/** Records that are asked for again and again, by their copy, within a fixed number of bytes. */
export class SharedRecords {
  readonly #recent: Recent<Kept>

  constructor(bytesMax = bytesMaxOfAll) {
    this.#recent = new Recent(bytesMax)
  }

  /** Undefined where the copy was of other content. */
  find(copy: string, contentHash: string): Kept['records'] | undefined {
    const kept = this.#recent.find(copy)
    return kept?.contentHash === contentHash ? kept.records : undefined
  }

  /** In place of what the copy held before; what is larger than all may be is not kept. */
  keep(copy: string, contentHash: string, unpacked: Unpacked): void {
    this.#recent.keep(copy, { contentHash, ...unpacked }, unpacked.bytes)
  }

  forget(copy: string): void {
    this.#recent.forget(copy)
  }
}

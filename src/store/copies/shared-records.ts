import type { Unpacked } from './copy-records.ts'

/** As JSON; in memory they are a few times as large. */
const bytesMaxOfAll = 8 * 1024 * 1024

interface Kept extends Unpacked {
  readonly contentHash: string
}

/** Records that many calendars are made of, by their copy, within a fixed number of bytes: the least recently used go first. */
export class SharedRecords {
  readonly #bytesMax: number
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  constructor(bytesMax = bytesMaxOfAll) {
    this.#bytesMax = bytesMax
  }

  /** Undefined where the copy was of other content. */
  find(copy: string, contentHash: string): Kept['records'] | undefined {
    const kept = this.#kept.get(copy)
    if (kept?.contentHash !== contentHash) return undefined
    this.#kept.delete(copy)
    this.#kept.set(copy, kept)
    return kept.records
  }

  /** In place of what the copy held before; what is larger than all may be is not kept. */
  keep(copy: string, contentHash: string, unpacked: Unpacked): void {
    this.forget(copy)
    if (unpacked.bytes > this.#bytesMax) return
    this.#kept.set(copy, { contentHash, ...unpacked })
    this.#bytes += unpacked.bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.forget(oldest)
    }
  }

  forget(copy: string): void {
    this.#bytes -= this.#kept.get(copy)?.bytes ?? 0
    this.#kept.delete(copy)
  }
}

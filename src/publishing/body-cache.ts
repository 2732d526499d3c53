import type { EncodedBody } from './encoded-body.ts'

const bytesMax = 64 * 1024 * 1024

interface CachedBody {
  readonly etag: string
  readonly body: EncodedBody
  readonly bytes: number
}

/** The bodies served last, by link, within a fixed number of bytes: the least recently used go first. */
export class BodyCache {
  readonly #bodies = new Map<string, CachedBody>()
  #bytes = 0

  find(link: string, etag: string): EncodedBody | undefined {
    const cached = this.#bodies.get(link)
    if (cached?.etag !== etag) return undefined
    this.#bodies.delete(link)
    this.#bodies.set(link, cached)
    return cached.body
  }

  keep(link: string, etag: string, body: EncodedBody): void {
    this.#remove(link)
    this.#bodies.set(link, { etag, body, bytes: body.bytes })
    this.#bytes += body.bytes
    for (const oldest of this.#bodies.keys()) {
      if (this.#bytes <= bytesMax) break
      this.#remove(oldest)
    }
  }

  #remove(link: string): void {
    this.#bytes -= this.#bodies.get(link)?.bytes ?? 0
    this.#bodies.delete(link)
  }
}

import type { HttpAnswer } from './http.ts'

interface KeptAnswer {
  readonly etag: string
  readonly answer: HttpAnswer
}

export interface Revalidation {
  /** The answer that may be asked for again by its entity tag (RFC 9110 section 13.1.2). */
  find(url: URL): KeptAnswer | undefined
  /** Keeps a 200 that has an entity tag and may be stored (RFC 9111 section 5.2.2.5). */
  keep(url: URL, answer: HttpAnswer): void
}

/** The last answers, up to `bytesMax` of bodies; one for each address, for the one credential of its client. */
export function createRevalidation(bytesMax: number): Revalidation {
  const kept = new Map<string, KeptAnswer>()
  let bytes = 0

  function find(url: URL): KeptAnswer | undefined {
    const found = kept.get(url.href)
    if (found) {
      kept.delete(url.href)
      kept.set(url.href, found)
    }
    return found
  }

  function keep(url: URL, answer: HttpAnswer): void {
    drop(url.href)
    const { etag } = answer.headers
    if (typeof etag !== 'string' || mayNotBeStored(answer)) return
    if (sizeOf(answer) > bytesMax) return
    kept.set(url.href, { etag, answer })
    bytes += sizeOf(answer)
    dropOldest()
  }

  function dropOldest(): void {
    for (const href of kept.keys()) {
      if (bytes <= bytesMax) return
      drop(href)
    }
  }

  function drop(href: string): void {
    const found = kept.get(href)
    if (found && kept.delete(href)) bytes -= sizeOf(found.answer)
  }

  return { find, keep }
}

function mayNotBeStored({ headers }: HttpAnswer): boolean {
  return /\bno-store\b/i.test(String(headers['cache-control'] ?? ''))
}

/** A short body costs its headers and its address too. */
function sizeOf({ body }: HttpAnswer): number {
  return body.length + 1024
}

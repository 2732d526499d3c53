/**
 * The function with its last results kept by key, at most so many: beyond that it begins again. For what is dear to
 * make and lives outside the JavaScript heap, as an `Intl` formatter does (28 KB each, given back late or never).
 */
export function memo<K, V>(entriesMax: number, make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= entriesMax) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}

interface Weighed<T> {
  readonly thing: T
  readonly bytes: number
}

/** Things by name, within a fixed number of bytes: the least recently used go first. */
export class Recent<T> {
  readonly #bytesMax: number
  readonly #kept = new Map<string, Weighed<T>>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  find(name: string): T | undefined {
    const kept = this.#kept.get(name)
    if (!kept) return undefined
    this.#kept.delete(name)
    this.#kept.set(name, kept)
    return kept.thing
  }

  /** In place of what had the name before; what is larger than all may be is not kept. */
  keep(name: string, thing: T, bytes: number): void {
    this.forget(name)
    if (bytes > this.#bytesMax) return
    this.#kept.set(name, { thing, bytes })
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.forget(oldest)
    }
  }

  forget(name: string): void {
    this.#bytes -= this.#kept.get(name)?.bytes ?? 0
    this.#kept.delete(name)
  }
}

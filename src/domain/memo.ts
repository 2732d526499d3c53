/**
 * The function with its results kept by key; at `entriesMax` it forgets them all. For what is expensive, such as an `Intl`
 * formatter (28 KB each, given back late or never).
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

/** Things by name, up to a number of bytes: the least recently used go first. */
export class Recent<T> {
  readonly #bytesMax: number
  readonly #kept = new Map<string, { readonly thing: T; readonly bytes: number }>()
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

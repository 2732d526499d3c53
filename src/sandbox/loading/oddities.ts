import { pointerOf } from './pointers.ts'

/** Others of a kind are counted alone. */
const kindsMax = 100

interface Oddity {
  readonly pointer: string
  readonly says: string
  readonly noun: string
  count: number
}

/** What of a file is loaded, but is of no use to anybody: each kind of it once, with where it stands first. */
export class Oddities {
  readonly #kinds = new Map<string, Oddity>()
  #others = 0

  /** Notes one; `says` is what is odd about it, and `noun` what it is about. */
  add(path: readonly PropertyKey[], noun: string, says: string): void {
    const key = `${noun}: ${says}`
    const known = this.#kinds.get(key)
    if (known) known.count += 1
    else if (this.#kinds.size === kindsMax) this.#others += 1
    else this.#kinds.set(key, { pointer: pointerOf(...path), says, noun, count: 1 })
  }

  /** One sentence for each kind. */
  sentences(): readonly string[] {
    const sentences = [...this.#kinds.values()].map(
      ({ pointer, says, noun, count }) =>
        `${pointer}: ${says} (${count} ${noun}${count === 1 ? '' : 's'}).`,
    )
    return this.#others === 0
      ? sentences
      : [...sentences, `There are ${this.#others} more like these.`]
  }
}

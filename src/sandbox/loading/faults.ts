import { AppError, type InputFault } from '../../domain/errors.ts'
import { identifierExpected, timestampExpected } from '../../wire/fields.ts'

/** As many as an error tells. */
const faultsMax = 100

/** The faults of a file, the first hundred of them in words. */
export class FaultList {
  #count = 0
  readonly #first: InputFault[] = []

  add(path: readonly PropertyKey[], detail: string): void {
    this.#count += 1
    if (this.#first.length < faultsMax) this.#first.push({ pointer: pointerOf(path), detail })
  }

  /** Throws `invalid` if there are any. */
  refuse(): void {
    if (this.#count === 0) return
    const many = this.#count === 1 ? 'one fault' : `${this.#count} faults`
    throw new AppError('invalid', `Nothing was loaded: ${many}.`, {
      faults: this.#first,
      moreFaults: this.#count - this.#first.length,
    })
  }
}

/** More kinds are only counted. */
const kindsMax = 100

/** What is loaded although nobody can use it: each kind once, with its first place. */
export class Oddities {
  readonly #kinds = new Map<
    string,
    { readonly pointer: string; readonly says: string; readonly noun: string; count: number }
  >()
  #others = 0

  /** `says` is what is odd about it, `noun` what it is. */
  add(path: readonly PropertyKey[], noun: string, says: string): void {
    const key = `${noun}: ${says}`
    const known = this.#kinds.get(key)
    if (known) known.count += 1
    else if (this.#kinds.size === kindsMax) this.#others += 1
    else this.#kinds.set(key, { pointer: pointerOf(path), says, noun, count: 1 })
  }

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

/** What the sentence of a schema needs for people who write a file by hand. */
const hints: ReadonlyMap<string, string> = new Map([
  [timestampExpected, ', such as 2026-01-05T00:00:00.000Z'],
  [identifierExpected, ': a text of 1 to 256 characters, none of them a control character'],
])

/** What a schema finds wrong, in words of JSON, which has no `undefined` and no records. */
export function sayFault(message: string): string {
  return `${message}${hints.get(message) ?? ''}`
    .replace(/, received undefined$/, ', and there is none')
    .replace(/expected record\b/, 'expected object')
}

/** The steps as an RFC 6901 pointer. */
function pointerOf(steps: readonly PropertyKey[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

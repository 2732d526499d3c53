import { AppError, type InputFault } from '../../domain/errors.ts'
import { identifierExpected, timestampExpected } from '../../wire/fields.ts'

/** As many as an error tells. */
const faultsMax = 100

/** What is wrong with a file, the first of it in words. */
export class FaultList {
  count = 0
  readonly #first: InputFault[] = []

  /** Notes what would be right there; a function says it only where somebody reads it. */
  add(path: readonly PropertyKey[], detail: string | (() => string)): void {
    this.count += 1
    if (this.#first.length === faultsMax) return
    const says = typeof detail === 'string' ? detail : detail()
    this.#first.push({ pointer: pointerOf(...path), detail: says })
  }

  /** `invalid` with those, where there are any. */
  refuse(): void {
    if (this.count === 0) return
    const many = this.count === 1 ? 'one fault' : `${this.count} faults`
    throw new AppError('invalid', `Nothing was loaded: ${many}.`, {
      faults: this.#first,
      moreFaults: this.count - this.#first.length,
    })
  }
}

/** What a sentence of a schema leaves out for who writes a file by hand. */
const hints: ReadonlyMap<string, string> = new Map([
  [timestampExpected, ', such as 2026-01-05T00:00:00.000Z'],
  [identifierExpected, ': a text of 1 to 256 characters, none of them a control character'],
])

/** What a schema finds wrong, in words of JSON, which knows no `undefined` and no records. */
export function sayFault(message: string): string {
  return `${message}${hints.get(message) ?? ''}`
    .replace(/, received undefined$/, ', and there is none')
    .replace(/expected record\b/, 'expected object')
}

/** The steps as an RFC 6901 pointer. */
export function pointerOf(...steps: readonly PropertyKey[]): string {
  return steps
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

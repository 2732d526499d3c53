import { AppError, type InputFault } from '../../domain/errors.ts'
import { pointerOf } from './pointers.ts'

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

/* Sets of any size, some elements in each step, so that whoever works on them may rest between. */
import { each, filtered } from './long-lists.ts'

type Steps<T> = Generator<unknown, T>

/** All elements of all these. */
export function* setOf<T>(...all: readonly Iterable<T>[]): Steps<ReadonlySet<T>> {
  const set = new Set<T>()
  for (const elements of all) yield* each(elements, (element) => set.add(element))
  return set
}

/** What is made of each, once each. */
export function* setBy<T, K>(
  elements: Iterable<T>,
  make: (element: T) => K,
): Steps<ReadonlySet<K>> {
  const set = new Set<K>()
  yield* each(elements, (element) => set.add(make(element)))
  return set
}

/** Those of the one that the other holds, too. */
export function* within<T>(one: Iterable<T>, other: ReadonlySet<T>): Steps<ReadonlySet<T>> {
  return yield* setOf(yield* filtered(one, (element) => other.has(element)))
}

/** Those of the one that the other does not hold. */
export function* without<T>(one: Iterable<T>, other: ReadonlySet<T>): Steps<ReadonlySet<T>> {
  return yield* setOf(yield* filtered(one, (element) => !other.has(element)))
}

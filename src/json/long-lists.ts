/* Lists of any length, some elements in each step, so that whoever works on them may rest between. */

type Steps<T> = Generator<unknown, T>

const elementsAtOnce = 500

/** Visits each element. */
export function* each<T>(elements: Iterable<T>, visit: (element: T) => void): Steps<void> {
  let count = 0
  for (const element of elements) {
    visit(element)
    count += 1
    if (count % elementsAtOnce === 0) yield
  }
}

/** What is made of each. */
export function* mapped<T, U>(elements: Iterable<T>, make: (element: T) => U): Steps<readonly U[]> {
  const made: U[] = []
  yield* each(elements, (element) => made.push(make(element)))
  return made
}

/** Those that fit. */
export function* filtered<T>(
  elements: Iterable<T>,
  fits: (element: T) => boolean,
): Steps<readonly T[]> {
  const fitting: T[] = []
  yield* each(elements, (element) => fits(element) && fitting.push(element))
  return fitting
}

/** By that of each, of which those of one key together. */
export function* grouped<K, T>(
  elements: Iterable<T>,
  keyOf: (element: T) => K,
): Steps<ReadonlyMap<K, readonly T[]>> {
  const groups = new Map<K, T[]>()
  yield* each(elements, (element) => {
    const key = keyOf(element)
    const group = groups.get(key)
    if (group) group.push(element)
    else groups.set(key, [element])
  })
  return groups
}

/* Long lists in their order, some elements in each step, so that whoever sorts them may rest between. */

interface Identified {
  readonly id: string
}

type Compare<T> = (one: T, other: T) => number

/** Of what is sorted and merged at once. */
const elementsAtOnce = 1_000

/** The list in the order of its ids, those of one id as they stood. */
export function sortedById<T extends Identified>(
  list: readonly T[],
): Generator<unknown, readonly T[]> {
  return sorted(list, ({ id: one }, { id: other }) => byCodeUnits(one, other))
}

/** The texts in their order, as `toSorted` has it. */
export function sortedTexts(texts: readonly string[]): Generator<unknown, readonly string[]> {
  return sorted(texts, byCodeUnits)
}

function* sorted<T>(list: readonly T[], compare: Compare<T>): Generator<unknown, readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let from = 0; from < list.length; from += elementsAtOnce) {
    yield runs.push(list.slice(from, from + elementsAtOnce).toSorted(compare))
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergedRuns(runs[at] ?? [], runs[at + 1] ?? [], compare))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedRuns<T>(
  one: readonly T[],
  other: readonly T[],
  compare: Compare<T>,
): Generator<unknown, readonly T[]> {
  const merged: T[] = []
  let at = 0
  for (const element of one) {
    for (let next = other[at]; next !== undefined && compare(next, element) < 0; next = other[at]) {
      merged.push(next)
      at += 1
    }
    if (merged.push(element) % elementsAtOnce === 0) yield
  }
  yield
  return merged.concat(other.slice(at))
}

function byCodeUnits(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

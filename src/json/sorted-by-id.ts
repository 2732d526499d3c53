interface Identified {
  readonly id: string
}

/** Of what is sorted and merged at once. */
const elementsAtOnce = 1_000

/** The list in the order of its ids, those of one id as they stood, of any length: some elements in each step, so that its caller may rest between them. */
export function* sortedById<T extends Identified>(
  list: readonly T[],
): Generator<unknown, readonly T[]> {
  let runs: (readonly T[])[] = []
  for (let from = 0; from < list.length; from += elementsAtOnce) {
    yield runs.push(list.slice(from, from + elementsAtOnce).toSorted(byId))
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* mergedRuns(runs[at] ?? [], runs[at + 1] ?? []))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* mergedRuns<T extends Identified>(
  one: readonly T[],
  other: readonly T[],
): Generator<unknown, readonly T[]> {
  const merged: T[] = []
  let at = 0
  for (const element of one) {
    for (let next = other[at]; next && byId(next, element) < 0; next = other[at]) {
      merged.push(next)
      at += 1
    }
    if (merged.push(element) % elementsAtOnce === 0) yield
  }
  yield
  return merged.concat(other.slice(at))
}

function byId({ id: one }: Identified, { id: other }: Identified): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

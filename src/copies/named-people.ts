/* Collections that several people share, and what of them is whose. Pure, and of any length, in steps. */
import type { CollectionKind, RecordOf } from '../domain/kinds.ts'
import type { PersonReference } from '../domain/user.ts'
import { each } from '../json/long-lists.ts'
import type { Kind } from './kinds/kind.ts'

type People<K extends CollectionKind> = NonNullable<Kind<K>['people']>

/** Whom records name that did not name them before, or called them otherwise; each once for each way in which they are called. */
export function* newlyNamed<K extends CollectionKind>(
  { named }: People<K>,
  before: readonly RecordOf[K][],
  after: readonly RecordOf[K][],
): Generator<unknown, readonly PersonReference[]> {
  const known = yield* byId(before)
  const found = new Map<string, PersonReference>()
  yield* each(after, (record) => {
    const was = known.get(record.id)
    const calls = new Set(was ? named(was).map(callOf) : [])
    for (const person of named(record)) {
      const call = callOf(person)
      if (!calls.has(call)) found.set(call, person)
    }
  })
  return [...found.values()]
}

/** The records that came, in which these people stand as they did before: by no record more and by none less. */
export function* withAsBefore<K extends CollectionKind>(
  { named, naming }: People<K>,
  people: ReadonlySet<string>,
  before: readonly RecordOf[K][],
  after: readonly RecordOf[K][],
): Generator<unknown, readonly RecordOf[K][]> {
  const known = yield* byId(before)
  const standing: RecordOf[K][] = []
  const theirsIn = (record: RecordOf[K]): readonly PersonReference[] =>
    named(record).filter(({ id }) => people.has(id))
  yield* each(after, (record) => {
    const was = known.get(record.id)
    known.delete(record.id)
    const theirs = new Map(was ? theirsIn(was).map((person) => [person.id, person]) : [])
    const isTheirs = theirs.size > 0 || theirsIn(record).length > 0
    const names = named(record).flatMap((person) =>
      people.has(person.id) ? (theirs.get(person.id) ?? []) : person,
    )
    const all = new Set([...names, ...theirs.values()])
    standing.push(isTheirs ? naming(record, [...all]) : record)
  })
  yield* each([...known.values()], (gone) => {
    const theirs = theirsIn(gone)
    if (theirs.length > 0) standing.push(naming(gone, theirs))
  })
  return standing
}

function callOf({ id, firstName, lastName }: PersonReference): string {
  return JSON.stringify([id, firstName, lastName])
}

function* byId<T extends { readonly id: string }>(
  records: readonly T[],
): Generator<unknown, Map<string, T>> {
  const found = new Map<string, T>()
  yield* each(records, (record) => found.set(record.id, record))
  return found
}

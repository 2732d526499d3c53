import type { CalendarSource } from '../calendar/source.ts'
import type { Copy, CopyHead, CopyStore } from '../domain/copy.ts'
import type { CollectionKind } from '../domain/kinds.ts'

interface CopyName<K extends CollectionKind> {
  readonly subject: string
  readonly records: Copy<K>['records']
}

/** The records of these copies by kind, as a calendar is made of them; undefined if a copy has changed meanwhile. */
export async function loadCalendarRecords(
  snapshots: CopyStore,
  connectionId: string,
  heads: readonly CopyHead[],
): Promise<CalendarSource['records'] | undefined> {
  const load = async <K extends CollectionKind>(kind: K): Promise<readonly CopyName<K>[]> => {
    const wanted = heads.filter(({ key }) => kindOf(key) === kind)
    const copies = await Promise.all(
      wanted.map(({ key }) => snapshots.findCopy<K>(connectionId, key)),
    )
    return copies.flatMap((copy, index) =>
      copy && copy.contentHash === wanted[index]?.contentHash
        ? [{ subject: subjectOf(copy.key), records: copy.records }]
        : [],
    )
  }
  const copies = await Promise.all([
    load('leaves'),
    load('timesheets'),
    load('tasks'),
    load('schedules'),
    load('invoice'),
    load('user'),
  ])
  if (copies.flat().length < heads.length) return undefined
  const [leaves, timesheets, tasks, schedules, invoices, users] = copies
  return {
    leaves: new Map(leaves.map(({ subject, records }) => [subject, records])),
    timesheets: timesheets.flatMap(({ records }) => records),
    tasks: tasks.flatMap(({ records }) => records),
    schedules: schedules.flatMap(({ records }) => records),
    invoices: invoices.flatMap(({ records }) => records),
    users: new Map(users.flatMap(({ records }) => records.map((user) => [user.id, user]))),
  }
}

function kindOf(key: string): string {
  return key.split(':', 1)[0] ?? ''
}

function subjectOf(key: string): string {
  return key.slice(kindOf(key).length + 1)
}

/* What a calendar shows, and what it ought to: by the ids of the company's own records. */
import type { CompanyRecords } from '../company/company-server.ts'
import type { LyingCompany } from './lying-company.ts'
import type { Polled } from './subscribers.ts'

const host = '@main.calendar-feed-bridge'

/** The ids of the records of that kind that are shown. */
export function shown(
  { uids }: Polled,
  kind: 'leave' | 'task' | 'timesheet' | 'invoice',
): readonly string[] {
  return [...uids]
    .filter((uid) => uid.startsWith(`${kind}-`))
    .map((uid) => uid.slice(kind.length + 1, -host.length))
    .toSorted()
}

export function countShifts({ uids }: Polled): number {
  return [...uids].filter((uid) => uid.startsWith('shift-')).length
}

/** Leaves that are shown to somebody whose they are not. */
export function foreignLeaves({ records }: LyingCompany, polled: readonly Polled[]): string[] {
  return polled.flatMap((it) => {
    const own = new Set(records.leaves[it.person]?.map(({ id }) => id))
    return shown(it, 'leave')
      .filter((id) => !own.has(id))
      .map((id) => `${id} to ${it.person}`)
  })
}

/** Leaves, timesheets and tasks of a person, sorted, by UID; `polled` shows exactly these beside its shifts. */
export function exactly(records: CompanyRecords, person: string): readonly string[] {
  const leaves = (records.leaves[person] ?? []).map(({ id }) => `leave-${id}`)
  const timesheets = records.timesheets
    .filter(({ userId }) => userId === person)
    .map(({ id }) => `timesheet-${id}`)
  const tasks = Object.values(records.tasks)
    .flat()
    .filter(({ assignees }) => (assignees as { id: string }[]).some(({ id }) => id === person))
    .map(({ id }) => `task-${id}`)
  return [...leaves, ...timesheets, ...tasks].map((it) => it + host).toSorted()
}

/** What there is beside shifts. */
export function uidsOf({ uids }: Polled): readonly string[] {
  return [...uids].filter((uid) => !uid.startsWith('shift-')).toSorted()
}

/* The Read API has no list of users: people are seen in timesheets, tasks and feeds, and as managers. */
import type { Connection } from '../domain/connection.ts'
import { type AppError, asFailure } from '../domain/errors.ts'
import type { PeopleStore, SightingProblem } from '../domain/person.ts'
import type { FilterOf } from '../domain/read-api.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import type { PersonReference } from '../domain/user.ts'
import { dayMs, type Instant } from '../domain/world.ts'

/** People who were not seen for that long are forgotten. */
const seenMs = 100 * dayMs
/** Timesheets are requested for two weeks at a time, so that no answer is huge. */
const stretchMs = 14 * dayMs
/** Bounds leave out what straddles them: no timesheet is longer than a month. */
const periodMs = 31 * dayMs

/**
 * Searches for the company's people. Returns what could not be seen; fails only as the store does, or with the signal's
 * reason.
 */
export async function lookForPeople(
  connection: Connection,
  people: PeopleStore,
  { now, signal }: { readonly now: Instant; readonly signal: AbortSignal },
): Promise<readonly SightingProblem[]> {
  const { company, api } = connection
  const since = now - seenMs
  const { userIds, fault } = await findTimesheetUsers(connection, { since, now }, signal)
  const problems = fault ? [{ source: 'timesheets', reason: fault.message }] : []
  const seen: PersonReference[] = [...userIds].map((id) => ({ id }))
  for (const project of company.projects) {
    try {
      const { records } = await api.list('tasks', { project }, { signal })
      // Without duplicates, so that not all references of a long list stay in memory.
      const assignees = new Map(
        records.flatMap(({ assignees: all }) => all?.map((it) => [it.id, it] as const) ?? []),
      )
      seen.push(...assignees.values())
    } catch (error) {
      problems.push({ source: `tasks of ${project}`, reason: asFailure(error).message })
    }
  }
  await people.seePeople(company.id, seen, now)
  await people.seeMembers(company.id, now)
  await people.seeManagers(company.id, now)
  await people.dropUnseen(company.id, since)
  return problems
}

export interface TimesheetUsers {
  readonly userIds: ReadonlySet<string>
  readonly fault: AppError | undefined
}

export async function findTimesheetUsers(
  { api, parameters }: Connection,
  { since, now }: { readonly since: Instant; readonly now: Instant },
  signal: AbortSignal,
): Promise<TimesheetUsers> {
  const userIds = new Set<string>()
  let fault: AppError | undefined
  /** `isAll`: the other stretches would bring nothing else, since bounds are ignored or nothing is answered. */
  const read = async (
    filter: FilterOf<'timesheets'>,
  ): Promise<{ isAll: boolean; fault?: AppError }> => {
    try {
      const { records } = await api.list('timesheets', filter, { signal })
      for (const { userId, periodEnd } of records) if (periodEnd >= since) userIds.add(userId)
      return { isAll: records.some((record) => liesOutside(record, filter)) }
    } catch (error) {
      const found = asFailure(error)
      return { isAll: found.code !== 'upstream_invalid', fault: found }
    }
  }
  const first = Math.floor(since / dayMs) * dayMs
  const { from: fromName, to: toName } = parameters.timesheets
  if (fromName === null || toName === null) {
    return { userIds, fault: (await read({ from: first })).fault }
  }
  for (let from = first; from < now; from += stretchMs) {
    const to = from + stretchMs
    const wide = await read({ from, to: to + periodMs })
    // If that is too much, read the shortest stretch.
    const isTooMuch = wide.fault?.code === 'upstream_invalid'
    const answer = isTooMuch ? await read({ from, to }) : wide
    fault = answer.fault ?? fault
    if (answer.isAll) break
  }
  return { userIds, fault }
}

function liesOutside(
  { periodStart, periodEnd }: Timesheet,
  { from = -Infinity, to = Infinity }: FilterOf<'timesheets'>,
): boolean {
  return periodEnd < from || periodStart > to
}

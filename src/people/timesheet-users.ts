import type { Connection } from '../domain/connection.ts'
import { type AppError, asAppError } from '../domain/errors.ts'
import type { TimesheetFilter } from '../domain/read-api.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import type { Instant } from '../domain/world.ts'

const dayMs = 86_400_000
/** Two weeks at a time, so that no answer is huge. */
const stretchMs = 14 * dayMs
/** A filter by bounds leaves out what straddles them: no timesheet is longer than a month. */
const periodMs = 31 * dayMs

/** Whose timesheets there are, and why not all of them could be read. */
export interface TimesheetUsers {
  readonly userIds: ReadonlySet<string>
  readonly fault: AppError | undefined
}

/** The users of timesheets that end at `since` or later; what of them cannot be had is left out. */
export async function findTimesheetUsers(
  connection: Connection,
  { since, now }: { readonly since: Instant; readonly now: Instant },
  signal: AbortSignal,
): Promise<TimesheetUsers> {
  const userIds = new Set<string>()
  let fault: AppError | undefined
  for (const stretch of stretchesOf(connection, since, now)) {
    const answer = await readStretch(connection, stretch, signal)
    if (answer.fault) fault = answer.fault
    for (const { userId, periodEnd } of answer.timesheets) {
      if (periodEnd >= since) userIds.add(userId)
    }
    if (answer.isAll) break
  }
  return { userIds, fault }
}

interface Stretch {
  readonly from: Instant
  readonly to?: Instant
}

/** One after the other from midnight to midnight; all at once where the bounds have no names. */
function stretchesOf(
  { parameters: { timesheets: names } }: Connection,
  since: Instant,
  now: Instant,
): readonly Stretch[] {
  const first = Math.floor(since / dayMs) * dayMs
  if (names.from === null || names.to === null) return [{ from: first }]
  const count = Math.ceil((now - first) / stretchMs)
  return Array.from({ length: count }, (_, index) => {
    const from = first + index * stretchMs
    return { from, to: from + stretchMs }
  })
}

interface StretchAnswer {
  readonly timesheets: readonly Timesheet[]
  readonly fault?: AppError
  /** Whether the others would bring nothing else: the bounds are not heeded, or nothing is answered. */
  readonly isAll: boolean
}

/** What cannot be read in full width, since there is too much of it, is read as narrow as it can be. */
async function readStretch(
  { api }: Connection,
  { from, to }: Stretch,
  signal: AbortSignal,
): Promise<StretchAnswer> {
  const list = async (filter: TimesheetFilter): Promise<StretchAnswer> => {
    const { records } = await api.list('timesheets', filter, { signal })
    return { timesheets: records, isAll: records.some((record) => liesOutside(record, filter)) }
  }
  if (to === undefined) return list({ from }).catch(faultOf)
  const answer = await list({ from, to: to + periodMs }).catch(faultOf)
  const isTooMuch = answer.fault?.code === 'upstream_invalid'
  return isTooMuch ? list({ from, to }).catch(faultOf) : answer
}

function liesOutside({ periodStart, periodEnd }: Timesheet, bounds: TimesheetFilter): boolean {
  const { from = -Infinity, to = Infinity } = bounds
  return periodEnd < from || periodStart > to
}

function faultOf(error: unknown): StretchAnswer {
  const fault = asAppError(error)
  if (!fault) throw error
  return { timesheets: [], fault, isAll: fault.code !== 'upstream_invalid' }
}

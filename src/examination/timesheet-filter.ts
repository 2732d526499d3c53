import { AppError } from '../domain/errors.ts'
import type { Finding, ProbeAnswer } from '../domain/examination.ts'
import type { Timesheet } from '../domain/timesheet.ts'
import { ask, type Examining, idsOf, recordsOf, textMember } from './examining.ts'
import { employeeNames } from './parameter-names.ts'
import { boundsFor, boundsQuery, type Readings, recordsIn } from './readings.ts'

/** How the timesheets' employee filter behaves; `lossy`: it leaves out the employee's own. */
type Verdict = 'honoured' | 'ignored' | 'lossy' | 'unanswered' | 'unnamed' | 'untried'

/** Parameter names of timesheets that would do better; a null is never sent. */
export interface TimesheetNames {
  readonly employee?: string | null
  readonly from?: null
  readonly to?: null
}

export interface TimesheetFilterTrial {
  readonly verdict: Verdict
  /** Whether what lies within the bounds comes; false where they leave out more. */
  readonly boundsHold: boolean
  readonly better: TimesheetNames
}

/** How timesheets are filtered under the names that are set and, if not well, under which others they are. */
export async function tryTimesheetFilter(
  examining: Examining,
  readings: Readings,
): Promise<TimesheetFilterTrial> {
  const own = ownTimesheets(readings)
  const name = examining.connection.parameters.timesheets.employee
  const verdict = await tryName(examining, name, own)
  const employee = await betterEmployee(examining, verdict, own)
  const boundsHold = await holdsBounds(examining, readings, employee.employee ?? name)
  const better = { ...employee, ...(boundsHold ? {} : { from: null, to: null }) }
  return { verdict, boundsHold, better }
}

interface OwnTimesheets {
  readonly userId: string
  readonly records: readonly Timesheet[]
}

/** Somebody's timesheets, as they are known without asking for that user. */
function ownTimesheets({ timesheets, userIds }: Readings): OwnTimesheets | undefined {
  const records = recordsIn(timesheets)
  const userId = userIds.find((id) => records.some((timesheet) => timesheet.userId === id))
  if (userId === undefined) return undefined
  return { userId, records: records.filter((timesheet) => timesheet.userId === userId) }
}

async function tryName(
  examining: Examining,
  name: string | null,
  own: OwnTimesheets | undefined,
): Promise<Verdict> {
  if (name === null) return 'unnamed'
  if (!own) return 'untried'
  const answer = await ask(examining, { path: 'timesheets', query: { [name]: own.userId } })
  return judge(answer, own)
}

function judge(answer: ProbeAnswer | AppError, { userId, records }: OwnTimesheets): Verdict {
  if (answer instanceof AppError || answer.status === 429 || answer.status >= 500) {
    return 'unanswered'
  }
  const brought = recordsOf(answer)
  if (!brought) return 'lossy'
  if (brought.some((record) => textMember(record, 'userId') !== userId)) return 'ignored'
  const ids = new Set(idsOf(brought))
  // Its first page may not hold all of them.
  return records.some(({ id }) => ids.has(id)) ? 'honoured' : 'lossy'
}

/** What is asked for with bounds has to hold some of what lies within them; its first page may not hold all. */
async function holdsBounds(
  examining: Examining,
  readings: Readings,
  employee: string | null,
): Promise<boolean> {
  const expected = withinBounds(examining, readings)
  const [first] = expected
  const bounds = boundsQuery(examining)
  if (!first || Object.keys(bounds).length === 0) return true
  const query = employee === null ? bounds : { ...bounds, [employee]: first.userId }
  const answer = await ask(examining, { path: 'timesheets', query })
  if (answer instanceof AppError || answer.status === 429 || answer.status >= 500) return true
  const ids = new Set(idsOf(answer.records ?? []))
  return expected.some(({ id }) => ids.has(id))
}

function withinBounds(examining: Examining, { timesheets }: Readings): readonly Timesheet[] {
  const { from, to } = boundsFor(examining)
  return recordsIn(timesheets).filter(
    ({ periodStart, periodEnd }) => periodStart >= from && periodEnd <= to,
  )
}

async function betterEmployee(
  examining: Examining,
  verdict: Verdict,
  own: OwnTimesheets | undefined,
): Promise<TimesheetNames> {
  if (!own || (verdict !== 'ignored' && verdict !== 'lossy')) return {}
  const set = examining.connection.parameters.timesheets.employee
  for (const name of employeeNames.filter((it) => it !== set)) {
    if ((await tryName(examining, name, own)) === 'honoured') return { employee: name }
  }
  return verdict === 'lossy' ? { employee: null } : {}
}

const seenBy: Readonly<Record<Verdict, string>> = {
  honoured: 'a known user brings only their own.',
  ignored: 'a known user brings those of others as well.',
  lossy: 'a known user does not bring their own.',
  unanswered: 'the Read API failed while it was asked.',
  unnamed: 'no parameter name is set, so all are asked for each time.',
  untried: 'there are no recent timesheets to try it with.',
}

/** Says whether timesheets are filtered by employee; `set` is the setting that mends it. */
export function timesheetFilterFinding(
  examining: Examining,
  { verdict, boundsHold, better }: TimesheetFilterTrial,
  set: string,
): Finding {
  const check = 'timesheets-employee'
  const name = examining.connection.parameters.timesheets.employee ?? 'unnamed'
  const bounds = boundsHold ? '' : ' Between two dates, some that lie there are missing.'
  const seen = `Timesheets by employee (${name}): ${seenBy[verdict]}${bounds}`
  const ok = Object.keys(better).length === 0 && verdict !== 'unanswered'
  return {
    check,
    ok,
    seen,
    means: meansOf(verdict, ok),
    set: Object.keys(better).length === 0 ? null : set,
  }
}

function meansOf(verdict: Verdict, ok: boolean): string {
  if (verdict === 'unanswered') return 'Nothing is known: examine again.'
  if (verdict === 'ignored') {
    return "Calendars are whole, but every refresh reads everybody's timesheets and sorts them out here."
  }
  if (verdict === 'unnamed')
    return 'Calendars are whole, but every refresh reads more than it needs.'
  return ok ? 'Only what is needed is read.' : 'Calendars lack timesheets.'
}

import type { Timesheet } from '../../domain/timesheet.ts'
import { type ListFacts, recordsIn } from '../verdicts/list-facts.ts'
import type { ProbeOutcome } from '../verdicts/outcomes.ts'
import {
  findOwn,
  isUnfit,
  type OwnTimesheets,
  stateOf,
  type TimesheetFilterFacts,
  type TimesheetsWithin,
} from '../verdicts/timesheet-filter.ts'
import { otherEmployeeNames } from './employee-names.ts'
import { ask, type Inquiry } from './inquiry.ts'
import { boundsFor, boundsQuery } from './timesheet-bounds.ts'

/** Asks for somebody's timesheets under the name that is set and, if that does not do and a person wants to know, under others until one does; then within bounds. */
export async function askTimesheetFilter(
  inquiry: Inquiry,
  lists: ListFacts,
): Promise<TimesheetFilterFacts> {
  const { employee: name } = inquiry.connection.parameters.timesheets
  const own = findOwn(lists)
  const underSet = own && name !== null ? await askFor(inquiry, name, own) : undefined
  const isBad = inquiry.guesses && own && underSet && isUnfit(stateOf(underSet, own))
  const betterName = isBad ? await findName(inquiry, own) : null
  const within = await askWithin(inquiry, lists, betterName ?? name)
  return { isNamed: name !== null, own, underSet, betterName, within }
}

/** Without bounds, which may do harm of their own, where a person wants to know; else as feeds ask. */
function askFor(inquiry: Inquiry, name: string, { userId }: OwnTimesheets): Promise<ProbeOutcome> {
  const bounds = inquiry.guesses ? {} : boundsQuery(inquiry)
  return ask(inquiry, { path: 'timesheets', query: { ...bounds, [name]: userId } })
}

async function findName(inquiry: Inquiry, own: OwnTimesheets): Promise<string | null> {
  for (const name of otherEmployeeNames(inquiry.connection.parameters.timesheets)) {
    if (stateOf(await askFor(inquiry, name, own), own) === 'honoured') return name
  }
  return null
}

/** What is asked for with bounds has to hold some of what lies within them. */
async function askWithin(
  inquiry: Inquiry,
  lists: ListFacts,
  employee: string | null,
): Promise<TimesheetsWithin | undefined> {
  const expected = timesheetsWithin(inquiry, lists)
  const [first] = expected
  const bounds = boundsQuery(inquiry)
  if (!first || Object.keys(bounds).length === 0) return undefined
  const query = employee === null ? bounds : { ...bounds, [employee]: first.userId }
  return { expected, outcome: await ask(inquiry, { path: 'timesheets', query }) }
}

function timesheetsWithin(inquiry: Inquiry, { timesheets }: ListFacts): readonly Timesheet[] {
  const { from, to } = boundsFor(inquiry)
  return recordsIn(timesheets).filter(
    ({ periodStart, periodEnd }) => periodStart >= from && periodEnd <= to,
  )
}

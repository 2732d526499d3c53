import { unknownEmployee } from '../../copies/proof/similar-ids.ts'
import { type ListFacts, recordsIn } from '../verdicts/list-facts.ts'
import {
  type AnswersWithin,
  type FilterAnswers,
  findOwn,
  isUnfit,
  stateOf,
  type TimesheetFilterFacts,
} from '../verdicts/timesheet-filter.ts'
import { otherEmployeeNames } from './employee-names.ts'
import { ask, type Inquiry } from './inquiry.ts'
import { boundsFor, boundsQuery } from './timesheet-bounds.ts'

/** Asks for somebody's timesheets under the name that is set and, if that does not do and a person wants to know, under others until one does. */
export async function askTimesheetFilter(
  inquiry: Inquiry,
  lists: ListFacts,
): Promise<TimesheetFilterFacts> {
  const { employee: name } = inquiry.connection.parameters.timesheets
  const userId = findOwn(lists)
  const underSet =
    userId !== undefined && name !== null ? await askUnder(inquiry, name, userId) : undefined
  const isBad =
    inquiry.guesses && userId !== undefined && underSet && isUnfit(stateOf(underSet, userId))
  const betterName = isBad ? await findName(inquiry, userId) : null
  const within = await askWithin(inquiry, lists, betterName ?? name)
  return { isNamed: name !== null, userId, underSet, betterName, within }
}

/** Without bounds, which may do harm of their own, where a person wants to know; else as feeds ask. */
async function askUnder(inquiry: Inquiry, name: string, userId: string): Promise<FilterAnswers> {
  const bounds = inquiry.guesses ? {} : boundsQuery(inquiry)
  const askFor = (employee: string): ReturnType<typeof ask> =>
    ask(inquiry, { path: 'timesheets', query: { ...bounds, [name]: employee } })
  return {
    ofOwn: await askFor(userId),
    ofNobody: inquiry.guesses ? await askFor(unknownEmployee()) : undefined,
  }
}

async function findName(inquiry: Inquiry, userId: string): Promise<string | null> {
  for (const name of otherEmployeeNames(inquiry.connection.parameters.timesheets)) {
    if (stateOf(await askUnder(inquiry, name, userId), userId) === 'honoured') return name
  }
  return null
}

/** What lies between two dates has to come when it is asked for, everybody's and somebody's. */
async function askWithin(
  inquiry: Inquiry,
  { timesheets }: ListFacts,
  employee: string | null,
): Promise<AnswersWithin | undefined> {
  const { from, to } = boundsFor(inquiry)
  const known = recordsIn(timesheets).find(
    ({ periodStart, periodEnd }) => periodStart >= from && periodEnd <= to,
  )
  const bounds = boundsQuery(inquiry)
  if (!known || Object.keys(bounds).length === 0) return undefined
  const askFor = (query: Readonly<Record<string, string>>): ReturnType<typeof ask> =>
    ask(inquiry, { path: 'timesheets', query: { ...bounds, ...query } })
  return {
    ofAll: await askFor({}),
    ofOne: employee === null ? undefined : await askFor({ [employee]: known.userId }),
  }
}

import { unknownEmployee } from '../../copies/proof/replies.ts'
import { type FindingLevel, findingOf, type ProbeAnswer } from '../../domain/examination.ts'
import {
  ask,
  type Inquiry,
  isBusy,
  type Outcome,
  recordsOf,
  succeeded,
  textMember,
} from '../inquiry.ts'
import { boundsFor, boundsQuery, type ListFacts, recordsIn } from './lists.ts'
import { type CheckedFilter, findEmployeeName } from './parameter-names.ts'

/** How the filter behaves under one name; `lossy`: it drops the employee's own timesheets. */
type State = 'honoured' | 'ignored' | 'lossy' | 'unanswered' | 'unnamed' | 'untried'

const lost = 'Calendars lack timesheets.'
const words: Readonly<
  Record<State, { readonly level: FindingLevel; readonly seen: string; readonly means: string }>
> = {
  honoured: {
    level: 'ok',
    seen: 'a known user brings only their own.',
    means: 'Only what is needed is read.',
  },
  ignored: {
    level: 'note',
    seen: 'a known user brings those of others as well.',
    means:
      "Calendars are whole, but every refresh reads everybody's timesheets and sorts them out here.",
  },
  lossy: { level: 'wrong', seen: 'a known user does not bring their own.', means: lost },
  unanswered: {
    level: 'wrong',
    seen: 'the Read API failed while it was asked.',
    means: 'Nothing is known. Examine again.',
  },
  unnamed: {
    level: 'note',
    seen: 'no parameter name is set, so all are asked for each time.',
    means: 'Calendars are whole, but every refresh reads more than it needs.',
  },
  untried: {
    level: 'note',
    seen: 'no recent timesheets came to try it with.',
    means: 'Nothing is known of it yet. Examine again once there are some.',
  },
}

/** Checks whether the filters by employee and by bounds lose no timesheets. */
export async function checkTimesheetFilter(
  inquiry: Inquiry,
  lists: ListFacts,
): Promise<CheckedFilter> {
  const { employee: name } = inquiry.connection.parameters.timesheets
  const owners = new Set(recordsIn(lists.timesheets).map(({ userId }) => userId))
  const userId = lists.userIds.find((id) => owners.has(id))
  const state = await stateUnderSet(inquiry, name, userId)
  const isLookedFor = inquiry.guesses && (state === 'ignored' || state === 'lossy')
  const betterName =
    isLookedFor && userId !== undefined
      ? await findEmployeeName(
          name,
          async (other) => (await tryName(inquiry, other, userId)) === 'honoured',
        )
      : null
  const isFiltered = state === 'honoured' || betterName !== null
  const areBoundsHeld = await holdsBounds(inquiry, lists, isFiltered ? (betterName ?? name) : null)
  const { level, seen, means } = words[state]
  const missing = areBoundsHeld ? '' : ' Between two dates, some that lie there are missing.'
  const finding = findingOf({
    check: 'timesheets-employee',
    level: areBoundsHeld ? level : 'wrong',
    seen: `Timesheets by employee (${name ?? 'unnamed'}): ${seen}${missing}`,
    means: areBoundsHeld || state === 'unanswered' ? means : lost,
  })
  // No filter is better than one that loses records.
  const employee = betterName ?? (state === 'lossy' ? null : undefined)
  const better = {
    ...(employee !== undefined && { employee }),
    ...(!areBoundsHeld && { from: null, to: null }),
  }
  return { finding, better }
}

async function stateUnderSet(
  inquiry: Inquiry,
  name: string | null,
  userId: string | undefined,
): Promise<State> {
  if (name === null) return 'unnamed'
  return userId === undefined ? 'untried' : tryName(inquiry, name, userId)
}

/**
 * Without bounds if a person waits for the result, since bounds may cause faults of their own; else as feeds request. A
 * first page may have any of the user's timesheets, but at least one. If an unknown user has timesheets, too, the match is
 * chance.
 */
async function tryName(inquiry: Inquiry, name: string, userId: string): Promise<State> {
  const bounds = inquiry.guesses ? {} : boundsQuery(inquiry)
  const askFor = (employee: string): Promise<Outcome<ProbeAnswer>> =>
    ask(inquiry, { path: 'timesheets', query: { ...bounds, [name]: employee } })
  const own = await askFor(userId)
  if (isUnanswered(own)) return 'unanswered'
  const brought = recordsOf(own) ?? []
  if (brought.length === 0) return 'lossy'
  const isMixed = brought.some((record) => (textMember(record, 'userId') ?? userId) !== userId)
  const ofUnknown = inquiry.guesses ? recordsOf(await askFor(unknownEmployee())) : undefined
  return isMixed || (ofUnknown ?? []).length > 0 ? 'ignored' : 'honoured'
}

function isUnanswered(outcome: Outcome<ProbeAnswer>): boolean {
  return !succeeded(outcome) || isBusy(outcome)
}

/**
 * Whether requests with bounds return timesheets within them: for all employees, and for one if the employee filter itself
 * does not lose them.
 */
async function holdsBounds(
  inquiry: Inquiry,
  { timesheets }: ListFacts,
  employee: string | null,
): Promise<boolean> {
  const { from, to } = boundsFor(inquiry)
  const known = recordsIn(timesheets).find(
    ({ periodStart, periodEnd }) => periodStart >= from && periodEnd <= to,
  )
  const bounds = boundsQuery(inquiry)
  if (!known || Object.keys(bounds).length === 0) return true
  const queries = [{}, ...(employee === null ? [] : [{ [employee]: known.userId }])]
  for (const query of queries) {
    const outcome = await ask(inquiry, { path: 'timesheets', query: { ...bounds, ...query } })
    if (!isUnanswered(outcome) && !recordsOf(outcome)?.length) return false
  }
  return true
}

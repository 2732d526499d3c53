import { unknownEmployee } from '../../copies/proof/replies.ts'
import { type Finding, type FindingLevel, findingOf } from '../../domain/examination.ts'
import type { TimesheetFilter } from '../../domain/read-api.ts'
import {
  isUnanswered,
  type ProbeOutcome,
  recordsOf,
  textMember,
  ask,
  type Inquiry,
} from '../advice.ts'
import { type ListFacts, recordsIn, otherEmployeeNames } from './list-facts.ts'

export interface TimesheetFilterFacts {
  /** Whether a name of the employee is set. */
  readonly isNamed: boolean
  /** A user who has timesheets; undefined where there are none to try the filter with. */
  readonly userId: string | undefined
  /** Of asking for that user's under the name that is set; undefined where that was not done. */
  readonly underSet: FilterAnswers | undefined
  /** Another name under which the filter is honoured; null where none was found, or none had to be looked for. */
  readonly betterName: string | null
  /** undefined where no bounds can be asked for, or nothing lies within them. */
  readonly within: AnswersWithin | undefined
}

/** The first pages that came when everybody's timesheets, or those of somebody who has some, were asked for between two dates. */
export interface AnswersWithin {
  readonly ofAll: ProbeOutcome
  readonly ofOne: ProbeOutcome | undefined
}

/** The first pages that came for a user who has timesheets and for nobody; the latter undefined where it was not asked for. */
export interface FilterAnswers {
  readonly ofOwn: ProbeOutcome
  readonly ofNobody: ProbeOutcome | undefined
}

/** How the timesheets' employee filter behaves; `lossy`: it leaves out the employee's own. */
export type TimesheetFilterState =
  | 'honoured'
  | 'ignored'
  | 'lossy'
  | 'unanswered'
  | 'unnamed'
  | 'untried'

/** Parameter names of timesheets that would do better; a null is never sent. */
export interface BetterTimesheetNames {
  readonly employee?: string | null
  readonly from?: null
  readonly to?: null
}

export interface TimesheetFilterVerdict {
  /** Whether nothing is lost, as far as is known. */
  readonly ok: boolean
  readonly state: TimesheetFilterState
  /** Whether what lies within the bounds comes; false where they leave out more. */
  readonly areBoundsHeld: boolean
  /** Empty where those that are set do well enough. */
  readonly better: BetterTimesheetNames
}

/** Whether timesheets are filtered by employee and by bounds so that nothing is lost. */
export function judgeTimesheetFilter(facts: TimesheetFilterFacts): TimesheetFilterVerdict {
  const state = judgeSetName(facts)
  const isFiltered = state === 'honoured' || facts.betterName !== null
  const areBoundsHeld = holdsBounds(facts, isFiltered)
  const better = {
    ...betterEmployee(state, facts.betterName),
    ...(areBoundsHeld ? {} : { from: null, to: null }),
  }
  const ok = areBoundsHeld && state !== 'lossy' && state !== 'unanswered'
  return { ok, state, areBoundsHeld, better }
}

/**
 * How the filter behaves under the name that was asked with. A first page may hold any of the user's timesheets, but not
 * none; where nobody's is not empty, it is that user's by chance.
 */
function stateOf({ ofOwn, ofNobody }: FilterAnswers, userId: string): TimesheetFilterState {
  if (isUnanswered(ofOwn)) return 'unanswered'
  const brought = recordsOf(ofOwn) ?? []
  if (brought.length === 0) return 'lossy'
  const isMixed = brought.some((record) => (textMember(record, 'userId') ?? userId) !== userId)
  const isAnybodys = ofNobody !== undefined && (recordsOf(ofNobody)?.length ?? 0) > 0
  return isMixed || isAnybodys ? 'ignored' : 'honoured'
}

/** Whether another name has to be looked for. */
function isUnfit(state: TimesheetFilterState): boolean {
  return state === 'ignored' || state === 'lossy'
}

/** A user who has timesheets. */
function findOwn({ timesheets, userIds }: ListFacts): string | undefined {
  const owners = new Set(recordsIn(timesheets).map(({ userId }) => userId))
  return userIds.find((id) => owners.has(id))
}

/** A filter that loses the employee's own loses them between two dates, too: that is not the dates' fault. */
function holdsBounds({ within }: TimesheetFilterFacts, isFiltered: boolean): boolean {
  if (!within) return true
  return isHeld(within.ofAll) && (!isFiltered || !within.ofOne || isHeld(within.ofOne))
}

function isHeld(outcome: ProbeOutcome): boolean {
  return isUnanswered(outcome) || (recordsOf(outcome) ?? []).length > 0
}

function judgeSetName({ isNamed, userId, underSet }: TimesheetFilterFacts): TimesheetFilterState {
  if (!isNamed) return 'unnamed'
  return userId !== undefined && underSet ? stateOf(underSet, userId) : 'untried'
}

/** A filter that loses records is better not sent. */
function betterEmployee(
  state: TimesheetFilterState,
  betterName: string | null,
): BetterTimesheetNames {
  if (betterName !== null) return { employee: betterName }
  return state === 'lossy' ? { employee: null } : {}
}

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

const seenBy: Readonly<Record<TimesheetFilterState, string>> = {
  honoured: 'a known user brings only their own.',
  ignored: 'a known user brings those of others as well.',
  lossy: 'a known user does not bring their own.',
  unanswered: 'the Read API failed while it was asked.',
  unnamed: 'no parameter name is set, so all are asked for each time.',
  untried: 'no recent timesheets came to try it with.',
}

/** Of the others it depends on whether anything is lost. */
const meansBy: Readonly<Partial<Record<TimesheetFilterState, string>>> = {
  ignored:
    "Calendars are whole, but every refresh reads everybody's timesheets and sorts them out here.",
  unanswered: 'Nothing is known. Examine again.',
  untried: 'Nothing is known of it yet. Examine again once there are some.',
  unnamed: 'Calendars are whole, but every refresh reads more than it needs.',
}

/** Says whether timesheets are filtered by employee; `name` is the one that is set, `set` the setting that mends it. */
export function sayTimesheetFilter(
  verdict: TimesheetFilterVerdict,
  name: string | null,
  set: string,
): Finding {
  const { areBoundsHeld, better, state } = verdict
  const lost = areBoundsHeld ? '' : ' Between two dates, some that lie there are missing.'
  return findingOf({
    check: 'timesheets-employee',
    level: levelOf(verdict),
    seen: `Timesheets by employee (${name ?? 'unnamed'}): ${seenBy[state]}${lost}`,
    means: meansOf(verdict),
    set: Object.keys(better).length === 0 ? null : set,
  })
}

function levelOf({ ok, state }: TimesheetFilterVerdict): FindingLevel {
  if (!ok) return 'wrong'
  return state === 'honoured' ? 'ok' : 'note'
}

function meansOf({ ok, state }: TimesheetFilterVerdict): string {
  if (!ok && state !== 'unanswered') return 'Calendars lack timesheets.'
  return meansBy[state] ?? 'Only what is needed is read.'
}

const dayMs = 86_400_000
/** Any monthly period lies within so many days before or after today. */
const boundsDays = 45

/** The bounds within which timesheets are examined. */
export function boundsFor({ now }: Inquiry): Required<Pick<TimesheetFilter, 'from' | 'to'>> {
  const today = Math.floor(now / dayMs) * dayMs
  return { from: today - boundsDays * dayMs, to: today + boundsDays * dayMs }
}

/** The bounds as the query that asks for them. */
export function boundsQuery(inquiry: Inquiry): Readonly<Record<string, string>> {
  const { timesheets: names } = inquiry.connection.parameters
  const { from, to } = boundsFor(inquiry)
  return {
    ...(names.from === null ? {} : { [names.from]: new Date(from).toISOString() }),
    ...(names.to === null ? {} : { [names.to]: new Date(to).toISOString() }),
  }
}

import type { LeaveFilterExamined, LeaveFilterState } from '../../copies/proof/leave-examination.ts'
import { tryAgainAfterMs } from '../../copies/proof/proof-state.ts'
import { isRefusal, unknownEmployee } from '../../copies/proof/replies.ts'
import { type FindingLevel, type Finding, findingOf } from '../../domain/examination.ts'
import type { LeaveProof } from '../../domain/leave.ts'
import type { Instant } from '../../domain/world.ts'
import {
  idsOf,
  type ProbeOutcome,
  recordsOf,
  succeeded,
  ask,
  type Inquiry,
  counted,
  listed,
} from '../advice.ts'
import { type ListFacts, otherEmployeeNames } from './list-facts.ts'

export interface LeaveFilterFacts {
  /** How many leaves a request without a filter brings; null where it is refused. */
  readonly unfiltered: number | null
  /** Under the name that is set; null where none is. */
  readonly underSet: LeaveFilterExamined | null
  /** Another name under which the filter is honoured; null where none was found, or none had to be looked for. */
  readonly betterName: string | null
  /** Whether other names were tried. */
  readonly areNamesTried: boolean
  /** Whether a list that comes by itself is refused once it is asked for by pages as they are set. */
  readonly arePagesRefused: boolean
}

/** What came of asking for leaves by employee under another name. */
export interface FilterOutcomes {
  readonly ofNobody: ProbeOutcome
  /** Of each known user; none where nobody's answer says enough. */
  readonly ofUsers: readonly ProbeOutcome[]
}

export interface LeaveFilterVerdict extends Pick<
  LeaveFilterFacts,
  'unfiltered' | 'betterName' | 'areNamesTried'
> {
  readonly level: FindingLevel
  /** `unnamed`: no name is set; `unpaged`: it is refused as every list is that is asked for by pages. */
  readonly state: LeaveFilterState | 'unnamed' | 'unpaged'
  readonly reason: LeaveFilterExamined['reason']
  readonly alike: LeaveFilterExamined['alike']
  /** Whether it was disproved before and is not proven again yet, whatever the filter does now. */
  readonly wasDisproved: boolean
  /** From when on feeds try it again, if it is disproved. */
  readonly triedAgainFrom: Instant
}

/** Whether leaves can be told apart by employee; feeds say the same. */
export function judgeLeaveFilter(facts: LeaveFilterFacts, proof: LeaveProof): LeaveFilterVerdict {
  const { unfiltered, underSet, betterName, areNamesTried } = facts
  const { reason = null, alike = [] } = underSet ?? {}
  const state = stateOf(facts)
  const wasDisproved = proof.state === 'disproved'
  const triedAgainFrom = Math.max(proof.since, proof.triedAt ?? 0) + tryAgainAfterMs
  const isMended = betterName === null && !wasDisproved
  const level = isMended ? levelOf(state) : 'wrong'
  return {
    level,
    state,
    reason,
    alike,
    unfiltered,
    betterName,
    areNamesTried,
    wasDisproved,
    triedAgainFrom,
  }
}

function stateOf({ underSet, arePagesRefused }: LeaveFilterFacts): LeaveFilterVerdict['state'] {
  const state = underSet?.state ?? 'unnamed'
  const isRefused = state === 'rejected' || state === 'unknown'
  return isRefused && arePagesRefused ? 'unpaged' : state
}

/** Whether an answer for an employee whom nobody knows shows that the employee was looked at. */
function isClean(ofNobody: ProbeOutcome): boolean {
  if (!succeeded(ofNobody)) return false
  const { records, status } = ofNobody
  return records ? records.length === 0 : isRefusal(status)
}

/** Whether another name has to be looked for. */
function isUnfit(state: LeaveFilterState): boolean {
  return state !== 'honoured' && state !== 'unsure' && state !== 'unanswered'
}

/** Whether a list that comes by itself is refused once it is asked for by pages as they are set. */
function judgePagesRefused({ plain }: ListFacts): boolean {
  return plain.some(({ ids, outcome }) => ids === undefined && recordsOf(outcome) !== undefined)
}

/** How many leaves came without a filter, of all pages where they could be read; null where they were refused. */
function countUnfiltered({ leaves, plain }: ListFacts): number | null {
  if (leaves && succeeded(leaves)) return leaves.ids.length
  const first = plain.find(({ path }) => path === 'leaves')
  return (first && recordsOf(first.outcome)?.length) ?? null
}

/** Whether leaves come apart under a name: nobody's are none, and nobody has another's. */
function isHonoured({ ofNobody, ofUsers }: FilterOutcomes, unfiltered: number | null): boolean {
  if (!isClean(ofNobody)) return false
  // An empty list where there is more shows the filter; a refusal may be one of the parameter itself.
  if (ofUsers.length === 0) return recordsOf(ofNobody) !== undefined && (unfiltered ?? 0) > 0
  const ids = ofUsers.flatMap((outcome) => idsOf(recordsOf(outcome) ?? []))
  return ofUsers.every(succeeded) && ids.length > 0 && new Set(ids).size === ids.length
}

/** What an unknown employee does not get is proven enough to be served. */
function levelOf(state: LeaveFilterVerdict['state']): FindingLevel {
  if (state === 'honoured') return 'ok'
  return state === 'empty' || state === 'unsure' || state === 'unknown' ? 'note' : 'wrong'
}

/** Examines the filter as feeds prove it. */
type ExamineFilter = (
  people: readonly string[],
  signal: AbortSignal,
) => Promise<LeaveFilterExamined>

/** Asks for leaves by employee under the name that is set and, if that does not do and a person wants to know, under others until one does. */
export async function askLeaveFilter(
  inquiry: Inquiry,
  lists: ListFacts,
  examine: ExamineFilter,
): Promise<LeaveFilterFacts> {
  const unfiltered = countUnfiltered(lists)
  const { employee: name } = inquiry.connection.parameters.leaves
  const underSet = name === null ? null : await examine(lists.userIds, inquiry.signal)
  const isGood = underSet !== null && !isUnfit(underSet.state)
  const areNamesTried = inquiry.guesses && !isGood
  const betterName = areNamesTried ? await findName(inquiry, lists, unfiltered) : null
  const arePagesRefused = judgePagesRefused(lists)
  return { unfiltered, underSet, betterName, areNamesTried, arePagesRefused }
}

async function findName(
  inquiry: Inquiry,
  lists: ListFacts,
  unfiltered: number | null,
): Promise<string | null> {
  for (const name of otherEmployeeNames(inquiry.connection.parameters.leaves)) {
    if (isHonoured(await askUnder(inquiry, name, lists), unfiltered)) return name
  }
  return null
}

async function askUnder(
  inquiry: Inquiry,
  name: string,
  { userIds }: ListFacts,
): Promise<FilterOutcomes> {
  const askFor = (employee: string): Promise<ProbeOutcome> =>
    ask(inquiry, { path: 'leaves', query: { [name]: employee } })
  const ofNobody = await askFor(unknownEmployee())
  const ofUsers = isClean(ofNobody) ? await Promise.all(userIds.map(askFor)) : []
  return { ofNobody, ofUsers }
}

type State = LeaveFilterVerdict['state']

const seenBy: Readonly<Record<State, string>> = {
  honoured: 'known users bring each their own and an unknown one brings none.',
  disproved: 'an unknown user, or two users alike, bring leaves that are not theirs.',
  rejected: 'the request for a known user is refused.',
  empty: 'none of the known users brings any.',
  incomparable: 'unknown users are refused, and nothing shows that known ones are told apart.',
  unsure: 'an unknown user brings none, and there is nothing to compare with.',
  unknown: 'the request for an unknown user is refused, and no other user is known.',
  unanswered: 'the Read API failed while it was asked.',
  unpaged: 'it is refused, as lists are as soon as they are asked for by pages.',
  unnamed: 'no parameter name is set, so it is never asked for.',
}

const untold =
  'Leaves cannot be told apart: calendars are served without them, and those that have shown proven ones keep these for FEED_STALE_DAYS.'
const wasDisproved =
  'But leaves have come for the wrong employee before: calendars are served without new leaves until it is proven again, which is tried by itself every hour, and with a poll ten minutes after the last time: next from'

/** Of the others leaves cannot be told apart. */
const meansBy: Readonly<Partial<Record<State, string>>> = {
  honoured: 'Leaves are shown.',
  empty:
    'That may be so, since only a few users are tried. If calendars lack leaves, the parameter has another name.',
  unsure: 'Nothing speaks against the name: leaves are shown as soon as they are proven.',
  unknown:
    'Whether the parameter has that name shows once somebody is known from timesheets, tasks or feeds.',
  unpaged:
    'Nothing is known of the name: mend the paging first (see the finding truncation), then examine again.',
  unanswered: 'Nothing is proven: leaves stay as last read. Examine again.',
}

/** Says whether leaves can be told apart by employee; `name` is the one that is set, `set` the setting that mends it. */
export function sayLeaveFilter(
  verdict: LeaveFilterVerdict,
  name: string | null,
  set: string,
): Finding {
  const { level, unfiltered, betterName } = verdict
  const all = unfiltered === null ? '' : ` Without it come ${counted(unfiltered, 'leave')}.`
  return findingOf({
    check: 'leaves-employee',
    level,
    seen: `Leaves by employee (${name ?? 'unnamed'}): ${seenOf(verdict)}${all}`,
    means: meansOf(verdict),
    set: betterName === null ? null : set,
  })
}

function seenOf({ state, reason, alike }: LeaveFilterVerdict): string {
  if (reason === 'similar_id') {
    return 'an id that only looks like a user’s brings that user’s leaves: the beginning, the end or a pattern is enough.'
  }
  const ways = alike.flatMap((likeness) => likenesses[likeness] ?? [])
  if (ways.length === 0) return seenBy[state]
  return `${seenBy[state]} Ids that differ from a user’s only in ${ways.join(' and ')} bring that user’s too, which does no harm as long as no two people’s do.`
}

const likenesses: Readonly<Partial<Record<LeaveFilterExamined['alike'][number], string>>> = {
  case: 'upper and lower case',
  zero: 'leading zeros',
}

function meansOf(verdict: LeaveFilterVerdict): string {
  const { state, betterName, areNamesTried, wasDisproved: isDisproved } = verdict
  if (betterName !== null) return `${untold} The parameter is called ${betterName}.`
  if (isDisproved && state !== 'disproved')
    return `${wasDisproved} ${new Date(verdict.triedAgainFrom).toISOString()} on.`
  return meansBy[state] ?? `${untold} ${areNamesTried ? unhelped : untried}`
}

const unhelped = 'No other usual name works: ask the vendor for it.'
const untried = 'Run doctor to have other usual names tried.'

/** Says which leaves come for several people; none where none does. */
export function sayLeaveOwners(claims: LeaveFilterExamined['disputes']): readonly Finding[] {
  if (claims.length === 0) return []
  const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
  const leaves = [...byLeave].map(([id, of]) => `${id} (${of.map(nameOf).join(', ')})`)
  const means =
    'Only the person it first came for sees such a leave. It moves after it has come for only one other person for a day. Time off booked for everybody belongs in the public holidays.'
  return [
    findingOf({
      check: 'leave-owners',
      level: 'note',
      seen: `Leaves that come for several people: ${listed(leaves)}.`,
      means,
      set: null,
    }),
  ]
}

function nameOf({ userId, isOwner }: LeaveFilterExamined['disputes'][number]): string {
  return isOwner ? `${userId} first` : userId
}

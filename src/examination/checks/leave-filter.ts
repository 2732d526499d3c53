import {
  examineLeaves,
  type LeaveFilterExamined,
  type LeaveFilterState,
} from '../../copies/proof/leave-examination.ts'
import { type ProofDeps, tryAgainAfterMs } from '../../copies/proof/proof-state.ts'
import { isRefusal, unknownEmployee } from '../../copies/proof/replies.ts'
import {
  type Finding,
  type FindingLevel,
  findingOf,
  type ProbeAnswer,
} from '../../domain/examination.ts'
import type { LeaveProof } from '../../domain/leave.ts'
import {
  ask,
  counted,
  idsOf,
  type Inquiry,
  listed,
  type Outcome,
  recordsOf,
  succeeded,
} from '../inquiry.ts'
import type { ListFacts } from './lists.ts'
import { type CheckedFilter, findEmployeeName } from './parameter-names.ts'

/** `unnamed`: no name is configured; `unpaged`: refused, like every list that is requested in pages. */
type State = LeaveFilterState | 'unnamed' | 'unpaged'

interface Words {
  readonly level: FindingLevel
  readonly seen: string
  /** Left out if leaves cannot be told apart. */
  readonly means?: string
}

const words: Readonly<Record<State, Words>> = {
  honoured: {
    level: 'ok',
    seen: 'known users bring each their own and an unknown one brings none.',
    means: 'Leaves are shown.',
  },
  disproved: {
    level: 'wrong',
    seen: 'an unknown user, or two users alike, bring leaves that are not theirs.',
  },
  rejected: { level: 'wrong', seen: 'the request for a known user is refused.' },
  empty: {
    level: 'note',
    seen: 'none of the known users brings any.',
    means:
      'That may be so, since only a few users are tried. If calendars lack leaves, the parameter has another name.',
  },
  incomparable: {
    level: 'wrong',
    seen: 'unknown users are refused, and nothing shows that known ones are told apart.',
  },
  unsure: {
    level: 'note',
    seen: 'an unknown user brings none, and there is nothing to compare with.',
    means: 'Nothing speaks against the name: leaves are shown as soon as they are proven.',
  },
  unknown: {
    level: 'note',
    seen: 'the request for an unknown user is refused, and no other user is known.',
    means:
      'Whether the parameter has that name shows once a person is known from timesheets, tasks or feeds.',
  },
  unanswered: {
    level: 'wrong',
    seen: 'the Read API failed while it was asked.',
    means: 'Nothing is proven: leaves stay as last read. Examine again.',
  },
  unpaged: {
    level: 'wrong',
    seen: 'it is refused, as lists are as soon as they are asked for by pages.',
    means:
      'Nothing is known of the name: mend the paging first (see the finding truncation), then examine again.',
  },
  unnamed: { level: 'wrong', seen: 'no parameter name is set, so it is never asked for.' },
}

/** States in which the configured name needs no replacement. */
const fit: ReadonlySet<State> = new Set(['honoured', 'unsure', 'unanswered'])
const untold =
  'Leaves cannot be told apart: calendars are served without them, and those that have shown proven ones keep these for FEED_STALE_DAYS.'
const disprovedBefore =
  'But leaves have come for the wrong employee before: calendars are served without new leaves until it is proven again, which is tried by itself every hour, and with a poll ten minutes after the last time: next from'

export interface CheckedLeaveFilter extends CheckedFilter {
  /** Leaves that are returned for several people; empty if the filter itself does not work. */
  readonly owners: readonly Finding[]
}

/** Checks whether leaves can be told apart by employee, with the same result as in feeds. */
export async function checkLeaveFilter(
  inquiry: Inquiry,
  lists: ListFacts,
  { leaveFilter, proof }: { readonly leaveFilter: ProofDeps; readonly proof: LeaveProof },
): Promise<CheckedLeaveFilter> {
  const { employee: name } = inquiry.connection.parameters.leaves
  const unfiltered = countUnfiltered(lists)
  const examined =
    name === null ? null : await examineLeaves(leaveFilter, lists.userIds, inquiry.signal)
  const examinedState = examined?.state ?? 'unnamed'
  const areNamesTried = inquiry.guesses && !fit.has(examinedState)
  const betterName = areNamesTried
    ? await findEmployeeName(name, (other) => isHonoured(inquiry, other, lists, unfiltered))
    : null
  const isRefused = examinedState === 'rejected' || examinedState === 'unknown'
  const state = isRefused && arePagesRefused(lists) ? 'unpaged' : examinedState
  const wasDisproved = proof.state === 'disproved'
  const level = betterName === null && !wasDisproved ? words[state].level : 'wrong'
  const all = unfiltered === null ? '' : ` Without it come ${counted(unfiltered, 'leave')}.`
  const finding = findingOf({
    check: 'leaves-employee',
    level,
    seen: `Leaves by employee (${name ?? 'unnamed'}): ${seenOf(state, examined)}${all}`,
    means: meansOf(),
  })
  const owners = level === 'wrong' ? [] : ownersFindings(examined?.disputes ?? [])
  return { finding, owners, better: betterName === null ? {} : { employee: betterName } }

  function meansOf(): string {
    if (betterName !== null) return `${untold} The parameter is called ${betterName}.`
    if (wasDisproved && state !== 'disproved') {
      const nextAt = Math.max(proof.since, proof.triedAt ?? 0) + tryAgainAfterMs
      return `${disprovedBefore} ${new Date(nextAt).toISOString()} on.`
    }
    const advice = areNamesTried
      ? 'No other usual name works: ask the vendor for it.'
      : 'Run doctor to have other usual names tried.'
    return words[state].means ?? `${untold} ${advice}`
  }
}

function seenOf(state: State, examined: LeaveFilterExamined | null): string {
  if (examined?.reason === 'similar_id') {
    return 'an id that only looks like a user’s brings that user’s leaves: the beginning, the end or a pattern is enough.'
  }
  const { seen } = words[state]
  const ways = (examined?.alike ?? []).flatMap((likeness) => likenesses[likeness])
  if (ways.length === 0) return seen
  return `${seen} Ids that differ from a user’s only in ${ways.join(' and ')} bring that user’s too, which does no harm as long as no two people’s do.`
}

const likenesses: Readonly<Record<LeaveFilterExamined['alike'][number], readonly string[]>> = {
  part: [],
  case: ['upper and lower case'],
  zero: ['leading zeros'],
}

/** Whether a list works without paging but is refused with the configured paging. */
function arePagesRefused({ plain }: ListFacts): boolean {
  return plain.some(({ ids, outcome }) => ids === undefined && recordsOf(outcome) !== undefined)
}

/** Counts the leaves without a filter, on all pages if they are readable; null if the request was refused. */
function countUnfiltered({ leaves, plain }: ListFacts): number | null {
  if (leaves && succeeded(leaves)) return leaves.ids.length
  const first = plain.find(({ kind }) => kind === 'leaves')
  return (first && recordsOf(first.outcome)?.length) ?? null
}

/** Whether a parameter name separates people's leaves: none for an unknown employee, and no leave for two people. */
async function isHonoured(
  inquiry: Inquiry,
  name: string,
  { userIds }: ListFacts,
  unfiltered: number | null,
): Promise<boolean> {
  const askFor = (employee: string): Promise<Outcome<ProbeAnswer>> =>
    ask(inquiry, { path: 'leaves', query: { [name]: employee } })
  const ofUnknown = await askFor(unknownEmployee())
  if (!succeeded(ofUnknown)) return false
  const { records, status } = ofUnknown
  if (records ? records.length > 0 : !isRefusal(status)) return false
  // An empty list shows the filter if there are leaves. A refusal may be about the parameter itself.
  if (userIds.length === 0) return records !== null && (unfiltered ?? 0) > 0
  const ofUsers = await Promise.all(userIds.map(askFor))
  const ids = ofUsers.flatMap((outcome) => idsOf(recordsOf(outcome) ?? []))
  return ofUsers.every(succeeded) && ids.length > 0 && new Set(ids).size === ids.length
}

function ownersFindings(claims: LeaveFilterExamined['disputes']): readonly Finding[] {
  if (claims.length === 0) return []
  const leaves = [...Map.groupBy(claims, ({ leaveId }) => leaveId)].map(([id, of]) => {
    const people = of.map(({ userId, isOwner }) => (isOwner ? `${userId} first` : userId))
    return `${id} (${people.join(', ')})`
  })
  const means =
    'Only the person it first came for sees such a leave. It moves after it has come for only one other person for a day. Time off booked for everybody belongs in the public holidays.'
  const seen = `Leaves that come for several people: ${listed(leaves)}.`
  return [findingOf({ check: 'leave-owners', level: 'note', seen, means })]
}

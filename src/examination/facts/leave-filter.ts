import type { LeaveFilterExamined } from '../../copies/proof/leave-examination.ts'
import { unknownEmployee } from '../../copies/proof/similar-ids.ts'
import {
  countUnfiltered,
  type FilterOutcomes,
  isClean,
  isHonoured,
  isUnfit,
  judgePagesRefused,
  type LeaveFilterFacts,
} from '../verdicts/leave-filter.ts'
import type { ListFacts } from '../verdicts/list-facts.ts'
import type { ProbeOutcome } from '../verdicts/outcomes.ts'
import { otherEmployeeNames } from './employee-names.ts'
import { ask, type Inquiry } from './inquiry.ts'

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

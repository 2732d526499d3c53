import { unknownEmployee } from '../../copies/proof/leave-prover.ts'
import {
  countUnfiltered,
  type FilterOutcomes,
  isClean,
  isUnfit,
  type LeaveFilterFacts,
  stateOf,
} from '../verdicts/leave-filter.ts'
import type { ListFacts } from '../verdicts/list-facts.ts'
import type { ProbeOutcome } from '../verdicts/outcomes.ts'
import { otherEmployeeNames } from './employee-names.ts'
import { ask, type Inquiry } from './inquiry.ts'

/** Asks for leaves by employee under the name that is set and, if that does not do, under others until one does. */
export async function askLeaveFilter(
  inquiry: Inquiry,
  lists: ListFacts,
): Promise<LeaveFilterFacts> {
  const unfiltered = countUnfiltered(lists)
  const { employee: name } = inquiry.connection.parameters.leaves
  const underSet = name === null ? null : await askUnder(inquiry, name, lists)
  const isGood = underSet !== null && !isUnfit(stateOf(underSet, unfiltered))
  const betterName = isGood ? null : await findName(inquiry, lists, unfiltered)
  return { unfiltered, underSet, betterName }
}

async function findName(
  inquiry: Inquiry,
  lists: ListFacts,
  unfiltered: number | null,
): Promise<string | null> {
  for (const name of otherEmployeeNames(inquiry.connection.parameters.leaves)) {
    const outcomes = await askUnder(inquiry, name, lists)
    if (stateOf(outcomes, unfiltered) === 'honoured') return name
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

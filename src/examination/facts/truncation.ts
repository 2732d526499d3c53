import type { ListFacts } from '../verdicts/list-facts.ts'
import { isCut, listsToTry, type TriedList } from '../verdicts/truncation.ts'
import type { Inquiry } from './inquiry.ts'
import { findWayOn } from './way-on.ts'

/** Looks for more of the lists that may have been cut, up to the first that was. */
export async function askTruncation(
  inquiry: Inquiry,
  lists: ListFacts,
): Promise<readonly TriedList[]> {
  const all: TriedList[] = []
  for (const list of listsToTry(lists)) {
    const tried = { list, wayOn: await findWayOn(inquiry, list) }
    all.push(tried)
    if (isCut(tried)) return all
  }
  return all
}

import type { ListPagination } from '../../domain/connection.ts'
import type { FindingLevel, ProbeAnswer } from '../../domain/examination.ts'
import type { ListKind } from '../../domain/read-api.ts'
import { allLeaves, type ListFacts, type PlainList, recordsIn } from './list-facts.ts'
import { idsOf, succeeded } from './outcomes.ts'

/** At such numbers lists are usually cut. */
const usualCaps: ReadonlySet<number> = new Set([
  20, 25, 30, 50, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2000, 5000, 10_000,
])

/** A list whose first answer holds records. */
export type AnsweredList = PlainList & { readonly outcome: ProbeAnswer }

/** A list together with the way to more of it that was looked for. */
export interface TriedList {
  readonly list: AnsweredList
  /** undefined where no usual way brings other records. */
  readonly wayOn: WayOn | undefined
  /** What came of narrower questions that share all its records out among them; none where none were asked. */
  readonly parts: readonly Part[]
  /** Whether a wider question brought more records. */
  readonly isMore: boolean
}

/** The ids that a narrower question brought; undefined where it brought no list. */
export type Part = ReadonlySet<string> | undefined

/** A way to the records beyond a list's first answer. */
export interface WayOn {
  /** As the setting of paging is written. */
  readonly setting: string
  /** Ids that its second page brought; empty where that was not read. */
  readonly beyond: readonly string[]
}

/**
 * Wrong: `cut`: a list goes on behind its first answer, unread; `misread`: pages bring other records than the list;
 * `incomplete`: what narrower questions bring is missing among all; `alike`: lists have the same round number of records, and none has more.
 * A note: `empty`: there is nothing to count; `round`: one list has a round number, and nothing shows that it is whole.
 * Right: `paged`: pages are read to their end; `whole`: nothing looks like a limit, or it was shown to be none.
 */
export type TruncationState =
  | 'cut'
  | 'misread'
  | 'incomplete'
  | 'alike'
  | 'empty'
  | 'paged'
  | 'whole'
  | 'round'

export interface TruncationVerdict {
  readonly level: FindingLevel
  readonly state: TruncationState
  /** The list that shows it, where it is one. */
  readonly path?: string
  /** How many records that list holds or, where it is incomplete, lacks. */
  readonly count?: number
  /** The paging to set, where it is known. */
  readonly setting?: string
}

/** Whether lists come whole: by what other pages bring, and by what their numbers look like. */
export function judgeTruncation(
  facts: ListFacts,
  tried: readonly TriedList[],
  pagination: ListPagination,
): TruncationVerdict {
  const lists = answeredLists(facts)
  const longest = longestOf(lists)
  if (!longest) return { level: 'note', state: 'empty' }
  const cut = tried.find(isCut)
  const setting = (cut ?? tried[0])?.wayOn?.setting ?? 'none'
  if (cut) {
    return { level: 'wrong', state: 'cut', path: cut.list.path, count: sizeOf(cut.list), setting }
  }
  if (isUnread(longest)) return { level: 'wrong', state: 'misread', path: longest.path, setting }
  const incomplete = judgeMissing(facts, tried)
  return incomplete ?? judgeNumbers(lists, tried, pagination)
}

/** The lists worth looking for more of, in that order: the one that seems paged, and those that look as if they were cut. */
export function listsToTry(facts: ListFacts): readonly AnsweredList[] {
  const lists = answeredLists(facts)
  const longest = longestOf(lists)
  if (!longest) return []
  const paged = lists.find(({ outcome }) => outcome.hasNext) ?? longest
  const round = lists.filter((list) => list !== paged && looksCut(list))
  return isUnread(longest) ? [paged] : [paged, ...round]
}

/** Whether a list has as many records as lists are usually cut at. */
export function looksCut(list: AnsweredList): boolean {
  return usualCaps.has(sizeOf(list))
}

/** Whether there are records on the way on that feeds do not get to read. */
export function isCut({ list, wayOn }: TriedList): boolean {
  return wayOn !== undefined && isUnread(list, wayOn.beyond)
}

/** The ids of a list's first answer. */
export function firstIds({ outcome }: AnsweredList): readonly string[] {
  return idsOf(outcome.records ?? [])
}

function answeredLists({ plain }: ListFacts): readonly AnsweredList[] {
  return plain.filter(isAnswered)
}

function isAnswered(list: PlainList): list is AnsweredList {
  return succeeded(list.outcome) && list.outcome.records !== null
}

/** undefined where no list holds a record. */
function longestOf(lists: readonly AnsweredList[]): AnsweredList | undefined {
  const [longest] = lists.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  return longest && sizeOf(longest) > 0 ? longest : undefined
}

function sizeOf({ outcome }: AnsweredList): number {
  return outcome.records?.length ?? 0
}

/** Whether the first answer or what lies beyond it holds records that feeds do not get to read. */
function isUnread(list: AnsweredList, beyond: readonly string[] = []): boolean {
  const { ids, setAside, outcome } = list
  const all = [...firstIds(list), ...beyond]
  const unread = new Set(all.filter((id) => !ids?.has(id)))
  if (unread.size > setAside) return true
  return outcome.hasNext && (ids?.size ?? 0) + setAside <= new Set(all).size
}

function longestOfKind(lists: readonly AnsweredList[], list: AnsweredList): number {
  return Math.max(...lists.filter((it) => kindOf(it) === kindOf(list)).map(sizeOf))
}

/** Undefined where nothing is missing. */
function judgeMissing(
  facts: ListFacts,
  tried: readonly TriedList[],
): TruncationVerdict | undefined {
  const missing = [
    { path: 'leaves', count: countMissingLeaves(facts) },
    ...tried.map((one) => ({ path: one.list.path, count: missingIn(one).size })),
  ].find(({ count }) => count > 0)
  return missing && { level: 'wrong', state: 'incomplete', ...missing }
}

function judgeNumbers(
  lists: readonly AnsweredList[],
  tried: readonly TriedList[],
  pagination: ListPagination,
): TruncationVerdict {
  const unpaged = lists.filter((list) => pagination[kindOf(list)].style === 'none')
  if (unpaged.length === 0) return { level: 'ok', state: 'paged' }
  const whole = new Set(tried.filter(isShownWhole).map(({ list }) => list))
  // Where one project has more tasks, those of another do not end by their number.
  const round = unpaged.filter(
    (list) => looksCut(list) && !whole.has(list) && sizeOf(list) === longestOfKind(unpaged, list),
  )
  const [first] = round
  if (!first) return { level: 'ok', state: 'whole' }
  const count = sizeOf(first)
  const isAlike = round.length > 1 && unpaged.every((list) => sizeOf(list) <= count)
  return isAlike
    ? { level: 'wrong', state: 'alike', count }
    : { level: 'note', state: 'round', path: first.path, count }
}

/** Which list it is: `projects/prj_1/tasks` is one of tasks, every other is called as its kind. */
export function kindOf({ path }: Pick<TruncationVerdict, 'path'>): ListKind {
  return path === 'leaves' || path === 'timesheets' || path === 'schedules' ? path : 'tasks'
}

/** Leaves that come for one user but not for all show that the list of all is cut. */
function countMissingLeaves(facts: ListFacts): number {
  const listed = recordsIn(facts.leaves)
  return listed.length === 0 ? 0 : allLeaves(facts).length - listed.length
}

function missingIn({ list, parts }: TriedList): ReadonlySet<string> {
  const narrowed = narrowedTo(list, parts)
  if (narrowed.size === 0) return narrowed
  return narrowed.difference(new Set([...firstIds(list), ...(list.ids ?? [])]))
}

/** Whether shorter answers bring the same records together, none of them as many: then the list did not end by its length. */
function isShownWhole({ list, parts, isMore }: TriedList): boolean {
  const isShared = parts.length > 0 && parts.every((part) => part && part.size < sizeOf(list))
  return isMore || (isShared && narrowedTo(list, parts).isSupersetOf(new Set(firstIds(list))))
}

/** What parts brought that are narrower than the list: one as long may be cut or not be narrowed at all. */
function narrowedTo(list: AnsweredList, parts: readonly Part[]): ReadonlySet<string> {
  const narrow = parts.filter((part) => part && part.size < sizeOf(list))
  return new Set(narrow.flatMap((part) => [...(part ?? [])]))
}

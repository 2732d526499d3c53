import type { ListPagination, Pagination } from '../../domain/connection.ts'
import {
  type FindingLevel,
  type ProbeAnswer,
  type Finding,
  findingOf,
} from '../../domain/examination.ts'
import { leaveStatuses } from '../../domain/leave.ts'
import type { ListKind } from '../../domain/read-api.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import { idsOf, succeeded, recordsOf, ask, type Inquiry, counted, type Advise } from '../advice.ts'
import { allLeaves, type ListFacts, type PlainList, recordsIn } from './list-facts.ts'

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
function listsToTry(facts: ListFacts): readonly AnsweredList[] {
  const lists = answeredLists(facts)
  const longest = longestOf(lists)
  if (!longest) return []
  const paged = lists.find(({ outcome }) => outcome.hasNext) ?? longest
  const round = lists.filter((list) => list !== paged && looksCut(list))
  return isUnread(longest) ? [paged] : [paged, ...round]
}

/** Whether a list has as many records as lists are usually cut at. */
function looksCut(list: AnsweredList): boolean {
  return usualCaps.has(sizeOf(list))
}

/** Whether there are records on the way on that feeds do not get to read. */
function isCut({ list, wayOn }: TriedList): boolean {
  return wayOn !== undefined && isUnread(list, wayOn.beyond)
}

/** The ids of a list's first answer. */
function firstIds({ outcome }: AnsweredList): readonly string[] {
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
function kindOf({ path }: Pick<TruncationVerdict, 'path'>): ListKind {
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

type Query = Readonly<Record<string, string>>

/**
 * Looks for more of the lists that may have been cut, up to the first that was. Where nobody wants to know, only what an
 * answer says by itself counts.
 */
export async function askTruncation(
  inquiry: Inquiry,
  lists: ListFacts,
): Promise<readonly TriedList[]> {
  const all: TriedList[] = []
  for (const list of listsToTry(lists)) {
    const tried = inquiry.guesses ? await tryList(inquiry, list) : { list, ...untried(list) }
    all.push(tried)
    if (isCut(tried)) return all
  }
  return all
}

function untried({ outcome }: AnsweredList): Pick<TriedList, 'wayOn' | 'parts' | 'isMore'> {
  const wayOn = outcome.hasNext ? { setting: 'link', beyond: [] } : undefined
  return { wayOn, parts: [], isMore: false }
}

async function tryList(inquiry: Inquiry, list: AnsweredList): Promise<TriedList> {
  const wayOn = await findWayOn(inquiry, list)
  if (wayOn || !looksCut(list)) return { list, wayOn, parts: [], isMore: false }
  const parts = await Promise.all(
    narrowerQueries(inquiry, list).map((query) => askPart(inquiry, list, query)),
  )
  return { list, wayOn, parts, isMore: await bringsMoreWhenWider(inquiry, list) }
}

/** Undefined where the answer has no records to show. */
async function askPart(
  inquiry: Inquiry,
  { path, query }: AnsweredList,
  narrower: Query,
): Promise<Part> {
  const records = recordsOf(await ask(inquiry, { path, query: { ...query, ...narrower } }))
  return records && new Set(idsOf(records))
}

/** Questions that share all records of the list out among them, by the names that are set. */
function narrowerQueries({ connection }: Inquiry, list: AnsweredList): readonly Query[] {
  const { leaves, timesheets, schedules } = connection.parameters
  const kind = kindOf(list)
  if (kind === 'leaves') return each(leaves.status, leaveStatuses)
  if (kind === 'timesheets') return each(timesheets.status, timesheetStatuses)
  return kind === 'schedules' ? each(schedules.type, scheduleTypes) : []
}

function each(name: string | null, values: readonly string[]): readonly Query[] {
  return name === null ? [] : values.map((value) => ({ [name]: value }))
}

/** Whether a wider question brings more than this one did: then it was not its length at which it ended. */
async function bringsMoreWhenWider(inquiry: Inquiry, list: AnsweredList): Promise<boolean> {
  if (Object.keys(list.query).length === 0) return false
  const records = recordsOf(await ask(inquiry, { path: list.path })) ?? []
  return records.length > firstIds(list).length
}

const unread = 'Calendars lack records, or are not served: lists are not read to their end.'
const suspect =
  'Lists are likely cut, so that calendars may lack records, and nothing shows how to read on. Ask the vendor how lists are paged and set that (WORKFORCE_PAGINATION, or pagination in COMPANIES_FILE).'
const chance =
  'It may be chance, or the list is cut there. If calendars lack records, ask the vendor how lists are paged.'

/** Says whether lists come whole. */
export function sayTruncation(
  verdict: TruncationVerdict,
  pagination: ListPagination,
  advise: Advise,
): Finding {
  const { level, setting } = verdict
  const value = setting === undefined ? null : pagingToSet(pagination, kindOf(verdict), setting)
  const set = value && advise('pagination', value)
  const [seen, means] = [seenOf(verdict), meansOf(verdict)]
  return findingOf({ check: 'truncation', level, seen, means, set })
}

function seenOf({ state, path = '', count = 0 }: TruncationVerdict): string {
  const sentences: Readonly<Record<TruncationState, string>> = {
    cut: `The list of ${listWords(path)} stops after ${counted(count, 'record')}, and there are more on further pages.`,
    misread: `The list of ${listWords(path)} brings other records than its pages do.`,
    incomplete: `The list of ${listWords(path)} lacks ${counted(count, 'record')} that narrower questions bring.`,
    alike: `More than one list has exactly ${count} records.`,
    empty: 'There are no records to count.',
    paged: 'Pages bring every record.',
    whole: 'No list ends where it looks cut.',
    round: `The list of ${listWords(path)} has exactly ${counted(count, 'record')}, a number at which lists are often cut.`,
  }
  return sentences[state]
}

/** Tasks are listed by project. */
function listWords(path: string): string {
  const [, project] = /^projects\/([^/]*)\/tasks$/.exec(path) ?? []
  return project === undefined ? path : `tasks of ${decodeURIComponent(project)}`
}

function meansOf({ level, state }: TruncationVerdict): string {
  if (state === 'empty') return 'Whether lists are cut shows once there are some.'
  if (level !== 'wrong') return state === 'round' ? chance : 'Nothing suggests that a list is cut.'
  return state === 'cut' || state === 'misread' ? unread : suspect
}

const pageNames = ['page', 'pageNumber', 'page_number', 'pageNo', 'p'] as const
const offsetNames = ['offset', 'skip', 'start', 'startAt', 'from'] as const
const sizeNames = ['limit', 'pageSize', 'per_page', 'perPage', 'page_size', 'size', 'take', 'count']
/** What is asked for; a server that gives fewer is read on all the same. */
const pageSize = 100

/** A list of which further pages are asked for. */
interface PagedList {
  /** The ids of its first answer. */
  readonly first: ReadonlySet<string>
  /** The ids that it brings when it is asked with that query. */
  readonly read: (query: Readonly<Record<string, string>>) => Promise<readonly string[]>
}

/** Looks for the way by which a list is paged; undefined where none of the usual ones brings other records. */
async function findWayOn(inquiry: Inquiry, list: AnsweredList): Promise<WayOn | undefined> {
  if (list.outcome.hasNext) return { setting: 'link', beyond: [] }
  const { path, query } = list
  const paged: PagedList = {
    first: new Set(firstIds(list)),
    read: async (more) =>
      idsOf(recordsOf(await ask(inquiry, { path, query: { ...query, ...more } })) ?? []),
  }
  return (await findPages(paged)) ?? findOffsets(paged)
}

async function findPages(list: PagedList): Promise<WayOn | undefined> {
  for (const name of pageNames) {
    // The first page is 0 where page 1 brings other records than no page, else 1.
    for (const first of [0, 1]) {
      const beyond = await list.read({ [name]: String(first + 1) })
      if (isBeyond(beyond, list)) {
        const size = await findSizeName(list, { [name]: String(first) })
        const end = first === 1 ? '' : `,${first}`
        return { setting: `page:${name},${size},${pageSize}${end}`, beyond }
      }
    }
  }
  return undefined
}

async function findOffsets(list: PagedList): Promise<WayOn | undefined> {
  for (const name of offsetNames) {
    const beyond = await list.read({ [name]: String(list.first.size) })
    if (isBeyond(beyond, list)) {
      const limit = await findSizeName(list, { [name]: '0' })
      return { setting: `offset:${name},${limit},${pageSize}`, beyond }
    }
  }
  return undefined
}

function isBeyond(ids: readonly string[], { first }: PagedList): boolean {
  return ids.length > 0 && ids.every((id) => !first.has(id))
}

/** The name under which one record can be asked for; where none works it does no harm, since pages are read to the empty one. */
async function findSizeName(
  list: PagedList,
  firstPage: Readonly<Record<string, string>>,
): Promise<string> {
  for (const name of sizeNames) {
    const ids = await list.read({ ...firstPage, [name]: '1' })
    if (ids.length === 1 && list.first.size > 1) return name
  }
  return 'limit'
}

/** The setting by which that list is paged in another way: for all lists where they are set alike, else for it alone; null where it is set so. */
function pagingToSet(
  set: ListPagination,
  list: ListKind,
  way: string,
): string | Readonly<Record<string, string>> | null {
  const { leaves, timesheets, tasks, schedules } = set
  const texts = {
    leaves: textOf(leaves),
    timesheets: textOf(timesheets),
    tasks: textOf(tasks),
    schedules: textOf(schedules),
  }
  // The first page is 1 where the setting does not say.
  if ([way, `${way},1`].includes(texts[list])) return null
  return new Set(Object.values(texts)).size === 1 ? way : { ...texts, [list]: way }
}

function textOf(pagination: Pagination): string {
  const { style } = pagination
  if (style === 'page') {
    const { pageParameter, sizeParameter, size, first } = pagination
    return `page:${pageParameter},${sizeParameter},${size},${first}`
  }
  if (style !== 'offset') return style
  const { offsetParameter, limitParameter, limit } = pagination
  return `offset:${offsetParameter},${limitParameter},${limit}`
}

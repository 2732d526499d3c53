import { type Finding, findingOf, type ProbeAnswer } from '../../domain/examination.ts'
import { leaveStatuses } from '../../domain/leave.ts'
import type { ListKind } from '../../domain/read-api.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import { ask, counted, idsOf, type Inquiry, recordsOf } from '../inquiry.ts'
import { allLeaves, type ListFacts, type PlainList, type Query, recordsIn } from './lists.ts'
import { findWayOn, pagingToSet, type WayOn } from './paging-guess.ts'

/** Lengths at which lists are usually cut. */
const usualCaps: ReadonlySet<number> = new Set([
  20, 25, 30, 50, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2000, 5000, 10_000,
])

/** A list that was returned, with its ids. */
interface AnsweredList extends PlainList {
  readonly outcome: ProbeAnswer
  readonly firstIds: readonly string[]
  readonly size: number
}

/** A list, and the results of related requests. */
interface TriedList {
  readonly list: AnsweredList
  /** Undefined if no usual way brings other records. */
  readonly wayOn: WayOn | undefined
  /** Ids from narrower requests with shorter results. A result of the same length may be cut, or not narrowed at all. */
  readonly narrowed: ReadonlySet<string>
  /** Whether the list is known not to be cut at its length. */
  readonly isWhole: boolean
}

const check = 'truncation'
const unread = 'Calendars lack records, or are not served: lists are not read to their end.'
const suspect =
  'Lists are likely cut, so that calendars may lack records, and nothing shows how to read on. Ask the vendor how lists are paged and set that (WORKFORCE_PAGINATION, or pagination in COMPANIES_FILE).'
const unsuspected = 'Nothing suggests that a list is cut.'

/** Checks whether lists are complete: by the records on other pages, and by suspicious lengths. */
export async function checkTruncation(inquiry: Inquiry, lists: ListFacts): Promise<Finding> {
  const answered = lists.plain.flatMap(answeredList)
  const [longest] = answered.toSorted((one, other) => other.size - one.size)
  if (!longest || longest.size === 0) {
    const means = 'Whether lists are cut shows once there are some.'
    return findingOf({ check, level: 'note', seen: 'There are no records to count.', means })
  }
  const tried: TriedList[] = []
  for (const list of listsToTry(answered, longest)) {
    const one = inquiry.guesses ? await tryList(inquiry, list) : untried(list)
    if (one.wayOn && lacksRecords(list, one.wayOn.beyond)) {
      const seen = `The list of ${listWords(list)} stops after ${counted(list.size, 'record')}, and there are more on further pages.`
      const set = pagingToSet(inquiry, list.kind, one.wayOn.setting)
      return findingOf({ check, level: 'wrong', seen, means: unread, set })
    }
    tried.push(one)
  }
  if (lacksRecords(longest)) {
    const seen = `The list of ${listWords(longest)} brings other records than its pages do.`
    const set = pagingToSet(inquiry, longest.kind, tried[0]?.wayOn?.setting ?? 'none')
    return findingOf({ check, level: 'wrong', seen, means: unread, set })
  }
  const ofLeaves = { words: 'leaves', count: countMissingLeaves(lists) }
  const missing = [ofLeaves, ...tried.map(missingIn)].find(({ count }) => count > 0)
  if (missing) {
    const seen = `The list of ${missing.words} lacks ${counted(missing.count, 'record')} that narrower questions bring.`
    return findingOf({ check, level: 'wrong', seen, means: suspect })
  }
  return judgeNumbers(inquiry, answered, tried)
}

function answeredList({ outcome, ...list }: PlainList): readonly AnsweredList[] {
  if (outcome instanceof Error || !outcome.records) return []
  const { records } = outcome
  return [{ ...list, outcome, firstIds: idsOf(records), size: records.length }]
}

/** Returns the lists to search for more records, in order: the one that seems paged, then those that look cut. */
function listsToTry(
  lists: readonly AnsweredList[],
  longest: AnsweredList,
): readonly AnsweredList[] {
  const paged = lists.find(({ outcome }) => outcome.hasNext) ?? longest
  const round = lists.filter((list) => list !== paged && looksCut(list))
  return lacksRecords(longest) ? [paged] : [paged, ...round]
}

function looksCut({ size }: AnsweredList): boolean {
  return usualCaps.has(size)
}

/** Whether the first response or further pages have records that feeds do not read. */
function lacksRecords(list: AnsweredList, beyond: readonly string[] = []): boolean {
  const { ids = new Set<string>(), setAside, outcome, firstIds } = list
  const all = new Set([...firstIds, ...beyond])
  if (all.difference(ids).size > setAside) return true
  return outcome.hasNext && ids.size + setAside <= all.size
}

function judgeNumbers(
  { connection: { pagination } }: Inquiry,
  lists: readonly AnsweredList[],
  tried: readonly TriedList[],
): Finding {
  const unpaged = lists.filter(({ kind }) => pagination[kind].style === 'none')
  if (unpaged.length === 0) {
    return findingOf({ check, level: 'ok', seen: 'Pages bring every record.', means: unsuspected })
  }
  const whole = new Set(tried.filter(({ isWhole }) => isWhole).map(({ list }) => list))
  // If another project has more tasks, this number is no limit.
  const round = unpaged.filter(
    (list) =>
      looksCut(list) &&
      !whole.has(list) &&
      unpaged.every(({ kind, size }) => kind !== list.kind || size <= list.size),
  )
  const [first] = round
  if (!first) {
    const seen = 'No list ends where it looks cut.'
    return findingOf({ check, level: 'ok', seen, means: unsuspected })
  }
  if (round.length > 1 && unpaged.every(({ size }) => size <= first.size)) {
    const seen = `More than one list has exactly ${first.size} records.`
    return findingOf({ check, level: 'wrong', seen, means: suspect })
  }
  const seen = `The list of ${listWords(first)} has exactly ${counted(first.size, 'record')}, a number at which lists are often cut.`
  const means =
    'It may be chance, or the list is cut there. If calendars lack records, ask the vendor how lists are paged.'
  return findingOf({ check, level: 'note', seen, means })
}

/** Counts the leaves that are returned for one user but not for all, which shows that the list of all is cut. */
function countMissingLeaves(lists: ListFacts): number {
  const all = recordsIn(lists.leaves).length
  return all === 0 ? 0 : allLeaves(lists).length - all
}

function missingIn({ list, narrowed }: TriedList): { words: string; count: number } {
  const listed = new Set([...list.firstIds, ...(list.ids ?? [])])
  return { words: listWords(list), count: narrowed.difference(listed).size }
}

/** Judges by the first response alone. */
function untried(list: AnsweredList): TriedList {
  const wayOn = list.outcome.hasNext ? { setting: 'link', beyond: [] } : undefined
  return { list, wayOn, narrowed: new Set(), isWhole: false }
}

async function tryList(inquiry: Inquiry, list: AnsweredList): Promise<TriedList> {
  const known = untried(list)
  const wayOn = known.wayOn ?? (await findWayOn(inquiry, list, list.firstIds))
  if (wayOn || !looksCut(list)) return { ...known, wayOn }
  const { path, query } = list
  const parts = await Promise.all(
    narrowerQueries(inquiry, list).map(async (narrower) => {
      const records = recordsOf(await ask(inquiry, { path, query: { ...query, ...narrower } }))
      return records && new Set(idsOf(records))
    }),
  )
  const shorter = parts.filter((part) => part !== undefined && part.size < list.size)
  const narrowed = new Set(shorter.flatMap((part) => [...(part ?? [])]))
  const isShared = parts.length > 0 && shorter.length === parts.length
  const isWhole =
    (isShared && narrowed.isSupersetOf(new Set(list.firstIds))) ||
    (await bringsMoreWhenWider(inquiry, list))
  return { list, wayOn, narrowed, isWhole }
}

/** Returns queries that divide the list's records among them, by the configured parameter names. */
function narrowerQueries({ connection }: Inquiry, { kind }: AnsweredList): readonly Query[] {
  const { leaves, timesheets, schedules } = connection.parameters
  const filters: { readonly [List in ListKind]?: readonly [string | null, readonly string[]] } = {
    leaves: [leaves.status, leaveStatuses],
    timesheets: [timesheets.status, timesheetStatuses],
    schedules: [schedules.type, scheduleTypes],
  }
  const [name, values] = filters[kind] ?? [null, []]
  return name === null ? [] : values.map((value) => ({ [name]: value }))
}

async function bringsMoreWhenWider(
  inquiry: Inquiry,
  { path, query, firstIds }: AnsweredList,
): Promise<boolean> {
  if (Object.keys(query).length === 0) return false
  const records = recordsOf(await ask(inquiry, { path })) ?? []
  return records.length > firstIds.length
}

/** Tasks are listed by project. */
function listWords({ kind, path }: PlainList): string {
  const [, project = ''] = path.split('/')
  return kind === 'tasks' ? `tasks of ${decodeURIComponent(project)}` : kind
}

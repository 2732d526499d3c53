import type { Finding, ProbeAnswer } from '../domain/examination.ts'
import { detectPagination } from './detect-pagination.ts'
import { counted, type Examining, idsOf } from './examining.ts'
import { allLeaves, type PlainList, type Readings, recordsIn } from './readings.ts'

/** At such numbers lists are usually cut. */
const usualCaps: ReadonlySet<number> = new Set([
  20, 25, 30, 50, 100, 128, 200, 250, 256, 500, 512, 1000, 1024, 2000, 5000, 10_000,
])

type AnsweredList = PlainList & { readonly answer: ProbeAnswer }

/** Whether lists come whole: by what other pages bring, and by what their numbers look like. */
export async function truncationFinding(
  examining: Examining,
  readings: Readings,
): Promise<Finding> {
  const lists = readings.plain.filter(isAnswered)
  const [longest] = lists.toSorted((one, other) => sizeOf(other) - sizeOf(one))
  if (!longest || sizeOf(longest) === 0) return whole('There are no records to count.')
  const paged = lists.find(({ answer }) => answer.hasNext) ?? longest
  const detected = await detectPagination(examining, paged)
  if (detected && isUnread(paged, detected.beyond)) {
    return cut(examining, pagedSeen(paged), detected.setting)
  }
  if (isUnread(longest, [])) {
    const setting = detected?.setting ?? 'none'
    return cut(examining, `List ${longest.path} brings other records than its pages do.`, setting)
  }
  return (
    (await firstCut(
      examining,
      lists.filter((list) => list !== paged && isRound(list)),
    )) ?? unpagedFinding(examining, readings, lists)
  )
}

/** Of shorter lists that look as if they were cut, the first that goes on behind its end. */
async function firstCut(
  examining: Examining,
  lists: readonly AnsweredList[],
): Promise<Finding | undefined> {
  for (const list of lists) {
    const detected = await detectPagination(examining, list)
    if (detected && isUnread(list, detected.beyond)) {
      return cut(examining, pagedSeen(list), detected.setting)
    }
  }
  return undefined
}

function isRound(list: AnsweredList): boolean {
  return usualCaps.has(sizeOf(list))
}

function isAnswered(list: PlainList): list is AnsweredList {
  return !(list.answer instanceof Error) && list.answer.records !== null
}

function sizeOf({ answer }: AnsweredList): number {
  return answer.records?.length ?? 0
}

/** Whether the first answer or what lies beyond it holds records that feeds do not get to read. */
function isUnread({ answer, ids, setAside }: AnsweredList, beyond: readonly string[]): boolean {
  const all = new Set([...idsOf(answer.records ?? []), ...beyond])
  const unread = [...all].filter((id) => !ids?.has(id))
  return unread.length > setAside || (answer.hasNext && (ids?.size ?? 0) + setAside <= all.size)
}

function pagedSeen(list: AnsweredList): string {
  return `List ${list.path} stops after ${counted(sizeOf(list), 'record')}, and there are more on further pages.`
}

function cut(examining: Examining, seen: string, setting: string): Finding {
  const means = 'Calendars lack records, or are not served: lists are not read to their end.'
  return {
    check: 'truncation',
    ok: false,
    seen,
    means,
    set: examining.advise('pagination', setting),
  }
}

function whole(seen: string, means = 'Lists are read whole.'): Finding {
  return { check: 'truncation', ok: true, seen, means, set: null }
}

function unpagedFinding(
  examining: Examining,
  readings: Readings,
  lists: readonly AnsweredList[],
): Finding {
  const missing = missingLeaves(readings)
  if (missing > 0) {
    return suspect(`List leaves lacks ${counted(missing, 'leave')} that come for single users.`)
  }
  if (examining.connection.pagination.style !== 'none') return whole('Pages bring every record.')
  const round = lists.map(sizeOf).filter((size) => usualCaps.has(size))
  if (round.some((size, index) => round.indexOf(size) !== index)) {
    return suspect(`More than one list has exactly ${round[0]} records.`)
  }
  if (round.length === 0) return whole('No number of records looks like a limit.')
  return whole(
    `One list has exactly ${counted(round[0] ?? 0, 'record')}, and no usual way to a second page brings more.`,
    'It may be chance, or the list is cut there: if calendars lack records, ask the vendor how lists are paged.',
  )
}

/** Leaves that come for one user but not for all shows that the list of all is cut. */
function missingLeaves(readings: Readings): number {
  const listed = recordsIn(readings.leaves)
  return listed.length === 0 ? 0 : allLeaves(readings).length - listed.length
}

function suspect(seen: string): Finding {
  const means =
    'Lists are cut, and calendars may lack records; no usual way to a second page works: ask the vendor how lists are paged and set WORKFORCE_PAGINATION.'
  return { check: 'truncation', ok: false, seen, means, set: null }
}

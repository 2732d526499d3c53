import { leaveStatuses } from '../../domain/leave.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import type { ListFacts } from '../verdicts/list-facts.ts'
import { idsOf, recordsOf } from '../verdicts/outcomes.ts'
import {
  type AnsweredList,
  firstIds,
  isCut,
  kindOf,
  listsToTry,
  looksCut,
  type Part,
  type TriedList,
} from '../verdicts/truncation.ts'
import { ask, type Inquiry } from './inquiry.ts'
import { findWayOn } from './way-on.ts'

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

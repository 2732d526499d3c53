import {
  type CalendarFrame,
  type DatedRecord,
  type Dates,
  datesOf,
} from '../../calendar/record-dates.ts'
import { touchesDate } from '../../calendar/shifts.ts'
import { feedRequests } from '../../copies/feed-collections.ts'
import type { Company } from '../../domain/company.ts'
import { collectionKey } from '../../domain/copy.ts'
import type { Feed } from '../../domain/feed.ts'
import type { RecordKind, RecordsBySubject } from '../../domain/kinds.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import type { Schedule } from '../../domain/schedule.ts'

/** A record that concerns a feed, once, however many copies have it. */
export interface FoundRecord {
  readonly kind: RecordKind
  readonly id: string
  /** The feed's people whom it is about. */
  readonly userIds: readonly string[]
  /** Of the collections that have it. */
  readonly subjects: readonly string[]
  /** As the last of them has it; undefined if only the id is known. */
  readonly record:
    | DatedRecord
    | { readonly kind: 'schedule'; readonly record: Schedule }
    | undefined
  /** Of a leave in the copies of several people, as the others have it: a calendar shows each. */
  readonly others: readonly DatedRecord[]
}

/** The keys of all collections that may have such records, including kinds that the feed does not show. */
export function concerningKeys(feed: Feed, company: Company): readonly string[] {
  const { leaves, shifts, timesheets, tasks, invoices } = feed.options
  const options = {
    ...feed.options,
    leaves: { ...leaves, show: true },
    shifts: { ...shifts, show: true, scheduleIds: null },
    timesheets: { ...timesheets, show: true },
    tasks: { ...tasks, show: true, projectIds: [...(tasks.projectIds ?? []), ...company.projects] },
    invoices: { ...invoices, show: true },
  }
  return feedRequests({ ...feed, options }, company)
    .filter(({ collection }) => collection.kind !== 'user')
    .map(({ collection }) => collectionKey(collection))
}

/** Never another person's record. */
export function* recordsOf(
  { userIds, options }: Pick<Feed, 'userIds' | 'options'>,
  records: RecordsBySubject,
): Generator<FoundRecord> {
  for (const [userId, leaves] of records.leaves) {
    for (const record of leaves) yield found({ kind: 'leave', record }, [userId], userId)
  }
  for (const [subject, timesheets] of records.timesheets) {
    for (const record of timesheets) {
      const { userId } = record
      if (userIds.includes(userId)) yield found({ kind: 'timesheet', record }, [userId], subject)
    }
  }
  for (const [subject, tasks] of records.tasks) {
    for (const record of tasks) {
      const named = new Set(record.assignees?.map(({ id }) => id))
      const people = userIds.filter((id) => named.has(id))
      if (people.length > 0) yield found({ kind: 'task', record }, people, subject)
    }
  }
  for (const [subject, invoices] of records.invoice) {
    for (const record of invoices) {
      if (options.invoices.invoiceIds.includes(record.id)) {
        yield found({ kind: 'invoice', record }, [], subject)
      }
    }
  }
  for (const [subject, schedules] of records.schedules) {
    for (const record of schedules) yield found({ kind: 'schedule', record }, [], subject)
  }
}

function found(
  record: NonNullable<FoundRecord['record']>,
  userIds: readonly string[],
  subject: string,
): FoundRecord {
  const { id } = record.record
  return { kind: record.kind, id, userIds, subjects: [subject], record, others: [] }
}

/** Joins the record as two collections have it. */
export function joined(one: FoundRecord | undefined, other: FoundRecord): FoundRecord {
  if (!one) return other
  const userIds = [...new Set([...one.userIds, ...other.userIds])]
  const others = one.record?.kind === 'leave' ? [...one.others, one.record] : []
  return { ...other, userIds, subjects: [...one.subjects, ...other.subjects], others }
}

/** From the first date to the last of all that it has. */
export function datesIn({ record, others }: FoundRecord, frame: CalendarFrame): Dates | null {
  if (record === undefined || record.kind === 'schedule') return null
  const all = [record, ...others].flatMap((it) => datesOf(it, frame) ?? [])
  const [first] = all.map((it) => it.first).toSorted()
  const last = all
    .map((it) => it.last)
    .toSorted()
    .at(-1)
  return first === undefined || last === undefined ? null : { first, last }
}

/** A record of which only the id is known may be on any date. */
export function isOn(date: PlainDate, it: FoundRecord, frame: CalendarFrame): boolean {
  const { record, others } = it
  if (record === undefined) return true
  if (record.kind === 'schedule') return touchesDate(record.record, date, frame)
  return [record, ...others].some((one) => {
    const dates = datesOf(one, frame)
    return dates !== null && dates.first <= date && date <= dates.last
  })
}

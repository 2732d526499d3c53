import type { Company } from '../../domain/company.ts'
import { noRecords, type RecordsBySubject } from '../../domain/kinds.ts'
import { withBegin } from '../../domain/leave.ts'
import { defaultSchedules } from '../../domain/schedule.ts'
import type { Instant } from '../../domain/world.ts'
import { leftOutByNew } from '../../publishing/left-out.ts'
import { allLeaves, allTimesheets, type ListFacts, recordsIn } from '../verdicts/list-facts.ts'
import type { LeftOutFacts } from '../verdicts/records.ts'
import type { Inquiry } from './inquiry.ts'

/** How days and ends are written, as far as it shows. */
export type RightDays = Pick<Company, 'dates' | 'timezone' | 'endDates'>

/** The person of every record. */
const anybody = 'anybody'

/** Has the calendars' own code tell what it would leave out of what was read just now, and what it leaves out of what was kept before. */
export async function findLeftOut(
  { connection: { company }, now }: Pick<Inquiry, 'connection' | 'now'>,
  lists: ListFacts,
  { ofFeeds, rightDays }: Pick<LeftOutFacts, 'ofFeeds'> & { readonly rightDays: RightDays },
): Promise<LeftOutFacts> {
  const records = recordsOfAnybody(lists, company, now)
  const schedules = recordsIn(lists.schedules)
  const usual = defaultSchedules(company, schedules)
  const others = schedules.flatMap(({ id, isActive }) =>
    isActive === false || usual.includes(id) ? [] : [id],
  )
  const leftOutBy = (
    it: Company,
    scheduleIds: readonly string[],
  ): ReturnType<typeof leftOutByNew> => leftOutByNew(it, records, { now, scheduleIds })
  const ofNew = await leftOutBy(company, usual)
  const ofUnnamed = await leftOutBy(company, others)
  const otherwise = await leftOutBy({ ...company, ...rightDays }, usual)
  return { ofNew, ofUnnamed, otherwise, ofFeeds, lists }
}

/** As if all were one person's: what is left out does not depend on who that is. */
function recordsOfAnybody(lists: ListFacts, company: Company, now: Instant): RecordsBySubject {
  const tasks = [...lists.tasks].map(
    ([project, answer]) =>
      [
        project,
        recordsIn(answer).map((task) => ({
          ...task,
          assignees: task.assignees?.length ? [{ id: anybody }] : [],
        })),
      ] as const,
  )
  const timesheets = allTimesheets(lists).map((timesheet) => ({ ...timesheet, userId: anybody }))
  return {
    ...noRecords,
    leaves: new Map([[anybody, allLeaves(lists).map((leave) => withBegin(leave, company, now))]]),
    timesheets: new Map([[anybody, timesheets]]),
    schedules: new Map([['', recordsIn(lists.schedules)]]),
    tasks: new Map(tasks),
  }
}

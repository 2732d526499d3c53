/* The sample company as somebody else's Read API writes it. */
import { Temporal } from 'temporal-polyfill'

import { memo } from '../../../src/domain/memo.ts'
import type { PlainDate } from '../../../src/domain/plain-date.ts'
import { sampleCompany } from '../../../src/sandbox/sample-company.ts'
import type { CompanyFile } from '../../../src/wire/company-file.ts'
import type { ForeignStyle } from './foreign-style.ts'

/** One for all who ask for the same day: nobody changes it. */
const sampleOn = memo(2, (today: PlainDate) => sampleCompany({ today }))

/** The sample company in that style, alive round the style's day. */
export function foreignCompany(style: ForeignStyle): CompanyFile {
  const { today = new Date().toISOString().slice(0, 10), alter = (it) => it } = style
  return withDays(alter(sampleOn(today)), style)
}

/** The company with its bare days written the other way. */
function withDays(company: CompanyFile, style: ForeignStyle): CompanyFile {
  const start = (it: string): string => writeDay(it, style, 0)
  const end = (it: string): string => writeDay(it, style, style.endDates === 'exclusive' ? 1 : 0)
  return {
    ...company,
    leaves: (company.leaves ?? []).map((leave) => ({
      ...leave,
      startDate: start(leave.startDate),
      endDate: end(leave.endDate),
    })),
    timesheets: (company.timesheets ?? []).map((sheet) => ({
      ...sheet,
      periodStart: start(sheet.periodStart),
      periodEnd: end(sheet.periodEnd),
    })),
    projects: (company.projects ?? []).map((project) => ({
      ...project,
      tasks: project.tasks.map((task) =>
        task.dueDate ? { ...task, dueDate: start(task.dueDate) } : task,
      ),
    })),
  }
}

const bareDay = /^(\d{4}-\d\d-\d\d)T00:00:00\.000Z$/

function writeDay(
  timestamp: string,
  { dates = 'utc', timezone = 'Europe/Berlin' }: ForeignStyle,
  daysLater: number,
): string {
  const day = bareDay.exec(timestamp)?.[1]
  if (day === undefined) return timestamp
  const date = Temporal.PlainDate.from(day).add({ days: daysLater })
  const midnight = date.toZonedDateTime(dates === 'utc' ? 'UTC' : timezone)
  return new Date(midnight.epochMilliseconds).toISOString()
}

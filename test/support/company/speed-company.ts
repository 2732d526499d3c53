/* A company whose people each have about 350 events in the year around today: shifts, leaves, timesheets, tasks. */
import { type CompanyRecords, type CompanyServer, startCompanyServer } from './company-server.ts'
import { leave, task, timesheet } from './people.ts'

const dayMs = 86_400_000
const leavesEach = 12
const timesheetsEach = 26
const tasksEach = 6
/** As many people work on one project together. */
const team = 25

/** The options that make a calendar of all of it. */
export const wholeYear = {
  window: { pastDays: 60, futureDays: 365 },
  shifts: { scheduleIds: ['sch_day'] },
} as const

/** The person of that number. */
export function personOf(number: number): string {
  return `usr_${number}`
}

/** The project in which the person of that number works. */
export function projectOf(number: number): string {
  return `prj_${Math.floor(number / team)}`
}

/** A company of the people of these numbers, with all of theirs. */
export async function startSpeedCompany(numbers: Iterable<number>): Promise<CompanyServer> {
  const company = await startCompanyServer()
  company.records.schedules = [daySchedule]
  for (const number of numbers) addPerson(company.records, number)
  return company
}

const hours = { start: '09:00', end: '17:30' }
const daySchedule = {
  id: 'sch_day',
  name: 'Day shift',
  type: 'FIXED',
  isActive: true,
  pattern: { monday: hours, tuesday: hours, wednesday: hours, thursday: hours, friday: hours },
}

function addPerson(records: CompanyRecords, number: number): void {
  const id = personOf(number)
  const user = { id, firstName: `First${number}`, lastName: `Last${number}`, isActive: true }
  records.users.push(user)
  records.leaves[id] = Array.from({ length: leavesEach }, (_, index) =>
    leave(`lv_${number}_${index}`, day(index * 33 + (number % 20) - 55)),
  )
  for (let index = 0; index < timesheetsEach; index += 1) {
    const start = index * 14 - 50
    const sheet = timesheet(`clq${number}s${index}`, id, day(start), day(start + 13))
    records.timesheets.push(sheet)
  }
  const tasks = (records.tasks[projectOf(number)] ??= [])
  for (let index = 0; index < tasksEach; index += 1)
    tasks.push(task(`tsk_${number}_${index}`, day(index * 50 + (number % 7) - 20), [user]))
}

/** So many days after today, in UTC. */
function day(after: number): string {
  return new Date(Date.now() + after * dayMs).toISOString().slice(0, 10)
}

/* Which days are taken for public holidays. */
import { type Finding, findingOf } from '../../domain/examination.ts'
import { addDays } from '../../domain/plain-date.ts'
import type { Inquiry } from '../inquiry.ts'

const daysShown = 365

/** Lists the days of the next twelve months by the places of the company and of its schedules. */
export function checkHolidays(inquiry: Inquiry): Finding {
  const { holidays, scheduleHolidays } = inquiry.connection.company
  const check = 'public holidays'
  const ofSchedules = Object.entries(scheduleHolidays)
  if (holidays.length === 0 && ofSchedules.length === 0) {
    const means =
      'Shifts are shown on public holidays, too. WORKFORCE_HOLIDAYS, or "holidays" in COMPANIES_FILE, names the place whose days off hide them, such as DE-BY.'
    return findingOf({ check, level: 'ok', seen: 'No place is set.', means })
  }
  const seen = [
    sayHolidays(inquiry, 'The company', holidays),
    ...ofSchedules.map(([id, places]) => sayHolidays(inquiry, `The schedule ${id}`, places)),
  ].join('\n')
  const means =
    'These are the days off of the next twelve months, as the package date-holidays knows them. Shifts of fixed and flexible schedules are not shown on them unless a calendar says otherwise.'
  return findingOf({ check, level: 'ok', seen, means })
}

function sayHolidays(
  { connection: { company }, now, zoneClock, holidaysIn }: Inquiry,
  who: string,
  places: readonly string[],
): string {
  if (places.length === 0) return `${who} has no holidays.`
  const today = zoneClock(company.timezone).dateAt(now)
  const days = [...holidaysIn(places, today, addDays(today, daysShown - 1))]
  const list = days.map(([date, name]) => `${date} ${name}`).join(', ')
  return `${who} (${places.join(', ')}): ${list}.`
}

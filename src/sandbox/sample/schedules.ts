import type { CompanyRecords } from '../../wire/company-file.ts'
import type { SampleWords } from './words/words.ts'

const day = { start: '09:00', end: '17:30' }
const friday = { start: '09:00', end: '15:00' }
const night = { start: '22:00', end: '06:00' }
const early = { start: '06:00', end: '14:00' }
const late = { start: '14:00', end: '22:00' }
const core = { start: '10:00', end: '15:00' }
const short = { start: '08:00', end: '12:00' }

function onWeekdays(hours: object): Record<string, object> {
  return { monday: hours, tuesday: hours, wednesday: hours, thursday: hours, friday: hours }
}

const schedules = [
  { id: 'sch_day', type: 'FIXED', isActive: true, pattern: { ...onWeekdays(day), friday } },
  {
    id: 'sch_night',
    type: 'FIXED',
    isActive: true,
    pattern: { friday: night, saturday: night, sunday: night },
  },
  { id: 'sch_flex', type: 'FLEXIBLE', isActive: true, pattern: onWeekdays(core) },
  { id: 'sch_early', type: 'ROTATING', isActive: true, pattern: onWeekdays(early) },
  { id: 'sch_late', type: 'ROTATING', isActive: true, pattern: onWeekdays(late) },
  {
    id: 'sch_summer',
    type: 'FIXED',
    isActive: false,
    pattern: { monday: short, wednesday: short, saturday: short },
  },
] as const

/** Schedules of all types; `sch_day` is the default one. */
export function sampleSchedules(words: SampleWords): CompanyRecords['schedules'][] {
  return schedules.map((schedule) => ({
    ...schedule,
    name: words.schedules[schedule.id] ?? schedule.id,
  }))
}

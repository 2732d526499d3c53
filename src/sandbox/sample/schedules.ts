import type { CompanyRecords } from '../../wire/company-file.ts'
import type { SampleWords } from './words.ts'

/** Returns schedules of all types; `sch_day` is the default. */
export function sampleSchedules({ schedules }: SampleWords): CompanyRecords['schedules'][] {
  const night = { start: '22:00', end: '06:00' }
  const short = { start: '08:00', end: '12:00' }
  const friday = { start: '09:00', end: '15:00' }
  const patterns = [
    ['sch_day', 'FIXED', { ...onWeekdays('09:00', '17:30'), friday }],
    ['sch_night', 'FIXED', { friday: night, saturday: night, sunday: night }],
    ['sch_flex', 'FLEXIBLE', onWeekdays('10:00', '15:00')],
    ['sch_early', 'ROTATING', onWeekdays('06:00', '14:00')],
    ['sch_late', 'ROTATING', onWeekdays('14:00', '22:00')],
    ['sch_summer', 'FIXED', { monday: short, wednesday: short, saturday: short }],
  ] as const
  return patterns.map(([id, type, pattern]) => ({
    id,
    type,
    isActive: id !== 'sch_summer',
    pattern,
    name: schedules[id],
  }))
}

function onWeekdays(start: string, end: string) {
  const hours = { start, end }
  return { monday: hours, tuesday: hours, wednesday: hours, thursday: hours, friday: hours }
}

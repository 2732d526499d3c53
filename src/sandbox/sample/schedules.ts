import type { CompanyRecords } from '../../wire/company-file.ts'

const day = { start: '09:00', end: '17:30' }
const night = { start: '22:00', end: '06:00' }
const early = { start: '06:00', end: '14:00' }
const late = { start: '14:00', end: '22:00' }
const core = { start: '10:00', end: '15:00' }
const short = { start: '08:00', end: '12:00' }

function onWeekdays(hours: object): Record<string, object> {
  return { monday: hours, tuesday: hours, wednesday: hours, thursday: hours, friday: hours }
}

/** Schedules of all types; `sch_day` is the default one, its Friday the weekly night shift. */
export const sampleSchedules: CompanyRecords['schedules'][] = [
  {
    id: 'sch_day',
    name: 'Day shift',
    type: 'FIXED',
    isActive: true,
    pattern: { ...onWeekdays(day), friday: night },
  },
  {
    id: 'sch_flex',
    name: 'Flexitime',
    type: 'FLEXIBLE',
    isActive: true,
    pattern: onWeekdays(core),
  },
  {
    id: 'sch_early',
    name: 'Early shift',
    type: 'ROTATING',
    isActive: true,
    pattern: onWeekdays(early),
  },
  {
    id: 'sch_late',
    name: 'Late shift',
    type: 'ROTATING',
    isActive: true,
    pattern: onWeekdays(late),
  },
  {
    id: 'sch_summer',
    name: 'Summer hours',
    type: 'FIXED',
    isActive: false,
    pattern: { monday: short, wednesday: short, saturday: short },
  },
]

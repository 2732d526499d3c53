import { z } from 'zod'

import type { Schedule } from '../domain/schedule.ts'
import { type Fields, id, optionalFlag, optionalText } from './fields.ts'
import { forgiving, type ReadRecord } from './forgiving.ts'

/** JSON ↔ Schedule; the days of the pattern pass as they came, each to be read on its own. */
export const scheduleCodec = z.looseObject({
  id,
  name: optionalText,
  type: optionalText,
  isActive: optionalFlag,
  pattern: z.record(z.string(), z.unknown()).nullish(),
} satisfies Fields<Schedule>)

/** What a calendar can show of a schedule. */
export const readSchedule: ReadRecord<Schedule> = forgiving(scheduleCodec.strip(), [
  'isActive',
  'type',
  'pattern',
])

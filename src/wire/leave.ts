import { z } from 'zod'

import type { Leave, LeaveType } from '../domain/leave.ts'
import {
  type Fields,
  id,
  instant,
  optionalName,
  optionalNumber,
  optionalShownText,
  optionalText,
  optionalWord,
  word,
  forgiving,
  type ReadRecord,
} from './fields.ts'

const leaveType = z.looseObject({
  name: optionalText,
  category: optionalText,
} satisfies Fields<LeaveType>)

/** JSON ↔ Leave; preserves unknown statuses and further fields. */
export const leaveCodec = z.looseObject({
  id,
  startDate: instant,
  endDate: instant,
  status: z.string(),
  days: optionalNumber,
  reason: optionalText,
  leaveType: leaveType.nullish(),
} satisfies Fields<Omit<Leave, 'hasBegun'>>)

const shown = leaveCodec
  .pick({ id: true, startDate: true, days: true })
  .extend({
    endDate: instant.nullable(),
    status: word,
    reason: optionalShownText,
    leaveType: z.object({ name: optionalName, category: optionalWord }).nullish(),
  })
  .strip()

/** Reads what a calendar can show of a leave. */
export const readLeave: ReadRecord<Leave> = forgiving(shown)

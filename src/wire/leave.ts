import { z } from 'zod'

import type { Leave, LeaveType } from '../domain/leave.ts'
import { type Fields, id, instant, optionalNumber, optionalText } from './fields.ts'
import { forgiving, type ReadRecord } from './forgiving.ts'

const leaveType = z.looseObject({
  name: optionalText,
  category: optionalText,
} satisfies Fields<LeaveType>)

/** JSON ↔ Leave; unknown statuses and further fields are kept. */
export const leaveCodec = z.looseObject({
  id,
  startDate: instant,
  endDate: instant,
  status: z.string(),
  days: optionalNumber,
  reason: optionalText,
  leaveType: leaveType.nullish(),
} satisfies Fields<Leave>)

const shown = leaveCodec
  .pick({ id: true, startDate: true, endDate: true, status: true, days: true, reason: true })
  .extend({ leaveType: leaveType.pick({ name: true }).strip().nullish() })
  .strip()

/** What a calendar can show of a leave. */
export const readLeave: ReadRecord<Leave> = forgiving(shown)

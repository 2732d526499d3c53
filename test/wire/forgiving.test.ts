import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { readShiftPattern } from '../../src/calendar/shifts.ts'
import { plainLine } from '../../src/text/plain-text.ts'
import type { ReadRecord } from '../../src/wire/fields.ts'
import { invoiceCodec, readInvoice } from '../../src/wire/invoice.ts'
import { leaveCodec, readLeave } from '../../src/wire/leave.ts'
import { readSchedule, scheduleCodec } from '../../src/wire/schedule.ts'
import { readTask, taskCodec } from '../../src/wire/task.ts'
import { readTimesheet, timesheetCodec } from '../../src/wire/timesheet.ts'
import { readUser, userCodec } from '../../src/wire/user.ts'
import { wireRecords } from '../support/company/wire-arbitraries.ts'

const required = {
  leave: ['id', 'startDate', 'endDate', 'status'],
  timesheet: ['id', 'userId', 'periodStart', 'periodEnd', 'status'],
  task: ['id'],
  schedule: ['id'],
  user: ['id'],
  invoice: ['id'],
}

const readers = [
  ['leave', leaveCodec, readLeave],
  ['timesheet', timesheetCodec, readTimesheet],
  ['task', taskCodec, readTask],
  ['schedule', scheduleCodec, readSchedule],
  ['user', userCodec, readUser],
  ['invoice', invoiceCodec, readInvoice],
] as const

const damages = fc.constantFrom('', null, 3, {}, [], [null], true, 'x'.repeat(300), '\u0000')

describe.each(readers)('%s', (name, codec, reader) => {
  const read: ReadRecord<object> = reader

  it('a fitting record is read unchanged, with nothing in doubt', () => {
    fc.assert(
      fc.property(wireRecords[name].map(withPlainTexts), (json) => {
        const { record, unfit, inDoubt } = read(json)
        const { pattern: _, ...others } = { pattern: undefined, ...(record ?? { id: 'none' }) }
        expect(codec.decode(json as never)).toMatchObject(others)
        expect([...unfit, ...inDoubt]).toEqual([])
      }),
    )
  })

  it('a damaged field costs the record only if it is required, otherwise only the field', () => {
    const fields = fc.constantFrom(...Object.keys(codec.shape))
    fc.assert(
      fc.property(wireRecords[name].map(withPlainTexts), fields, damages, (json, field, damage) => {
        const { record, unfit } = read({ ...json, [field]: damage })
        const others = { ...read(json).record, [field]: undefined }
        const isLost = unfit.length > 0 && required[name].includes(field)
        expect(record && { ...record, [field]: undefined }).toEqual(isLost ? undefined : others)
        expect(unfit.every(({ path }) => path[0] === field)).toBe(true)
      }),
    )
  })

  it('reading any value gives a result', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        const { record, unfit } = read(json)
        expect(record !== undefined || unfit.length > 0).toBe(true)
      }),
    )
  })
})

it('the days of a schedule are read independently of its other fields', () => {
  fc.assert(
    fc.property(wireRecords.schedule, (json) => {
      const { pattern } = scheduleCodec.decode(json as never)
      expect(readShiftPattern(readSchedule(json).record?.pattern).days).toEqual(
        readShiftPattern(pattern).days,
      )
    }),
  )
})

/** What no text may hold is taken out as it is read. */
function withPlainTexts(json: object): object {
  const plain: unknown = JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
    typeof value === 'string' ? plainLine(value) : value,
  )
  return plain as object
}

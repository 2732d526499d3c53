import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'

import { invoiceCodec } from '../../src/wire/invoice.ts'
import { leaveCodec } from '../../src/wire/leave.ts'
import { scheduleCodec } from '../../src/wire/schedule.ts'
import { taskCodec } from '../../src/wire/task.ts'
import { timesheetCodec } from '../../src/wire/timesheet.ts'
import { userCodec } from '../../src/wire/user.ts'
import { wireRecords } from '../support/company/wire-arbitraries.ts'

const codecs = [
  ['leave', leaveCodec, ['id', 'startDate', 'endDate', 'status']],
  ['timesheet', timesheetCodec, ['id', 'userId', 'periodStart', 'periodEnd', 'status']],
  ['task', taskCodec, ['id']],
  ['schedule', scheduleCodec, ['id']],
  ['user', userCodec, ['id']],
  ['invoice', invoiceCodec, ['id']],
] as const

const timestampFields = /^(startDate|endDate|period(Start|End)|date|dueDate|issueDate|\w+edAt)$/

describe.each(codecs)('%s', (name, schema, required) => {
  const codec: z.ZodType = schema

  it('a record is unchanged after decoding and encoding, with missing, null and unknown fields', () => {
    fc.assert(
      fc.property(wireRecords[name], (json) => {
        expect(codec.encode(codec.decode(json))).toEqual(json)
      }),
    )
  })

  it('a decoded record has instants instead of timestamps and is otherwise the same', () => {
    fc.assert(
      fc.property(wireRecords[name], (json) => {
        const instants: unknown = JSON.parse(JSON.stringify(json), (key, value: unknown) =>
          timestampFields.test(key) && typeof value === 'string' ? Date.parse(value) : value,
        )
        expect(codec.decode(json)).toEqual(instants)
      }),
    )
  })

  it.each(required)('%s is required and may not be null', (field) => {
    fc.assert(
      fc.property(wireRecords[name], fc.constantFrom(undefined, null), (json, nothing) => {
        const result = codec.safeDecode({ ...json, [field]: nothing })
        expect(result.error?.issues.map((issue) => issue.path)).toEqual([[field]])
      }),
      { numRuns: 10 },
    )
  })

  it('decoding always gives a result, never an exception', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(typeof codec.safeDecode(json).success).toBe('boolean')
      }),
    )
  })
})

const leave = {
  id: 'lv_1',
  startDate: '2026-01-05T00:00:00.000Z',
  endDate: '2026-01-05T00:00:00.000Z',
  status: 'APPROVED',
}

describe('timestamps', () => {
  it.each([
    ['2026-01-05T09:30:00.000Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00Z', '2026-01-05T09:30:00.000Z'],
    ['2026-01-05T09:30:00.5Z', '2026-01-05T09:30:00.500Z'],
    ['2026-01-05T09:30:00.123456Z', '2026-01-05T09:30:00.123Z'],
    ['2026-01-05T09:30:00+01:00', '2026-01-05T08:30:00.000Z'],
    ['2026-01-05T00:30:00.000-03:30', '2026-01-05T04:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', '2024-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00.000Z', '0000-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is read as %s', (text, canonical) => {
    const decoded = leaveCodec.decode({ ...leave, startDate: text })
    expect(decoded.startDate).toBe(Date.parse(canonical))
    expect(leaveCodec.encode(decoded).startDate).toBe(canonical)
  })

  it.each([
    '',
    'soon',
    '2026-01-05',
    '2026-01-05T09:30:00',
    '2026-02-29T00:00:00.000Z',
    '2026-13-01T00:00:00.000Z',
    '2026-01-05T24:00:00.000Z',
    '2026-01-05T23:59:60.000Z',
    '9999-12-31T23:59:59.999-05:00',
    '0000-01-01T00:00:00.000+05:00',
    '+012026-01-05T00:00:00.000Z',
    ' 2026-01-05T00:00:00.000Z',
    1_767_571_200_000,
    null,
  ])('%j is rejected, and the message does not repeat it', (value) => {
    const { error } = (leaveCodec as z.ZodType).safeDecode({ ...leave, startDate: value })
    expect(error?.issues.map(({ path, message }) => ({ path, message }))).toEqual([
      { path: ['startDate'], message: 'Invalid input: expected ISO 8601 timestamp' },
    ])
  })

  it.each([Number.NaN, Infinity, -Infinity, 0.5, 8.64e15, -8.64e15, 253_402_300_800_000])(
    'the instant %d cannot be encoded',
    (startDate) => {
      expect(leaveCodec.safeEncode({ ...leaveCodec.decode(leave), startDate }).success).toBe(false)
    },
  )
})

describe('identifiers', () => {
  it.each(['a', 'lv_ÄÖ/..?#', ' ', 'x'.repeat(256), '😀'.repeat(256)])(
    '%j is an identifier',
    (id) => {
      expect(leaveCodec.decode({ ...leave, id }).id).toBe(id)
    },
  )

  it.each(['', 'x'.repeat(257), 'a\u0000b', 'a\nb', '\u0085', '\uD83D'])(
    '%j is not an identifier',
    (id) => {
      expect(leaveCodec.safeDecode({ ...leave, id }).error?.issues[0]).toMatchObject({
        path: ['id'],
        message: 'Invalid input: expected identifier',
      })
    },
  )
})

it('an unknown field name cannot reach the prototype', () => {
  const json: unknown = JSON.parse('{"id":"sch_1","__proto__":{"isActive":false}}')
  expect(scheduleCodec.parse(json).isActive).toBeUndefined()
})

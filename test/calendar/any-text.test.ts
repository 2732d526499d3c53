import fc from 'fast-check'
import { describe, expect, inject, it } from 'vitest'

import { at, calendarSource, renderSource } from '../support/calendar/calendar-source.ts'
import { lintCalendar } from '../support/calendar/ics-lint.ts'
import {
  type ParsedEvent,
  parseWithIcalJs,
  parseWithNodeIcal,
} from '../support/calendar/parsers.ts'

const nasty = [
  '\r\n',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u0000',
  '\u001B',
  '\u007F',
  '\u009F',
  '\t',
  ' ',
  '\uD83D',
  '\uDE00',
  '😀',
  '👩‍👩‍👧‍👦',
  '\u200D',
  '\u0301',
  '🇩🇪',
  '\uFEFF',
  '\\',
  '\\n',
  ';',
  ',',
  ':',
  '"',
  '^n',
  'BEGIN:VEVENT',
  'END:VEVENT\r\n',
  'END:VCALENDAR\r\n',
  'END:VALARM',
  '<b>',
  '&amp;',
  '${x}',
  '$&',
  '%',
  'é'.repeat(40),
]
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(fc.constantFrom(...nasty), { maxLength: 40 }).map((parts) => parts.join('')),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 100 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(...nasty).map((part) => part.repeat(5000)),
)
const maybe = fc.option(text)
const id = text.map((any) => `x${any}`.slice(0, 256))

const texts = fc.record({
  name: text,
  leaveType: maybe,
  reason: maybe,
  schedule: maybe,
  title: maybe,
  description: maybe,
  status: text,
  invoiceNumber: maybe,
  currency: maybe,
  recipient: maybe,
  firstName: maybe,
  lastName: maybe,
  id,
  user: id,
  template: fc.oneof(
    text,
    text.map((path) => `https://hr.example/${path}{kind}/{id}`),
  ),
})

function kindsOf(events: readonly ParsedEvent[]): (string | undefined)[] {
  return events.map(({ uid }) => uid.split('-')[0]).toSorted((a = '', b = '') => (a < b ? -1 : 1))
}

describe('any text in any field', () => {
  it.each(['own', 'others'] as const)(
    'Keeps the feed sound and every event in it (%s)',
    (audience) => {
      const property = fc.property(texts, fc.constantFrom('en', 'de'), (any, locale) => {
        const { user, status } = any
        const day = at('2026-03-05')
        const source = calendarSource({
          feed: {
            audience,
            locale,
            name: any.name,
            userIds: [user],
            companyId: any.id,
          },
          company: { recordUrl: any.template },
          options: {
            window: { pastDays: 0, futureDays: 0 },
            leaves: { detail: 'full' },
            shifts: { scheduleIds: [any.id], duringLeave: 'show' },
            invoices: { invoiceIds: [any.id] },
            reminderMinutes: 10,
          },
          leavesOf: {
            [user]: [
              {
                id: any.id,
                startDate: day,
                endDate: day,
                status: 'PENDING',
                reason: any.reason,
                leaveType: { name: any.leaveType },
              },
            ],
          },
          records: {
            users: [{ id: user, firstName: any.firstName, lastName: any.lastName }],
            schedules: [
              {
                id: any.id,
                name: any.schedule,
                pattern: { thursday: { start: '09:00', end: '17:00' } },
              },
            ],
            timesheets: [{ id: any.id, userId: user, periodStart: day, periodEnd: day, status }],
            tasks: [
              {
                id: any.id,
                status,
                title: any.title,
                description: any.description,
                dueDate: day,
                assignees: [{ id: user, firstName: any.lastName }],
              },
            ],
            invoices: [
              {
                id: any.id,
                dueDate: day,
                invoiceNumber: any.invoiceNumber,
                currency: any.currency,
                totalAmount: 1,
                recipient: { name: any.recipient },
              },
            ],
          },
        })
        const calendar = renderSource(source)
        expect(lintCalendar(calendar)).toEqual([])
        const kinds = ['invoice', 'leave', 'shift', 'shift', 'shift', 'shift', 'task', 'timesheet']
        for (const parse of [parseWithIcalJs, parseWithNodeIcal]) {
          const events = parse(calendar)
          expect(kindsOf(events)).toEqual(kinds)
          expect(new Set(events.map(({ uid }) => uid)).size).toBe(kinds.length)
        }
      })
      fc.assert(property, { numRuns: inject('isThorough') ? 2000 : 40 })
    },
  )
})

/* Whatever text stands wherever in what a Read API answers: nothing fails for it, and nothing of it steers a terminal. */
import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import { printable } from '../src/text/plain-text.ts'
import { calendarUrl } from './support/bridge/bridge.ts'
import { runCommand } from './support/bridge/command-line.ts'
import { it as base, pollNow } from './support/bridge/fixtures.ts'
import { allOr } from './support/bridge/thorough.ts'
import type { CompanyRecords } from './support/company/company-server.ts'
import { leave, task, timesheet, twoPeople } from './support/company/people.ts'
import { databases } from './support/database/databases.ts'

const it = base.extend('settings', { FEED_FRESH_SECONDS: '60', WORKFORCE_SHRINK_GUARD: 'off' })

/** Of all kinds, each with every text that the Read API has. */
function recordsOf(): CompanyRecords {
  const assignees = [{ id: 'usr_ada', firstName: 'Ada', lastName: 'Lovelace' }]
  return {
    ...twoPeople(),
    users: [
      {
        id: 'usr_ada',
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.com',
        isActive: true,
        assignedManagerId: 'usr_bob',
      },
      { id: 'usr_bob', firstName: 'Bob', lastName: 'Noyce', isActive: true },
    ],
    leaves: { usr_ada: [leave('lv_1', '2026-01-06', { reason: 'Rest' })] },
    timesheets: [timesheet('ts_1', 'usr_ada', '2026-01-05', '2026-01-11')],
    tasks: {
      prj_web: [
        { ...task('task_1', '2026-01-07', assignees), description: 'Do it', status: 'OPEN' },
        task('task_2', '2026-01-08', assignees),
      ],
    },
    schedules: [
      {
        id: 'sch_day',
        name: 'Day',
        type: 'FIXED',
        isActive: true,
        pattern: { monday: { start: '09:00', end: '17:00' } },
      },
    ],
    invoices: [
      {
        id: 'inv_1',
        invoiceNumber: 'INV-1',
        status: 'SENT',
        dueDate: '2026-01-09T00:00:00.000Z',
        totalAmount: 5,
        currency: 'EUR',
        recipient: { name: 'Acme' },
      },
    ],
  }
}

const everyKind = {
  leaves: { detail: 'full' },
  invoices: { show: true, invoiceIds: ['inv_1'] },
  shifts: { scheduleIds: ['sch_day'] },
}

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\u001B[31m\u001B]0;x\u0007',
    '\u009B2J',
    '\uD800',
    '\uFEFF\uFFFE',
    '\u202Eabc\u2066',
    '\r\nBEGIN:VEVENT\r\n',
    'é'.repeat(300_000),
    '__proto__',
    '',
  ),
)

/** Controls but line breaks and tabs, and what else no text holds. */
const forbidden = /(?![\t\r\n])\p{Cc}|[\p{Cs}\uFFFE]/u

describe.each(allOr(databases, ({ name }) => name === 'SQLite'))(
  'on $name',
  ({ createMigrated }) => {
    it.override('databaseUrl', () => createMigrated())

    it('any text in any field of any record does no harm', async ({
      bridge,
      company,
      clock,
      environment,
    }) => {
      Object.assign(company.records, recordsOf())
      const address = calendarUrl(
        await bridge.createFeed({ userIds: ['usr_ada'], options: everyKind }),
      )
      const places = placesIn(recordsOf()).filter((place) => !isOwnersId(place))
      let turn = 0
      const damage = async (text: string): Promise<void> => {
        const records = recordsOf()
        const place = places[turn % places.length] ?? []
        turn += 1
        put(records, place, text)
        Object.assign(company.records, records)
        await clock.advance(13 * 3_600_000)
        await expectServed(address, place)
      }
      while (turn < places.length) await damage('a\u0000\u001B[31m')
      await fc.assert(fc.asyncProperty(hostile, damage), {
        numRuns: inject('isThorough') ? 100 : 3,
      })
      for (const place of places) put(company.records, place, 'a\u0000\u001B[31m\u009B')
      for (const words of [['doctor'], ['feed', 'candidates'], ['feed', 'list']]) {
        const { output, errors } = await runCommand(environment, ...words)
        expect(output + errors).not.toMatch(forbidden)
        expect(output).not.toBe('')
      }
    })
  },
)

/** Both a calendar and its page, in which nothing forbidden stands and nothing endless. */
async function expectServed(address: string, place: Place): Promise<void> {
  for (const url of [address, new URL('.', address).href]) {
    const { status, text } = await pollNow(url)
    expect([place, url === address, status]).toEqual([place, url === address, 200])
    expect(text.length).toBeLessThan(100_000)
    expect(text).not.toMatch(forbidden)
  }
}

/** Without which the person would be somebody else. */
function isOwnersId([kind, index, field]: Place): boolean {
  return kind === 'users' && index === 0 && field === 'id'
}

base('text that could control a terminal is printed as JSON writes it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const printed = printable(text)
      expect(printed).not.toMatch(/(?!\t|\r\n|\n)\p{Cc}|[\p{Cs}\u2028-\u202E\u2066-\u2069]/u)
      expect(JSON.parse(printable(JSON.stringify(text)))).toBe(text)
    }),
  )
})

type Place = readonly (string | number)[]

/** Where texts stand. */
function placesIn(value: unknown, place: Place = []): readonly Place[] {
  if (typeof value === 'string') return [place]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    placesIn(inner, [...place, Array.isArray(value) ? Number(key) : key]),
  )
}

function put(value: object, [key, ...rest]: Place, text: string): void {
  if (rest.length === 0) Reflect.set(value, key ?? '', text)
  else put(Reflect.get(value, key ?? '') as object, rest, text)
}

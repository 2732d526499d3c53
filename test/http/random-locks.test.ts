/* Whenever the database is locked, no calendar goes back, and none changes without a SEQUENCE. */
import { setImmediate as nextTurn } from 'node:timers/promises'

import fc from 'fast-check'
import { expect, inject, it } from 'vitest'

import { passUntil } from '../support/adversary/pass-until.ts'
import { adminToken, calendarUrl, readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { type PollAnswer, pollNow } from '../support/bridge/fixtures.ts'
import { readCalendar } from '../support/calendar/read-calendar.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { leave, twoPeople } from '../support/company/people.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import { openOther } from '../support/database/locks.ts'
import { migratedName } from '../support/database/migrated.ts'
import { createTestDatabase } from '../support/database/postgres.ts'

const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ polls: fc.integer({ min: 1, max: 5 }) }) },
    { weight: 2, arbitrary: fc.record({ lock: fc.nat() }) },
    { weight: 2, arbitrary: fc.constant({ release: true } as const) },
    { weight: 2, arbitrary: fc.constant({ change: true } as const) },
    { weight: 2, arbitrary: fc.record({ passMs: fc.constantFrom(1000, 61_000, 3_600_000) }) },
  ),
  { minLength: 10, maxLength: 30 },
)

const tables = ['links', 'feeds', 'copies', 'ledgers', 'proofs']

/** The number that the leave is called by in that calendar. */
function stateIn({ text }: PollAnswer): number {
  return Number(/SUMMARY:[^\n]*State (\d+)/.exec(text)?.[1])
}

it.each([
  {
    name: 'SQLite',
    create: async () => migratedSqliteDatabase(),
    lockOf: (which: number) => (which % 2 === 0 ? 'begin immediate' : 'begin exclusive'),
    numRuns: inject('isThorough') ? 40 : 3,
  },
  {
    name: 'PostgreSQL',
    create: () => createTestDatabase(migratedName),
    lockOf: (which: number) =>
      `lock table ${tables[which % tables.length]} in access exclusive mode`,
    numRuns: inject('isThorough') ? 40 : 2,
  },
])(
  'no calendar goes back or changes without SEQUENCE while the database is locked, on $name',
  async ({ create, lockOf, numRuns }) => {
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const clock = createFakeClock()
        const company = await startCompanyServer()
        Object.assign(company.records, twoPeople())
        const databaseUrl = await create()
        const environment = {
          ...readsFrom(company.url),
          DATABASE_URL: databaseUrl,
          ADMIN_TOKEN: adminToken,
          FEED_FRESH_SECONDS: '60',
        }
        const bridge = await startBridge({ clock, environment })
        const other = await openOther(databaseUrl)
        let state = 0
        const change = (): void => {
          state += 1
          const leaveType = { name: `State ${state}`, category: 'ANNUAL' }
          company.records.leaves['usr_ada'] = [leave('lv_ada1', '2026-01-12', { leaveType })]
        }
        change()
        const address = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
        const told = new Map<string, string>()
        let newest = 0
        let isLocked = false
        const release = async (): Promise<void> => {
          if (isLocked) await other.release()
          isLocked = false
        }
        const check = (answer: PollAnswer, before: number): void => {
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          expect([200, 503]).toContain(answer.status)
          if (answer.status === 503)
            return expect(answer.headers.get('Retry-After')).toMatch(/^\d+$/)
          expect(stateIn(answer)).toBeGreaterThanOrEqual(before)
          for (const { uid, sequence, content } of readCalendar(answer.text).values()) {
            const revision = `${uid} ${sequence}`
            expect(told.get(revision) ?? content).toBe(content)
            told.set(revision, content)
          }
        }
        const poll = async (count: number): Promise<void> => {
          const polls = Promise.all(Array.from({ length: count }, () => pollNow(address)))
          const answers = await passUntil(polls, async () => {
            for (let turns = 0; turns < 1000; turns += 1) await nextTurn()
            if (isLocked) await clock.advance(500)
          })
          for (const answer of answers) check(answer, newest)
          newest = Math.max(newest, ...answers.filter(({ status }) => status === 200).map(stateIn))
        }
        for (const step of all) {
          if ('polls' in step) await poll(step.polls)
          else if ('lock' in step && !isLocked) {
            await other.lock(lockOf(step.lock))
            isLocked = true
          } else if ('release' in step) await release()
          else if ('change' in step) change()
          else if ('passMs' in step) await clock.advance(step.passMs)
        }
        await release()
        // Refreshes that waited for the lock have their turn.
        await clock.advance(3_600_000)
        await poll(1)
        await clock.advance(3_600_000)
        await poll(1)
        expect(newest).toBe(state)
        await other.close()
        await bridge.close()
        await company.close()
      }),
      { numRuns },
    )
    console.log(Object.fromEntries(statuses))
    expect(statuses.get(200)).toBeGreaterThan(0)
  },
  240_000,
)

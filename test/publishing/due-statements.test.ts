/* What a poll asks of the database whose copies are due and come back as they were: as little for many people as for one. */
import { describe, expect, inject, it, onTestFinished } from 'vitest'

import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { leave, task, timesheet } from '../support/company/people.ts'
import { databases } from '../support/database/databases.ts'
import { askedBy } from '../support/database/statements.ts'

const dueMs = 600_000
/** It is counted in memory and written now and then for all polls. */
const isOfActivity = (text: string): boolean => /"(activity|polled)"/.test(text)
const day = { monday: { start: '09:00', end: '17:00' } }

describe.each(databases)('on $name', ({ createMigrated }) => {
  it.each([1, inject('isThorough') ? 50 : 8])(
    'a poll with due copies of %i people takes few statements',
    async (people) => {
      const ids = Array.from({ length: people }, (_, number) => `usr_${number}`)
      const clock = createFakeClock()
      const bridge = await startBridgeOf(ids, clock, await createMigrated())
      const feed = await bridge.createFeed({
        userIds: ids,
        audience: people > 1 ? 'others' : 'own',
        options: showingAll,
      })
      const poll = async (): Promise<string> => {
        const response = await fetch(calendarUrl(feed))
        expect([response.status, response.headers.get('x-feed-stale-seconds')]).toEqual([200, null])
        return response.text()
      }
      const text = await poll()
      for (const id of ids) expect(text).toContain(id)
      const second = await askedBy(poll, isOfActivity)
      expect([second.statements.slice(1), second.commits]).toEqual([[], 0])
      await clock.advance(dueMs)
      const due = await askedBy(poll, isOfActivity)
      expect(due.statements.slice(4)).toEqual([])
      expect(due.commits).toBe(1)
      const fresh = await askedBy(poll, isOfActivity)
      expect(fresh.statements.slice(2)).toEqual([])
      expect(fresh.commits).toBe(0)
    },
  )
})

const shown = { show: true }
const showingAll = {
  leaves: shown,
  shifts: shown,
  timesheets: shown,
  tasks: { ...shown, projectIds: ['prj_web', 'prj_app'] },
}

async function startBridgeOf(
  ids: readonly string[],
  clock: FakeClock,
  databaseUrl: string,
): Promise<TestBridge> {
  const company = await startCompanyServer()
  company.records.users = ids.map((id) => ({ id, firstName: id, lastName: 'Doe', isActive: true }))
  company.records.leaves = Object.fromEntries(
    ids.map((id) => [id, [leave(`lv_${id}`, '2026-01-12')]]),
  )
  company.records.timesheets = ids.map((id) =>
    timesheet(`ts_${id}`, id, '2026-01-01', '2026-01-15'),
  )
  company.records.tasks = {
    prj_web: [task('tsk_web', '2026-01-20', company.records.users)],
    prj_app: [task('tsk_app', '2026-01-21', company.records.users)],
  }
  company.records.schedules = [
    { id: 'sch_day', name: 'Day shift', type: 'FIXED', isActive: true, pattern: day },
  ]
  const environment = {
    ...readsFrom(company.url),
    DATABASE_URL: databaseUrl,
    WORKFORCE_SCHEDULES: 'sch_day',
  }
  const bridge = await startBridge({ clock, environment })
  onTestFinished(async () => {
    await bridge.close()
    await company.close()
  })
  return bridge
}

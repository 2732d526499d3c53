/* Whose timesheets there are, of a Read API that heeds bounds as the spec describes them, and of others. */
import { expect, it as bareIt } from 'vitest'

import { findTimesheetUsers, type TimesheetUsers } from '../../src/people/sightings.ts'
import { connectCompanies } from '../../src/process/companies.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { readsFrom } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import type { SettingChanges } from '../support/bridge/fixtures.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import type { Json } from '../support/company/company-server.ts'
import {
  answerJson,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { timesheet } from '../support/company/people.ts'

const dayMs = 86_400_000
const now = Date.UTC(2026, 3, 15)
const since = now - 100 * dayMs

interface Timesheets {
  readonly records: Json[]
  isBound: boolean
  server: MisbehavingServer
}

const it = bareIt
  .extend('records', (): Json[] => [])
  .extend('timesheets', async ({ records }, { onCleanup }): Promise<Timesheets> => {
    const server = await startMisbehavingServer((socket, request) => {
      const { searchParams } = new URL(request.path, 'http://localhost')
      const from = searchParams.get('startDate') ?? ''
      const to = searchParams.get('endDate') ?? '9'
      const data = timesheets.isBound ? records.filter((one) => isWithin(one, from, to)) : records
      answerJson({ data })(socket, request)
    })
    const timesheets = { records, isBound: true, server }
    onCleanup(() => server.close())
    return timesheets
  })
  .extend(
    'find',
    ({ timesheets: { server } }) =>
      async (settings: SettingChanges = {}): Promise<TimesheetUsers> => {
        await using open = new AsyncDisposableStack()
        const environment = { ...readsFrom(server.url), ...settings }
        const surroundings = { clock: createFakeClock(now), log: silentLog, versions: 'test' }
        const examined = await connectCompanies(readSettings(environment), surroundings, open)
        const { connection } = examined.get('main')!
        return await findTimesheetUsers(connection, { since, now }, new AbortController().signal)
      },
  )

function isWithin({ periodStart, periodEnd }: Json, from: string, to: string): boolean {
  return String(periodStart) >= from && String(periodEnd) <= to
}

/** One timesheet of that length on each day of the last hundred days on which it can begin, each of another user. */
function hire(days: number): readonly Json[] {
  return Array.from({ length: 101 - days }, (_, index) => {
    const start = since + index * dayMs
    const dates = [start, start + days * dayMs].map((instant) =>
      new Date(instant).toISOString().slice(0, 10),
    )
    return timesheet(`clq${index}`, `usr_${index}`, dates[0]!, dates[1]!)
  })
}

it.for([0, 6, 13, 15, 30])(
  'timesheets of %i days and one are all found',
  async (days, { timesheets, find }) => {
    const hired = hire(days)
    timesheets.records.push(...hired)
    const { userIds, fault } = await find()
    expect(fault).toBeUndefined()
    expect(userIds.size).toBe(hired.length)
  },
)

it('upcoming timesheets are found, and those ended over a hundred days ago are not', async ({
  timesheets,
  find,
}) => {
  timesheets.records.push(
    timesheet('clq1', 'usr_old', '2025-12-01', '2025-12-31'),
    timesheet('clq2', 'usr_new', '2026-04-16', '2026-04-30'),
  )
  expect([...(await find()).userIds]).toEqual(['usr_new'])
})

it('timesheets are requested in periods of two weeks, from midnight to midnight', async ({
  timesheets,
  find,
}) => {
  await find()
  const starts = timesheets.server.requests.map(({ path }) => {
    return new URL(path, 'http://localhost').searchParams.get('startDate')
  })
  expect(starts).toHaveLength(8)
  expect(starts.slice(0, 2)).toEqual(['2026-01-05T00:00:00.000Z', '2026-01-19T00:00:00.000Z'])
})

it('shorter periods are requested if an answer is too large; one still too large is reported', async ({
  timesheets,
  find,
}) => {
  timesheets.records.push(...hire(6))
  const limits = { WORKFORCE_BODY_BYTES_MAX: '2600' }
  const some = await find(limits)
  expect(some.fault).toBeUndefined()
  expect(timesheets.server.requests.length).toBeGreaterThan(8)
  expect(some.userIds.size).toBeGreaterThan(50)
  const none = await find({ WORKFORCE_BODY_BYTES_MAX: '1024' })
  expect(none.fault?.code).toBe('upstream_invalid')
})

it('timesheets are requested once if the Read API ignores the bounds', async ({
  timesheets,
  find,
}) => {
  timesheets.isBound = false
  timesheets.records.push(...hire(6))
  expect((await find()).userIds.size).toBe(95)
  expect(timesheets.server.requests).toHaveLength(1)
})

it('timesheets are requested once if the bounds have no parameter names', async ({
  timesheets,
  find,
}) => {
  timesheets.records.push(...hire(6))
  const names = { timesheets: { employee: 'userId', status: null, from: null, to: null } }
  expect((await find({ WORKFORCE_PARAMS: JSON.stringify(names) })).userIds.size).toBe(95)
  expect(timesheets.server.requests).toHaveLength(1)
})

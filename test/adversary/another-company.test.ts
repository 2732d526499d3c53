/* A credential that opens another company: two on one base URL, whose people have the same ids. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'

import { describe, expect, inject, it as bareIt } from 'vitest'

import { commandLine } from '../../src/domain/access/staff.ts'
import { confirmPerson } from '../../src/people/identities.ts'
import { calendarUrl, startBridge, type TestBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { pollNow } from '../support/bridge/fixtures.ts'
import { type LogLine, recordedLog } from '../support/bridge/recorded-log.ts'
import { allOr } from '../support/bridge/thorough.ts'
import {
  type CompanyRecords,
  type CompanyServer,
  startCompanyServer,
} from '../support/company/company-server.ts'
import { leave, task, timesheet } from '../support/company/people.ts'
import { anyDatabase } from '../support/database/databases.ts'
import { closeServer, listenHere } from '../support/web/local-server.ts'

const dayMs = 86_400_000
const ids = ['usr_1', 'usr_2', 'usr_3']
const names = {
  north: ['Ada', 'Bob', 'Cleo'],
  south: ['Xaver', 'Yves', 'Zoe'],
} as const
type Company = keyof typeof names

function recordsOf(company: Company): CompanyRecords {
  const users = ids.map((id, index) => {
    const firstName = names[company][index] ?? ''
    return {
      id,
      firstName,
      lastName: `${company}ern`,
      email: `${firstName}@${company}.example`,
      isActive: true,
    }
  })
  return {
    users,
    leaves: Object.fromEntries(ids.map((id) => [id, [leave(`lv_${company}_${id}`, '2026-01-12')]])),
    timesheets: ids.map((id) => timesheet(`ts_${company}_${id}`, id, '2026-01-01', '2026-01-15')),
    tasks: {
      prj_web: users.map((user) => task(`tsk_${company}_${user.id}`, '2026-01-20', [user])),
    },
    schedules: [
      {
        id: 'sch_day',
        name: `Day in the ${company}`,
        type: 'FIXED',
        isActive: true,
        pattern: { monday: { start: company === 'north' ? '09:00' : '05:00', end: '17:00' } },
      },
    ],
    invoices: [],
  }
}

/** One address for both; who asks is told by the credential alone. */
async function startFront(
  companies: ReadonlyMap<string, CompanyServer>,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const company = companies.get(request.headers.authorization ?? '')
    if (!company) {
      response.writeHead(401).end()
      return
    }
    void fetch(company.url + request.url).then(async (answer) => {
      response.writeHead(answer.status, { 'Content-Type': 'application/json' })
      response.end(await answer.text())
    })
  })
  return { url: await listenHere(server), close: () => closeServer(server) }
}

const it = bareIt
  .extend('clock', () => createFakeClock())
  .extend('databaseUrl', '')
  .extend('logged', (): LogLine[] => [])
  .extend('companies', async ({ clock: _ }, { onCleanup }) => {
    const servers = new Map<Company, CompanyServer>()
    for (const company of ['north', 'south'] as const) {
      const server = await startCompanyServer()
      Object.assign(server.records, recordsOf(company))
      servers.set(company, server)
    }
    onCleanup(async () => {
      for (const server of servers.values()) await server.close()
    })
    return servers
  })
  .extend('front', async ({ companies }, { onCleanup }) => {
    const keys = [
      ['Bearer north', companies.get('north')!],
      ['Bearer rotated', companies.get('north')!],
      ['Bearer south', companies.get('south')!],
    ] as const
    const front = await startFront(new Map(keys))
    onCleanup(() => front.close())
    return front
  })
  /** The bridge with these credentials, in place of the one that ran before. */
  .extend('start', async ({ clock, databaseUrl, front, logged }, { onCleanup }) => {
    const running: TestBridge[] = []
    onCleanup(async () => {
      await running.pop()?.close()
    })
    return async (
      credentials: Readonly<Record<Company, string>>,
      more: object = {},
    ): Promise<TestBridge> => {
      await running.pop()?.close()
      const file = join(inject('temporaryFolder'), `${randomBytes(8).toString('hex')}.json`)
      const settings = Object.entries(credentials).map(([id, token]) => ({
        id,
        baseUrl: front.url,
        auth: `bearer:${token}`,
        timezone: 'Europe/Berlin',
        projects: ['prj_web'],
        ...more,
      }))
      writeFileSync(file, JSON.stringify(settings))
      const environment = {
        COMPANIES_FILE: file,
        DATABASE_URL: databaseUrl,
        FEED_FRESH_SECONDS: '60',
        ALLOW_INSECURE: 'true',
        PUBLIC_URL: 'http://127.0.0.1:8080',
      }
      const bridge = await startBridge({ clock, environment, log: recordedLog(logged) })
      running.push(bridge)
      return bridge
    }
  })

const right = { north: 'north', south: 'south' }
const exchanged = { north: 'south', south: 'north' }

async function subscribe(bridge: TestBridge, company: Company): Promise<readonly string[]> {
  const paths: string[] = []
  for (const id of ids) {
    const feed = await bridge.createFeed({ companyId: company, userIds: [id] })
    paths.push(new URL(calendarUrl(feed)).pathname)
  }
  return paths
}

async function textsOf(bridge: TestBridge, paths: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(paths.map((path) => pollNow(bridge.listensAt + path)))
  return answers.map(({ status, text }) => (status === 200 ? text : String(status)))
}

describe.for(anyDatabase())('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', () => createMigrated())

  it('swapped credentials show no data of the other company, and the right ones keep working', async ({
    clock,
    companies,
    logged,
    start,
  }) => {
    const before = await start(right)
    const paths = [...(await subscribe(before, 'north')), ...(await subscribe(before, 'south'))]
    await clock.advance(61_000)
    const shown = await textsOf(before, paths)
    expect(shown.join('')).toContain('lv_north_usr_1')
    const after = await start(exchanged)
    for (const ms of [61_000, 3_600_000, dayMs, 3 * dayMs]) {
      await clock.advance(ms)
      expect(await textsOf(after, paths)).toEqual(shown)
    }
    const events = logged.map(({ event }) => event).filter((event) => event.startsWith('company_'))
    expect(events).toEqual(['company_held', 'company_held'])
    const examined = await after.api('GET', '/api/companies/north/examination')
    expect(((await examined.json()) as { findings: object[] }).findings).toContainEqual(
      expect.objectContaining({ check: 'another-company', level: 'wrong' }),
    )
    const people = await after.api('GET', '/api/feeds?companyId=north')
    expect(await people.text()).not.toContain('another_person')
    companies.get('north')!.records.leaves['usr_1']!.push(leave('lv_north_new', '2026-01-16'))
    const again = await start(right)
    await clock.advance(61_000)
    await textsOf(again, paths)
    await clock.advance(61_000)
    const [first, ...others] = await textsOf(again, paths)
    expect(first).toContain('lv_north_new')
    expect(others).toEqual(shown.slice(1))
    await clock.advance(10 * dayMs)
    const whole = (await textsOf(await start(exchanged), paths)).join('')
    expect(whole).not.toContain('BEGIN')
  })

  it('swapped credentials with other parameters show no data of the other company and end no calendar', async ({
    clock,
    start,
  }) => {
    const before = await start(right)
    const paths = [...(await subscribe(before, 'north')), ...(await subscribe(before, 'south'))]
    const shifts = { leaves: { show: false }, timesheets: { show: false }, tasks: { show: false } }
    const feed = await before.createFeed({
      companyId: 'north',
      userIds: ['usr_1'],
      options: shifts,
    })
    paths.push(new URL(calendarUrl(feed)).pathname)
    await clock.advance(61_000)
    expect((await textsOf(before, paths)).at(-1)).toContain('Day in the north')
    const after = await start(exchanged, { params: { leaves: { status: 'state' } } })
    for (const ms of [61_000, 3_600_000, 8 * dayMs, 61_000]) {
      await clock.advance(ms)
      expect(await textsOf(after, paths)).toEqual(paths.map(() => '503'))
    }
    const examined = await after.api('GET', '/api/companies/north/examination')
    expect(((await examined.json()) as { findings: object[] }).findings).toContainEqual(
      expect.objectContaining({ check: 'another-company', level: 'wrong' }),
    )
    await start(right)
  })

  it('credentials swapped after a day of missing users show no data of the other company', async ({
    clock,
    companies,
    start,
  }) => {
    const before = await start(right)
    const paths = await subscribe(before, 'north')
    await clock.advance(61_000)
    await textsOf(before, paths)
    companies.get('north')!.faults.set('/users/', 404)
    await clock.advance(dayMs)
    await textsOf(before, paths)
    await clock.advance(61_000)
    const after = await start(exchanged)
    for (const ms of [61_000, 3_600_000, dayMs]) {
      await clock.advance(ms)
      expect((await textsOf(after, paths)).join('')).not.toContain('south')
    }
  })

  it.for(allOr([404, 403], (status) => status === 404))(
    'when a new credential finds no known person (%s), confirming one of them makes it trusted',
    async (status, { clock, companies, start }) => {
      const before = await start(right)
      const paths = await subscribe(before, 'north')
      await clock.advance(61_000)
      const shown = await textsOf(before, paths)
      const { records, faults } = companies.get('north')!
      faults.set('/users/', status)
      const after = await start({ ...right, north: 'rotated' })
      await clock.advance(61_000)
      expect(await textsOf(after, paths)).toEqual(shown)
      const { confirming } = await after.node()
      const usr1 = { userId: 'usr_1', companyId: 'north', isSame: true }
      await confirmPerson(confirming, usr1, commandLine)
      faults.clear()
      records.leaves['usr_2']!.push(leave('lv_north_new', '2026-01-16'))
      for (let polls = 0; polls < 2; polls += 1) {
        await clock.advance(61_000)
        await textsOf(after, paths)
      }
      expect((await textsOf(after, paths)).join('')).toContain('lv_north_new')
    },
  )

  it('a new credential of the same company is trusted at once, with two calls', async ({
    clock,
    companies,
    start,
  }) => {
    const before = await start(right)
    const [address = ''] = await subscribe(before, 'north')
    await subscribe(before, 'south')
    for (const pause of [61_000, 61_000]) {
      await clock.advance(pause)
      await textsOf(before, [address])
    }
    const { requests, records } = companies.get('north')!
    records.leaves['usr_1']!.push(leave('lv_north_new', '2026-01-16'))
    const after = await start({ ...right, north: 'rotated' })
    requests.length = 0
    await clock.advance(61_000)
    expect((await textsOf(after, [address])).join('')).toContain('lv_north_new')
    expect(requests.slice(0, 2)).toEqual([
      '/api/public/v1/users/usr_1',
      '/api/public/v1/users/usr_2',
    ])
    expect(requests[2]).not.toContain('/users/')
  })

  it('confirming one person makes the credential trusted; the others are held one by one', async ({
    clock,
    companies,
    start,
  }) => {
    const before = await start(right)
    const paths = await subscribe(before, 'north')
    await subscribe(before, 'south')
    await clock.advance(61_000)
    const shown = await textsOf(before, paths)
    const after = await start({ ...right, north: 'south' })
    await clock.advance(61_000)
    await textsOf(after, paths)
    const { confirming } = await after.node()
    const confirmed = confirmPerson(
      confirming,
      { userId: 'usr_1', companyId: 'north', isSame: true },
      commandLine,
    )
    expect(await confirmed).toEqual({ userId: 'usr_1', companyId: 'north', person: 'same' })
    companies.get('south')!.records.users[0] = recordsOf('south').users[0]!
    for (let polls = 0; polls < 3; polls += 1) {
      await clock.advance(61_000)
      await textsOf(after, paths)
    }
    const [, second, third] = await textsOf(after, paths)
    for (const text of [second, third]) {
      expect(text).not.toContain('lv_south')
      expect(text).toContain('lv_north')
    }
    expect(shown).toHaveLength(3)
  })
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, onTestFinished, test } from 'vitest'

import type { Finding } from '../../src/domain/examination.ts'
import type { CompanyFile } from '../../src/wire/company-file.ts'
import { readsFrom, startBridge } from '../support/bridge.ts'
import { type CompanyServer, startCompanyServer } from '../support/company-server.ts'
import { examineApi, findingOf, settingsOf } from '../support/examine.ts'
import { type ForeignStyle, startForeignApi } from '../support/foreign-api.ts'
import { ada, bob, leave, timesheet } from '../support/people.ts'

interface Seen {
  readonly name: string
  readonly api: ForeignStyle
  readonly environment?: Readonly<Record<string, string>>
  readonly check: string
  readonly finding: Partial<Record<keyof Finding, unknown>>
}

const noFilters = {
  timesheets: { employee: null, status: null, from: null, to: null },
  leaves: { employee: 'userId', status: null },
  schedules: { type: null, active: null },
}
/** Thursday to Tuesday. */
const overWeekend = { startDate: '2026-01-08T00:00:00.000Z', endDate: '2026-01-13T00:00:00.000Z' }
const saying = (pattern: RegExp): unknown => expect.stringMatching(pattern)

function withLeaves(
  alter: (leaves: NonNullable<CompanyFile['leaves']>) => CompanyFile['leaves'],
): ForeignStyle {
  return { alter: (company) => ({ ...company, leaves: alter(company.leaves ?? []) }) }
}

function params(names: object): Readonly<Record<string, string>> {
  return { WORKFORCE_PARAMS: JSON.stringify(names) }
}

const seen: readonly Seen[] = [
  {
    name: 'a company without any records can be served',
    api: { alter: () => ({ schedules: [] }) },
    check: 'leaves-employee',
    finding: { ok: true, seen: saying(/nothing to compare/) },
  },
  {
    name: 'leaves that no parameter tells apart',
    api: { parameters: { ...noFilters, leaves: { employee: null, status: null } } },
    check: 'leaves-employee',
    finding: {
      ok: false,
      means: saying(/served without them.*FEED_STALE_DAYS.*No other usual name/),
      set: null,
    },
  },
  {
    name: 'a name of leaves’ employee that is not set though the default is right',
    api: {},
    environment: params({ leaves: { employee: null } }),
    check: 'leaves-employee',
    finding: { ok: false, set: 'WORKFORCE_PARAMS={}' },
  },
  {
    name: 'an advised name stands beside the names that are set',
    api: { parameters: { ...noFilters, leaves: { employee: 'employee', status: null } } },
    environment: params({ schedules: { type: 'kind' }, timesheets: { employee: null } }),
    check: 'leaves-employee',
    finding: {
      ok: false,
      set: 'WORKFORCE_PARAMS={"timesheets":{"employee":null},"leaves":{"employee":"employee"},"schedules":{"type":"kind"}}',
    },
  },
  {
    name: 'known users who have no leaves, though there are some',
    api: {
      alter: ({ timesheets = [], projects: _, ...company }) => ({
        ...company,
        timesheets: timesheets.filter(({ userId }) => userId === 'usr_ada'),
        leaves: (company.leaves ?? []).filter(({ userId }) => userId === 'usr_bob'),
      }),
    },
    check: 'leaves-employee',
    finding: { ok: true, seen: saying(/none of the known users brings any/) },
  },
  {
    name: 'leaves that are listed by employee only',
    api: { leavesByEmployeeOnly: true },
    check: 'list-leaves',
    finding: { ok: true, seen: saying(/10 leaves/) },
  },
  {
    name: 'the same fault in two projects',
    api: {
      alter: (company) => ({
        ...company,
        projects: (company.projects ?? []).map(({ tasks: [task], ...project }) => ({
          ...project,
          tasks: task ? [{ ...task, archived: false, dueDate: 'soon' }] : [],
        })),
      }),
    },
    environment: { WORKFORCE_PROJECTS: 'prj_web,prj_ops' },
    check: 'records',
    finding: { ok: false, seen: saying(/: 2 of tasks at dueDate \(/) },
  },
  {
    name: 'timesheets that no parameter tells apart: calendars are whole all the same',
    api: { parameters: noFilters },
    check: 'timesheets-employee',
    finding: { ok: true, means: saying(/whole, but every refresh reads everybody/), set: null },
  },
  {
    name: 'timesheets whose parameter has another name',
    api: {
      parameters: { ...noFilters, timesheets: { ...noFilters.timesheets, employee: 'user' } },
    },
    check: 'timesheets-employee',
    finding: { ok: false, set: 'WORKFORCE_PARAMS={"timesheets":{"employee":"user"}}' },
  },
  {
    name: 'timesheets between bounds that mean something else',
    api: {
      parameters: {
        ...noFilters,
        timesheets: { employee: 'userId', status: null, from: 'endDate', to: 'startDate' },
      },
    },
    check: 'timesheets-employee',
    finding: { ok: false, set: 'WORKFORCE_PARAMS={"timesheets":{"from":null,"to":null}}' },
  },
  {
    name: 'a default schedule that rotates',
    api: {},
    environment: { WORKFORCE_SCHEDULES: 'sch_early' },
    check: 'schedules',
    finding: { ok: true, means: saying(/sch_early \(ROTATING\) is of type ROTATING/) },
  },
  {
    name: 'statuses that the spec does not list',
    api: withLeaves((leaves) =>
      leaves.map((it, index) => (index < 3 ? { ...it, status: 'TAKEN' } : it)),
    ),
    check: 'records',
    finding: { ok: false, seen: saying(/3 leaves of a status that the spec does not list/) },
  },
  {
    name: 'spans that end before they start',
    api: withLeaves((leaves) =>
      leaves.map((it, index) => (index === 2 ? { ...it, endDate: '2020-01-01T00:00:00Z' } : it)),
    ),
    check: 'records',
    finding: { ok: false, seen: saying(/one leave that ends before it starts/) },
  },
  {
    name: 'a round number by chance',
    api: withLeaves((leaves) => leaves.slice(0, 25)),
    check: 'truncation',
    finding: { ok: true, seen: saying(/exactly 25 records/), means: saying(/may be chance/) },
  },
  {
    name: 'days that end in their last minute',
    api: {
      alter: ({ timesheets: _, leaves = [], ...company }) => ({
        ...company,
        leaves: leaves.map((it) => ({
          ...it,
          endDate: it.endDate.replace('T00:00:00.000', 'T23:59:59.999'),
        })),
      }),
    },
    environment: { WORKFORCE_PROJECTS: 'prj_web' },
    check: 'dates',
    finding: {
      ok: true,
      seen: saying(/Of 80 dates .* 72 are midnights in UTC \(36 at 00:00, 36 at 23:59,/),
    },
  },
  {
    name: 'too few dates to doubt the zone',
    api: {
      alter: ({ leaves = [] }) => ({
        schedules: [],
        leaves: leaves.slice(0, 1).map((it) => ({
          ...it,
          startDate: '2026-01-05T05:00:00Z',
          endDate: '2026-01-06T05:00:00Z',
        })),
      }),
    },
    check: 'dates',
    finding: { ok: true, means: saying(/times of day/) },
  },
  {
    name: 'a zone that has the same midnights as a better known one',
    api: { dates: 'local' },
    environment: { WORKFORCE_TIMEZONE: 'Europe/Paris', WORKFORCE_DATES: 'local' },
    check: 'dates',
    finding: { ok: true },
  },
  {
    name: 'leaves that no parameter tells apart, and every parameter refused',
    api: {
      parameters: { ...noFilters, leaves: { employee: null, status: null } },
      strict: true,
    },
    environment: params({ timesheets: noFilters.timesheets }),
    check: 'leaves-employee',
    finding: { ok: false, seen: saying(/is refused/), set: null },
  },
  {
    name: 'timesheets that no parameter tells apart, and every parameter refused',
    api: { parameters: noFilters, strict: true },
    environment: params({ timesheets: { from: null, to: null } }),
    check: 'timesheets-employee',
    finding: {
      ok: false,
      set: 'WORKFORCE_PARAMS={"timesheets":{"employee":null,"from":null,"to":null}}',
    },
  },
  {
    name: 'leaves over a weekend counted in working days',
    api: withLeaves((leaves) => leaves.map((it) => ({ ...it, ...overWeekend, days: 4 }))),
    environment: { WORKFORCE_END_DATES: 'exclusive' },
    check: 'end-dates',
    finding: { ok: false, set: 'WORKFORCE_END_DATES=inclusive' },
  },
  {
    name: 'leaves over a weekend counted in all days',
    api: withLeaves((leaves) => leaves.map((it) => ({ ...it, ...overWeekend, days: 5 }))),
    check: 'end-dates',
    finding: { ok: false, set: 'WORKFORCE_END_DATES=exclusive' },
  },
  {
    name: 'leaves whose days fit neither reading',
    api: withLeaves((leaves) => leaves.map((it) => ({ ...it, ...overWeekend, days: 17 }))),
    check: 'end-dates',
    finding: { ok: true, means: saying(/cannot be told/) },
  },
  {
    name: 'two lists of the same round number',
    api: {
      alter: ({ leaves = [], timesheets = [], ...company }) => ({
        ...company,
        leaves: leaves.slice(0, 25),
        timesheets: timesheets
          .filter(({ userId }) => userId === 'usr_ada')
          .slice(-1)
          .flatMap((it) => Array.from({ length: 25 }, (_, n) => ({ ...it, id: `clq_${n}` }))),
      }),
    },
    check: 'truncation',
    finding: { ok: false, seen: saying(/exactly 25 records/), set: null },
  },
]

describe('the examination says what it saw', () => {
  test.each(seen)('$name', async ({ api: style, environment = {}, check, finding }) => {
    const api = await startForeignApi(style)
    onTestFinished(() => api.close())
    const { examination, code } = await examineApi(api.url, environment)
    expect(findingOf(examination, check)).toMatchObject(finding)
    expect(code).toBe(examination.ok ? 0 : 1)
    expect(examination.ok).toBe(finding.ok)
  })

  test.each([
    'Europe/London',
    'America/New_York',
    'America/Los_Angeles',
    'America/Sao_Paulo',
    'Asia/Kolkata',
    'Asia/Tokyo',
    'Australia/Sydney',
  ])('finds the zone whose midnights days are: %s', async (timezone) => {
    const api = await startForeignApi({ dates: 'local', timezone })
    onTestFinished(() => api.close())
    const { examination } = await examineApi(api.url, { WORKFORCE_TIMEZONE: 'Asia/Kathmandu' })
    expect(settingsOf(examination)).toEqual([
      'WORKFORCE_DATES=local',
      `WORKFORCE_TIMEZONE=${timezone}`,
    ])
  })

  test.each([
    ['/schedules', 403, 'list-schedules', /403/],
    ['/leaves', 500, 'list-leaves', /500/],
    ['/timesheets', 404, 'list-timesheets', /404/],
  ])('of a list %s that answers %i', async (path, status, check, reason) => {
    const company = await companyServer()
    company.faults.set(path, status)
    const { examination } = await examineApi(company.url, { WORKFORCE_TIMEOUT_MS: '1000' })
    expect(examination.findings.slice(0, 2)).toMatchObject([{ ok: true }, { ok: true }])
    expect(findingOf(examination, check)).toMatchObject({ ok: false, seen: saying(reason) })
    expect(examination.ok).toBe(false)
  })

  test('of an API that is overloaded no more than that', async () => {
    const company = await companyServer()
    company.faults.set('/api', 503)
    const { examination } = await examineApi(company.url)
    expect(examination.findings).toMatchObject([
      { check: 'reachable', ok: false, seen: saying(/503/), set: null },
    ])
  })

  test('of a leave that has come for two employees, until it comes for one alone', async () => {
    const company = await companyServer()
    const bridge = await startBridge({ environment: readsFrom(company.url) })
    onTestFinished(() => bridge.close())
    const { connections, examiner, store } = await bridge.node()
    const { id } = connections.get('main') ?? { id: '' }
    const disputed = { state: 'disproved', reason: 'two_employees', since: 0 } as const
    await store.proofs.saveProof(id, disputed)
    const finding = findingOf(await examiner.run('main'), 'leaves-employee')
    expect(finding).toMatchObject({ ok: false, means: saying(/for two employees/), set: null })
    await store.proofs.saveProof(id, { ...disputed, state: 'proven', reason: null })
    expect(findingOf(await examiner.run('main'), 'leaves-employee')).toMatchObject({ ok: true })
  })

  test('of more people who leave at once than can be believed', async () => {
    const company = await companyServer()
    const bridge = await startBridge({ environment: readsFrom(company.url) })
    onTestFinished(() => bridge.close())
    const { examiner, store } = await bridge.node()
    for (const { id } of [ada, bob]) await bridge.createFeed({ userIds: [id] })
    const lately = Date.now()
    const left = { companyId: 'main', because: 'user_inactive', leftAt: null } as const
    await store.departures.keepDeparture({ ...left, userId: ada.id, since: lately, readAt: lately })
    expect((await examiner.run('main')).findings.map(({ check }) => check)).not.toContain('leavers')
    await store.departures.keepDeparture({ ...left, userId: bob.id, since: lately, readAt: lately })
    expect(findingOf(await examiner.run('main'), 'leavers')).toMatchObject({
      ok: false,
      seen: saying(/^Of 2 people with calendars 2 /),
      set: null,
    })
  })

  test('of records that do not fit nothing but that', async () => {
    const company = await companyServer()
    company.records.leaves[ada.id]?.push(leave('lv_bad', '2026-01-09', { endDate: 'soon' }))
    const { examination } = await examineApi(company.url)
    const failed = examination.findings.filter(({ ok }) => !ok).map(({ check }) => check)
    expect(failed).toEqual(['records'])
  })

  test('of a server that resets every connection after three requests', async () => {
    let requests = 0
    const server = createServer(({ socket }) => {
      requests += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const { examination } = await examineApi(`http://127.0.0.1:${port}/hr/v2`)
    expect(examination.findings).toMatchObject([{ check: 'reachable', ok: false, set: null }])
    expect(requests).toBe(3)
  })

  test('of a leave that comes for two known users', async () => {
    const company = await companyServer()
    company.records.leaves = {
      [ada.id]: [leave('lv_1', '2026-01-07')],
      [bob.id]: [leave('lv_1', '2026-01-07')],
    }
    const { examination } = await examineApi(company.url)
    expect(findingOf(examination, 'leaves-employee')).toMatchObject({ ok: false, set: null })
  })
})

/** A company of two, each with a leave and a timesheet. */
async function companyServer(): Promise<CompanyServer> {
  const company = await startCompanyServer()
  onTestFinished(() => company.close())
  const month = new Date().toISOString().slice(0, 7)
  company.records.users = [ada, bob]
  company.records.leaves = {
    [ada.id]: [leave('lv_ada', '2026-01-07')],
    [bob.id]: [leave('lv_bob', '2026-01-08')],
  }
  company.records.timesheets = [ada, bob].map(({ id }) =>
    timesheet(`clq_${id}`, id, `${month}-01`, `${month}-15`),
  )
  return company
}

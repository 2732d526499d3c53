import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { sampleCompany } from '../src/sandbox/sample-company.ts'
import { startSandboxServer } from './sandbox/sandbox-server.ts'
import { calendarUrl, startBridge, type TestBridge } from './support/bridge/bridge.ts'
import { createFakeClock } from './support/bridge/fake-clock.ts'
import { allOr } from './support/bridge/thorough.ts'
import { startForeignApi } from './support/company/foreign-api.ts'
import type { ForeignStyle } from './support/company/foreign-style.ts'
import { createSqliteDatabase } from './support/database/databases.ts'

interface ForeignCase {
  readonly name: string
  /** In what the sandbox imitates it. */
  readonly behaviour?: object
  /** In what it differs that no sandbox imitates. */
  readonly api?: ForeignStyle
  /** Of the company that reads it, as `COMPANIES_FILE` has them. */
  readonly settings: object
  /** Of every request for leaves or timesheets of one person. */
  readonly asks?: RegExp
}

const now = Date.UTC(2026, 0, 5, 12)
const today = '2026-01-05'
const people = allOr(['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia'], (id) =>
  ['usr_ada', 'usr_bob'].includes(id),
)
const company = {
  timezone: 'Europe/Berlin',
  projects: ['prj_web', 'prj_ops'],
  schedules: ['sch_day'],
}

const otherNames = {
  timesheets: { employee: 'employee_id', status: 'state', from: 'since', to: 'until' },
  leaves: { employee: 'person', status: 'state' },
  schedules: { type: 'kind', active: 'current' },
}
const onlyLeaves = {
  timesheets: { employee: null, status: null, from: null, to: null },
  leaves: { employee: 'person', status: null },
  schedules: { type: null, active: null },
}

function credential(scheme: string, auth: string): ForeignCase {
  return { name: `the credential as ${scheme}`, behaviour: { auth }, settings: { auth } }
}

const foreignCases: readonly ForeignCase[] = [
  { name: 'nothing', behaviour: {}, settings: {} },
  {
    name: 'every parameter name, others being refused',
    behaviour: { parameters: otherNames },
    settings: { params: otherNames },
    asks: /leaves\?person=|timesheets\?employee_id=.*since=.*until=/,
  },
  {
    name: 'no parameter name but the leaves’ employee, others being refused',
    behaviour: { parameters: onlyLeaves },
    settings: { params: onlyLeaves },
    asks: /leaves\?person=|timesheets$/,
  },
  credential('bearer', 'bearer:a.token'),
  credential('basic', 'basic:bridge:p:w'),
  credential('header', 'header:X-Key:k:1'),
  credential('query', 'query:key:a&b'),
  {
    name: 'pages from 1',
    behaviour: { pagination: 'page:p,s,5', pageSize: 3 },
    settings: { pagination: 'page:p,s,5' },
    asks: /p=1&s=5/,
  },
  {
    name: 'pages from 0',
    behaviour: { pagination: 'page:p,s,5,0', pageSize: 3 },
    settings: { pagination: 'page:p,s,5,0' },
    asks: /p=0&s=5/,
  },
  {
    name: 'offsets',
    behaviour: { pagination: 'offset:skip,take,5', pageSize: 3 },
    settings: { pagination: 'offset:skip,take,5' },
    asks: /skip=0&take=5/,
  },
  {
    name: 'links',
    behaviour: { pagination: 'link', pageSize: 3 },
    settings: { pagination: 'link' },
    asks: /leaves\?.*cursor=/,
  },
  { name: 'a path before the API', api: { basePath: '/hr/v2' }, settings: {} },
  {
    name: 'days at local midnight, ends the day after',
    api: { dates: 'local', endDates: 'exclusive' },
    settings: { dates: 'local', endDates: 'exclusive' },
  },
]

/** Their ids are as long as that of the sample company, so that lines fold alike. */
const cases = foreignCases.map((foreign, index) => ({ ...foreign, id: `c${String(100 + index)}` }))

describe('a feed has the same bytes whatever Read API is behind it, when the API differs in', () => {
  /** By company. */
  const apis = new Map<string, Foreign>()
  let directory: string
  let bridge: TestBridge
  let expected: readonly string[]

  /** One bridge reads them all, each for a company of its own. */
  beforeAll(async () => {
    for (const { id, ...foreign } of cases) apis.set(id, await startApi(foreign))
    directory = await mkdtemp(path.join(tmpdir(), 'foreign-'))
    const file = path.join(directory, 'companies.json')
    const companies = cases.map(({ id, settings }) => ({
      id,
      baseUrl: apis.get(id)?.url,
      ...company,
      ...settings,
    }))
    await writeFile(file, JSON.stringify(companies))
    bridge = await startBridge({
      environment: { COMPANIES_FILE: file },
      clock: createFakeClock(now),
    })
  })

  beforeAll(async () => {
    const embedded = await startBridge({ clock: createFakeClock(now) })
    expected = await calendars(embedded, 'main')
    await embedded.close()
    expect(new Set(expected).size).toBe(people.length)
    for (const kind of ['leave', 'shift', 'timesheet', 'task']) {
      expect(expected[0]).toContain(`UID:${kind}-`)
    }
  })

  afterAll(async () => {
    await bridge.close()
    await Promise.all([...apis.values()].map((api) => api.close()))
    await rm(directory, { recursive: true })
  })

  it.each(cases)('$name', async ({ id, asks = /leaves/ }) => {
    expect(await calendars(bridge, id)).toEqual(expected)
    const requests = await apis.get(id)?.requests()
    expect(requests?.some((request) => asks.test(decodeURIComponent(request)))).toBe(true)
  })
})

/** Somebody else's Read API, as the bridge meets it. */
interface Foreign {
  readonly url: string
  /** Path and query of each. */
  requests(): Promise<readonly string[]>
  close(): Promise<void>
}

async function startApi({ behaviour, api }: Omit<ForeignCase, 'name'>): Promise<Foreign> {
  if (behaviour) return startImitation(behaviour)
  const { url, requests, ...foreign } = await startForeignApi({ today, ...api })
  return { url, close: () => foreign.close(), requests: async () => requests }
}

const told = z.object({ data: z.array(z.object({ path: z.string() })) })

async function startImitation(behaviour: object): Promise<Foreign> {
  const sandbox = await startSandboxServer(createSqliteDatabase(), [], {
    clock: createFakeClock(now),
  })
  await sandbox.load(sampleCompany({ today }))
  expect(await sandbox.control('PUT', '/behaviour', behaviour)).toMatchObject({ status: 200 })
  return {
    url: new URL(sandbox.address('')).origin,
    requests: async () => {
      const { body } = await sandbox.control('GET', '/requests?limit=1000')
      return told.parse(body).data.map(({ path: asked }) => asked)
    },
    close: () => sandbox.close(),
  }
}

/** The calendar of each person of that company, as if it were called `main`: event ids name the company. */
function calendars(bridge: TestBridge, companyId: string): Promise<readonly string[]> {
  return Promise.all(
    people.map(async (id) => {
      const feed = await bridge.createFeed({ companyId, userIds: [id] })
      const response = await fetch(calendarUrl(feed))
      expect(response.status).toBe(200)
      expect(response.headers.get('X-Feed-Stale-Seconds')).toBeNull()
      return (await response.text()).replaceAll(`@${companyId}.`, '@main.')
    }),
  )
}

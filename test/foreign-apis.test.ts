import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Authentication } from '../src/domain/connection.ts'
import { calendarUrl, startBridge, type TestBridge } from './support/bridge.ts'
import { createFakeClock } from './support/fake-clock.ts'
import { type ForeignApi, startForeignApi } from './support/foreign-api.ts'
import type { ForeignStyle } from './support/foreign-style.ts'

interface ForeignCase {
  readonly name: string
  readonly api: ForeignStyle
  /** Of the company that reads it, as `COMPANIES_FILE` has them. */
  readonly settings: object
  /** Of every request for leaves or timesheets of one person. */
  readonly asks?: RegExp
}

const now = Date.UTC(2026, 0, 5, 12)
const today = '2026-01-05'
const people = ['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia']
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

function credential(authentication: Authentication, setting: string): ForeignCase {
  return {
    name: `the credential as ${authentication.scheme}`,
    api: { authentication },
    settings: { auth: setting },
  }
}

const foreignCases: readonly ForeignCase[] = [
  { name: 'nothing', api: {}, settings: {} },
  {
    name: 'every parameter name, others being refused',
    api: { parameters: otherNames, strict: true },
    settings: { params: otherNames },
    asks: /leaves\?person=|timesheets\?employee_id=.*since=.*until=/,
  },
  {
    name: 'no parameter name but the leaves’ employee, others being refused',
    api: { parameters: onlyLeaves, strict: true },
    settings: { params: onlyLeaves },
    asks: /leaves\?person=|timesheets$/,
  },
  credential({ scheme: 'bearer', token: 'a.token' }, 'bearer:a.token'),
  credential({ scheme: 'basic', user: 'bridge', password: 'p:w' }, 'basic:bridge:p:w'),
  credential({ scheme: 'header', name: 'X-Key', value: 'k:1' }, 'header:X-Key:k:1'),
  credential({ scheme: 'query', name: 'key', value: 'a&b' }, 'query:key:a&b'),
  {
    name: 'pages from 1',
    api: { paging: { style: 'page', page: 'p', size: 's', first: 1, most: 3 } },
    settings: { pagination: 'page:p,s,5' },
    asks: /p=1&s=5/,
  },
  {
    name: 'pages from 0',
    api: { paging: { style: 'page', page: 'p', size: 's', first: 0, most: 3 } },
    settings: { pagination: 'page:p,s,5,0' },
    asks: /p=0&s=5/,
  },
  {
    name: 'offsets',
    api: { paging: { style: 'offset', offset: 'skip', limit: 'take', most: 3 } },
    settings: { pagination: 'offset:skip,take,5' },
    asks: /skip=0&take=5/,
  },
  {
    name: 'links',
    api: { paging: { style: 'link', most: 3 } },
    settings: { pagination: 'link' },
    asks: /cursor=3/,
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

describe('a feed is the same bytes whatever stands behind it, when it differs in', () => {
  /** By company. */
  const apis = new Map<string, ForeignApi>()
  let directory: string
  let bridge: TestBridge
  let expected: readonly string[]

  /** One bridge reads them all, each for a company of its own. */
  beforeAll(async () => {
    for (const { id, api } of cases) apis.set(id, await startForeignApi({ today, ...api }))
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
    const requests = apis.get(id)?.requests.map(decodeURIComponent)
    expect(requests?.some((request) => asks.test(request))).toBe(true)
  })
})

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

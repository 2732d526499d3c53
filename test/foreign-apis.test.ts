import { beforeAll, describe, expect, it } from 'vitest'

import type { Authentication } from '../src/domain/connection.ts'
import { calendarUrl, readsFrom, startBridge } from './support/bridge.ts'
import { createFakeClock } from './support/fake-clock.ts'
import { type ForeignApi, type ForeignStyle, startForeignApi } from './support/foreign-api.ts'

type Environment = Readonly<Record<string, string>>

interface ForeignCase {
  readonly name: string
  readonly api: ForeignStyle
  readonly environment: Environment
  /** Of every request for leaves or timesheets of one person. */
  readonly asks?: RegExp
}

const now = Date.UTC(2026, 0, 5, 12)
const today = '2026-01-05'
const people = ['usr_ada', 'usr_bob', 'usr_cleo', 'usr_mia']
const company = { WORKFORCE_PROJECTS: 'prj_web,prj_ops', WORKFORCE_SCHEDULES: 'sch_day' }

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
    environment: { WORKFORCE_AUTH: setting },
  }
}

const cases: readonly ForeignCase[] = [
  { name: 'nothing', api: {}, environment: {} },
  {
    name: 'every parameter name, others being refused',
    api: { parameters: otherNames, strict: true },
    environment: { WORKFORCE_PARAMS: JSON.stringify(otherNames) },
    asks: /leaves\?person=|timesheets\?employee_id=.*since=.*until=/,
  },
  {
    name: 'no parameter name but the leaves’ employee, others being refused',
    api: { parameters: onlyLeaves, strict: true },
    environment: { WORKFORCE_PARAMS: JSON.stringify(onlyLeaves) },
    asks: /leaves\?person=|timesheets$/,
  },
  credential({ scheme: 'bearer', token: 'a.token' }, 'bearer:a.token'),
  credential({ scheme: 'basic', user: 'bridge', password: 'p:w' }, 'basic:bridge:p:w'),
  credential({ scheme: 'header', name: 'X-Key', value: 'k:1' }, 'header:X-Key:k:1'),
  credential({ scheme: 'query', name: 'key', value: 'a&b' }, 'query:key:a&b'),
  {
    name: 'pages from 1',
    api: { paging: { style: 'page', page: 'p', size: 's', first: 1, most: 3 } },
    environment: { WORKFORCE_PAGINATION: 'page:p,s,5' },
    asks: /p=1&s=5/,
  },
  {
    name: 'pages from 0',
    api: { paging: { style: 'page', page: 'p', size: 's', first: 0, most: 3 } },
    environment: { WORKFORCE_PAGINATION: 'page:p,s,5,0' },
    asks: /p=0&s=5/,
  },
  {
    name: 'offsets',
    api: { paging: { style: 'offset', offset: 'skip', limit: 'take', most: 3 } },
    environment: { WORKFORCE_PAGINATION: 'offset:skip,take,5' },
    asks: /skip=0&take=5/,
  },
  {
    name: 'links',
    api: { paging: { style: 'link', most: 3 } },
    environment: { WORKFORCE_PAGINATION: 'link' },
    asks: /cursor=3/,
  },
  { name: 'a path before the API', api: { basePath: '/hr/v2' }, environment: {} },
  {
    name: 'days at local midnight, ends the day after',
    api: { dates: 'local', endDates: 'exclusive' },
    environment: { WORKFORCE_DATES: 'local', WORKFORCE_END_DATES: 'exclusive' },
  },
]

describe('a feed is the same bytes whatever stands behind it, when it differs in', () => {
  let expected: readonly string[]

  beforeAll(async () => {
    expected = await calendars({})
    expect(new Set(expected).size).toBe(people.length)
    for (const kind of ['leave', 'shift', 'timesheet', 'task']) {
      expect(expected[0]).toContain(`UID:${kind}-`)
    }
  })

  it.each(cases)('$name', async ({ api: style, environment, asks = /leaves/ }) => {
    const api = await startForeignApi({ today, ...style })
    try {
      const found = await calendars({ ...readsFrom(api.url), ...company, ...environment })
      expect(found).toEqual(expected)
      expect(asked(api).some((request) => asks.test(request))).toBe(true)
    } finally {
      await api.close()
    }
  })
})

/** The calendar of each person, as a bridge of those settings serves it. */
async function calendars(environment: Environment): Promise<readonly string[]> {
  const bridge = await startBridge({ environment, clock: createFakeClock(now) })
  try {
    const texts: string[] = []
    for (const id of people) {
      const feed = await bridge.createFeed({ userIds: [id] })
      const response = await fetch(calendarUrl(feed))
      expect(response.status).toBe(200)
      expect(response.headers.get('X-Feed-Stale-Seconds')).toBeNull()
      texts.push(await response.text())
    }
    return texts
  } finally {
    await bridge.close()
  }
}

function asked({ requests }: ForeignApi): readonly string[] {
  return requests.map(decodeURIComponent)
}

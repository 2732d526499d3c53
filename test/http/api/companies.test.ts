/* Companies over the API: what they show, and which changes of their defaults they refuse. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { outputSchemas } from '../../../src/http/api/openapi-schemas.ts'
import { adminToken } from '../../support/bridge/bridge.ts'
import { startTwoCompanies, type TwoCompanies } from '../../support/bridge/two-companies.ts'

let running: TwoCompanies

beforeAll(async () => {
  running = await startTwoCompanies()
})

afterAll(() => running.close())

const none = { locale: null, name: null, own: {}, others: {} }

async function patch(body: unknown, token = adminToken, id = 'north') {
  return running.ask(token, 'PATCH', `/api/companies/${id}`, body)
}

it('staff see the companies of their token, and only admins change defaults', async () => {
  const { ask, token } = running
  await ask(adminToken, 'POST', '/api/feeds', { userIds: ['usr_ada'], companyId: 'south' })
  const of = { timezone: 'Europe/Berlin', defaults: none }
  const [north, south] = [
    { id: 'north', name: 'north', ...of, openFeeds: 0 },
    { id: 'south', name: 'south', ...of, openFeeds: 1 },
  ]
  const all = await ask(adminToken, 'GET', '/api/companies')
  expect(outputSchemas.CompanyPage.parse(all.json)).toEqual({
    data: [north, south],
    nextCursor: null,
  })
  const [reader, support, admin] = [
    await token('r', 'reader', 'south'),
    await token('s', 'support', 'south'),
    await token('a', 'admin', 'south'),
  ]
  expect((await ask(reader, 'GET', '/api/companies')).json).toMatchObject({ data: [south] })
  expect((await ask(reader, 'GET', '/api/companies/south')).json).toEqual(south)
  const change = { defaults: { locale: 'de' } }
  expect((await patch(change, support, 'south')).status).toBe(403)
  expect((await patch(change, admin, 'north')).status).toBe(404)
  expect((await patch(change, admin, 'south')).json).toEqual({
    ...south,
    defaults: { ...none, locale: 'de' },
    reachedFeeds: 1,
  })
  expect((await patch({ defaults: null }, admin, 'south')).json).toMatchObject(south)
})

it('an unknown company is not found, and only a token for all companies learns which exist', async () => {
  const south = await running.token('all-of-south', 'admin', 'south')
  const detailOf = async (token: string, path: string) =>
    (await running.ask(token, 'GET', path)).json
  for (const path of ['', '/people', '/people/usr_ada/data', '/examination']) {
    const [address, status] = [`/api/companies/west${path}`, 404]
    const named = 'There is no company "west"; there are north, south.'
    expect(await detailOf(adminToken, address)).toMatchObject({ status, detail: named })
    const answer = JSON.stringify(await detailOf(south, address))
    expect(answer).toContain('"status":404')
    expect(answer).not.toContain('north')
  }
})

it('the audit log has each change once with its author, and none without effect', async () => {
  await patch({ defaults: { name: ' Team ', own: { leaves: { detail: 'full' } } } })
  await patch({ defaults: { name: 'Team', own: { leaves: { detail: 'full', show: null } } } })
  await patch({ defaults: {} })
  await patch({})
  const { json } = await running.ask(adminToken, 'GET', '/api/audit')
  const entries = outputSchemas.AuditPage.parse(json).data
  const noted = entries.filter(({ companyId }) => companyId === 'north')
  expect(noted.map(({ action, actor, feedId }) => [action, actor, feedId])).toEqual([
    ['defaults_changed', 'admin', null],
  ])
  const removed = await patch({ defaults: { name: null, own: { leaves: { detail: null } } } })
  expect(removed.json['defaults']).toEqual(none)
})

it('the time zone of a company cannot be changed', async () => {
  const { json } = await patch({ timezone: 'Europe/Paris', defaults: {} })
  expect(json).toMatchObject({ errors: [{ pointer: '/timezone', detail: 'Cannot be changed.' }] })
})

it.each([
  [{ nam: 'x' }, ['/nam']],
  [{ defaults: { local: 'de' } }, ['/defaults/local']],
  [{ defaults: { locale: 'fr' } }, ['/defaults/locale']],
  [{ defaults: { name: '' } }, ['/defaults/name']],
  [{ defaults: { name: '\u200B' } }, ['/defaults/name']],
  [{ defaults: { name: 'x'.repeat(256) } }, ['/defaults/name']],
  [{ defaults: { name: '{firstname}' } }, ['/defaults/name']],
  [{ defaults: { name: '{firstName}{firstName}' } }, ['/defaults/name']],
  [{ defaults: { own: [] } }, ['/defaults/own']],
  [
    { defaults: { own: { leaves: { detail: 'all' } }, others: { leafs: {} } } },
    ['/defaults/own/leaves/detail', '/defaults/others/leafs'],
  ],
  [
    { defaults: { others: { shifts: { scheduleIds: ['sch_day', 'sch_dya'] } } } },
    ['/defaults/others/shifts/scheduleIds/1'],
  ],
  [
    { defaults: { own: { shifts: { rotation: { weeks: [['sch_x']], from: '2026-01-05' } } } } },
    ['/defaults/own/shifts/rotation/weeks/0/0'],
  ],
  [
    {
      defaults: {
        own: {
          window: { pastDays: 3660, futureDays: 3660 },
          shifts: { scheduleIds: Array.from({ length: 50 }, () => 'sch_day') },
        },
      },
    },
    ['/defaults/own/window'],
  ],
  [{ defaults: { own: { leaves: { as: 'day' } } } }, ['/defaults/own/leaves/as']],
])('%j is refused, and nothing changes', async (body, pointers) => {
  const { status, json } = await patch(body)
  const errors = outputSchemas.Problem.parse(json).errors ?? []
  expect([status, errors.map(({ pointer }) => pointer)]).toEqual([400, pointers])
  const { json: after } = await running.ask(adminToken, 'GET', '/api/companies/north')
  expect(after['defaults']).toEqual(none)
})

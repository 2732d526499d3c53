import type { Express } from 'express'
import request from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { openControls } from '../../src/sandbox/controls/controls.ts'
import {
  openSandboxDatabase,
  type SandboxDatabase,
} from '../../src/sandbox/records/sandbox-database.ts'
import { createSandboxApp } from '../../src/sandbox/sandbox-app.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { smallCompany } from './company.ts'
import { listEnvelope, loadCompany } from './loading/load-company.ts'

const recordId = z.looseObject({ id: z.string() })

const base = '/api/public/v1'

/** What the Read API promises, whatever database stands behind it. */
export function testReadApi(createDatabaseUrl: () => Promise<string>): void {
  let database: SandboxDatabase
  let app: Express

  beforeAll(async () => {
    database = await openSandboxDatabase(await createDatabaseUrl())
    await loadCompany(database, smallCompany)
    const all = { database, keys: new Map<string, string>(), clock: createFakeClock() }
    app = createSandboxApp({ ...all, controls: openControls(all), log: silentLog })
  })
  afterAll(() => database.close())

  const get = (path: string): request.Test => request(app).get(`${base}${path}`)
  const idsOf = async (path: string): Promise<string[]> => {
    const { body } = await get(path).expect(200)
    return listEnvelope.parse(body).data.map((record) => recordId.parse(record).id)
  }

  describe('list filters', () => {
    it.each([
      ['/leaves', 'lv_3 lv_1 lv_2 lv_4 lv_5 lv_6'],
      ['/leaves?userId=usr_1', 'lv_3 lv_1 lv_4 lv_6'],
      ['/leaves?userId=usr_nobody', ''],
      ['/leaves?status=APPROVED', 'lv_3 lv_2'],
      ['/leaves?status=PENDING', 'lv_1'],
      ['/leaves?status=REJECTED', 'lv_4'],
      ['/leaves?status=CANCELLED', 'lv_5'],
      ['/leaves?userId=usr_1&status=CANCELLED', ''],
      ['/leaves?userId=usr_1&status=APPROVED', 'lv_3'],
      ["/leaves?userId=usr_1'%20or%20'1'='1", ''],
      ['/timesheets', 'clq_1 clq_2 clq_3 clq_4'],
      ['/timesheets?userId=usr_1', 'clq_1 clq_2'],
      ['/timesheets?status=DRAFT', 'clq_2'],
      ['/timesheets?status=SUBMITTED', 'clq_3'],
      ['/timesheets?status=APPROVED', 'clq_1'],
      ['/timesheets?status=REJECTED', 'clq_4'],
      ['/timesheets?startDate=2026-01-16', 'clq_2 clq_3 clq_4'],
      ['/timesheets?startDate=2026-01-16T00:00:00.000Z', 'clq_2 clq_3 clq_4'],
      ['/timesheets?startDate=2026-01-16T00:00:00.001Z', 'clq_4'],
      ['/timesheets?startDate=2026-01-16T01:00:00%2B01:00', 'clq_2 clq_3 clq_4'],
      ['/timesheets?endDate=2026-01-31', 'clq_1 clq_2 clq_3'],
      ['/timesheets?endDate=2026-01-30T23:59:59.999Z', 'clq_1'],
      ['/timesheets?startDate=2026-01-02&endDate=2026-02-01&userId=usr_1', 'clq_2'],
      ['/timesheets?startDate=1969-01-01&endDate=1969-12-31', ''],
      ['/schedules', 'sch_fixed sch_flexible sch_unsaid'],
      ['/schedules?isActive=true', 'sch_fixed sch_flexible sch_unsaid'],
      ['/schedules?isActive=false', 'sch_old'],
      ['/schedules?type=FIXED', 'sch_fixed'],
      ['/schedules?type=FIXED&isActive=false', 'sch_old'],
      ['/schedules?type=ROTATING', 'sch_unsaid'],
      ['/schedules?type=FLEXIBLE&isActive=false', ''],
      ['/projects/prj_1/tasks', 'tsk_2 tsk_1'],
      ['/projects/prj_2/tasks', ''],
    ])('%s lists: %s', async (path, ids) => {
      expect((await idsOf(path)).join(' ')).toBe(ids)
    })
  })

  describe('invalid filter values', () => {
    it.each([
      ['/leaves?status=approved', 'status is one of PENDING, APPROVED, REJECTED, CANCELLED'],
      ['/leaves?status=DRAFT', 'status is one of PENDING, APPROVED, REJECTED, CANCELLED'],
      ['/leaves?status=', 'status takes one value'],
      ['/leaves?userId=', 'userId takes one value'],
      ['/leaves?employee=usr_1', 'no parameter employee here; there are userId, status'],
      ['/leaves?user=usr_1', 'did you mean `userId`?'],
      ['/users/usr_1?limit=3', 'limit means nothing here'],
      ['/timesheets?startDate=2026-02-30', 'startDate is an ISO 8601 date'],
      ['/leaves?limit=0', 'limit is a whole number from 1 to 1000; the nearest is 1'],
      ['/leaves?limit=5000', 'the nearest is 1000'],
      ['/leaves?cursor=abc', 'is not a cursor of this list'],
      ['/leaves?userId=usr_1&userId=usr_2', 'userId stands there more than once'],
      ['/leaves?userId=a%00b', 'userId is an identifier'],
      [`/leaves?userId=${'x'.repeat(257)}`, 'userId is an identifier'],
      ['/timesheets?status=PENDING', 'status is one of DRAFT, SUBMITTED, APPROVED, REJECTED'],
      ['/timesheets?startDate=yesterday', 'startDate is an ISO 8601 date'],
      ['/timesheets?startDate=2026-13-01', 'startDate is an ISO 8601 date'],
      ['/timesheets?endDate=2026', 'endDate is an ISO 8601 date'],
      ['/timesheets?endDate=2026-01-31T00:00:00', 'endDate is an ISO 8601 date'],
      ['/schedules?type=WEEKLY', 'type is one of FIXED, FLEXIBLE, ROTATING'],
      ['/schedules?isActive=1', 'isActive is one of true, false'],
    ])('%s: %s', async (path, sentence) => {
      const { body } = await get(path)
        .expect(400)
        .expect('Content-Type', /^application\/problem\+json/)
      expect(body).toMatchObject({ status: 400 })
      expect(messageOf(body)).toContain(sentence)
    })
  })

  describe('records', () => {
    it('a leave has no user id', async () => {
      const { body } = await get('/leaves?status=PENDING').expect(200)
      const { userId: _, ...leave } = smallCompany.leaves?.[1] ?? {}
      expect(body).toEqual({ data: [leave] })
    })

    it('a timesheet has its entries', async () => {
      const { body } = await get('/timesheets?status=DRAFT').expect(200)
      expect(body).toEqual({ data: [smallCompany.timesheets?.[1]] })
    })

    it('a task has its assignees, and no archive field', async () => {
      const { body } = await get('/projects/prj_1/tasks').expect(200)
      const [first, second] = smallCompany.projects?.[0]?.tasks ?? []
      const { archived: _, ...shown } = second ?? {}
      expect(body).toEqual({ data: [first, shown] })
    })

    it('an invoice has its line items', async () => {
      const { body } = await get('/invoices/inv_1').expect(200)
      expect(body).toEqual({ data: smallCompany.invoices?.[0] })
    })

    it('a user includes the manager', async () => {
      const { body } = await get('/users/usr_1').expect(200)
      const assignedManager = { id: 'usr_boss', firstName: 'Bea', lastName: 'Boss' }
      expect(body).toEqual({ data: { ...smallCompany.users?.[1], assignedManager } })
    })

    it('an id of any characters, an unknown manager, an extra field', async () => {
      const { body } = await get(`/users/${encodeURIComponent('usr_ä/?#%')}`).expect(200)
      expect(body).toEqual({ data: smallCompany.users?.[2] })
    })
  })

  describe('missing resources', () => {
    it.each([
      '/users/usr_nobody',
      '/users/lv_1',
      '/users/a%00b',
      `/users/${'x'.repeat(257)}`,
      '/users',
      '/invoices/inv_2',
      '/projects/prj_3/tasks',
      '/projects/prj_1',
      '/Leaves',
      '/',
    ])('%s is 404 as JSON', async (path) => {
      const { body } = await get(path)
        .expect(404)
        .expect('Content-Type', /^application\/problem\+json/)
      expect(body).toMatchObject({ status: 404 })
    })

    it.each(['/api/public/v2/leaves', '/leaves'])(
      '%s, outside of the Read API, is 404 too',
      async (path) => {
        const { body } = await request(app).get(path).expect(404)
        expect(body).toMatchObject({ status: 404 })
      },
    )

    it('a path that is not UTF-8 answers 400', async () => {
      const { body } = await get('/users/%E0').expect(400)
      expect(body).toMatchObject({ status: 400 })
    })
  })

  describe('HTTP', () => {
    it.each(['post', 'put', 'patch', 'delete', 'options'] as const)(
      '%s is not allowed',
      async (method) => {
        const asked = request(app)[method](`${base}/leaves`)
        const { body } = await asked.expect(405).expect('Allow', 'GET, HEAD')
        expect(body).toMatchObject({ status: 405 })
      },
    )

    it('HEAD has the headers of GET', async () => {
      const { headers } = await get('/leaves').expect(200)
      const head = await request(app)
        .head(`${base}/leaves`)
        .set('Accept-Encoding', 'gzip, deflate')
        .expect(200)
      expect(head.headers['etag']).toBe(headers['etag'])
      expect(head.headers['content-encoding']).toBe(headers['content-encoding'])
    })

    it('revalidation answers 304 without a body', async () => {
      const { headers } = await get('/leaves').expect(200)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      const etag = String(headers['etag'])
      expect(etag).toMatch(/^W\/"/)
      await get('/leaves').set('If-None-Match', etag).expect(304)
      await get('/leaves?userId=usr_1').set('If-None-Match', etag).expect(200)
    })
  })
}

function messageOf(body: unknown): string {
  return z.object({ detail: z.string() }).parse(body).detail
}

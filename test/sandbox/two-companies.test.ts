/* Of two companies in one sandbox neither learns anything of the other: not what it has, not that it is there. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { CompanyFile } from '../../src/wire/company-file.ts'
import { databases } from '../support/database/databases.ts'
import { smallCompany } from './company.ts'
import { type SandboxServer, startSandboxServer, type Told } from './sandbox-server.ts'

/** The same ids in part, so that a forgotten condition would show, and others. */
const other: CompanyFile = JSON.parse(
  JSON.stringify(smallCompany)
    .replaceAll('lv_', 'lv_zz')
    .replaceAll('clq_', 'clq_zz')
    .replaceAll('tsk_', 'tsk_zz')
    .replaceAll('sch_', 'sch_zz')
    .replaceAll('inv_1', 'inv_zz')
    .replaceAll('prj_2', 'prj_zz')
    .replaceAll('usr_boss', 'usr_zzboss')
    .replaceAll('Uma', 'Olga'),
)

const lists = ['/leaves', '/timesheets', '/schedules', '/projects/prj_1/tasks']
const filters = [
  '/leaves?userId=usr_1',
  '/leaves?status=APPROVED',
  '/leaves?userId=usr_1&status=APPROVED',
  '/timesheets?userId=usr_1',
  '/timesheets?status=DRAFT',
  '/timesheets?startDate=2000-01-01',
  '/timesheets?endDate=2030-01-01',
  '/timesheets?userId=usr_1&status=DRAFT&startDate=2000-01-01&endDate=2030-01-01',
  '/schedules?type=FIXED',
  '/schedules?isActive=false',
]
/** Of the other company alone, beside what nobody has. */
const foreign = [
  ['/users/usr_zzboss', '/users/usr_xxboss'],
  ['/invoices/inv_zz', '/invoices/inv_xx'],
  ['/projects/prj_zz/tasks', '/projects/prj_xx/tasks'],
  ['/leaves?userId=usr_zzboss', '/leaves?userId=usr_xxboss'],
  ['/timesheets?userId=usr_zzboss', '/timesheets?userId=usr_xxboss'],
  ['/leaves?userId=usr_zzboss&limit=1', '/leaves?userId=usr_xxboss&limit=1'],
] as const

describe.each(databases)('two companies on $name', ({ create }) => {
  let server: SandboxServer
  let alone: SandboxServer

  beforeAll(async () => {
    server = await startSandboxServer(await create(), ['one', 'other', 'empty'])
    alone = await startSandboxServer(await create(), ['one', 'empty'])
    await server.load(smallCompany, 'one')
    await server.load(other, 'other')
    await alone.load(smallCompany, 'one')
  })
  afterAll(() => Promise.all([server.close(), alone.close()]))

  it.each([...lists, ...filters, '/users/usr_1', '/invoices/inv_1'])(
    '%s returns the same as if the company were alone',
    async (path) => {
      const beside = await server.read(path, 'one')
      expect(beside.body).toEqual((await alone.read(path, 'one')).body)
      expect(beside.status).toBe(200)
      expect(JSON.stringify(beside.body)).not.toMatch(/_zz|Olga/)
    },
  )

  it.each(foreign)('%s is answered like %s', async (theirs, nobodys) => {
    const [seen, unknown] = [await server.read(theirs, 'one'), await server.read(nobodys, 'one')]
    expect(told(seen, 'zz')).toEqual(told(unknown, 'xx'))
    expect(seen.body).toEqual((await alone.read(theirs, 'one')).body)
  })

  it('a company that was never loaded is empty, whatever others hold', async () => {
    const found = await Promise.all(lists.slice(0, 3).map((path) => server.read(path, 'empty')))
    expect(found.map(({ body }) => body)).toEqual([{ data: [] }, { data: [] }, { data: [] }])
    expect((await server.read('/projects/prj_1/tasks', 'empty')).status).toBe(404)
  })

  it.each(lists)(
    '%s: a cursor of the other company is refused like an invalid one',
    async (path) => {
      const { headers } = await server.read(`${path}?limit=1`, 'other')
      const cursor = /cursor=([^>&]+)/.exec(headers.get('Link') ?? '')?.[1] ?? ''
      expect(cursor).not.toBe('')
      const theirs = await server.read(`${path}?limit=1&cursor=${cursor}`, 'one')
      const none = await server.read(`${path}?limit=1&cursor=AAAA`, 'one')
      expect([theirs.status, theirs.body]).toEqual([400, none.body])
      const own = await server.read(`${path}?limit=1&cursor=${cursor}`, 'other')
      expect(own.status).toBe(200)
    },
  )

  it('a cursor is valid only with its own filters and until the company is reloaded', async () => {
    const { headers } = await server.read('/leaves?userId=usr_1&limit=1', 'one')
    const cursor = /cursor=([^>&]+)/.exec(headers.get('Link') ?? '')?.[1] ?? ''
    const asked = [
      '/leaves?',
      '/leaves?userId=usr_boss&',
      '/leaves?status=PENDING&userId=usr_1&',
      '/timesheets?userId=usr_1&',
    ]
    for (const path of asked) {
      expect([path, (await server.read(`${path}cursor=${cursor}`, 'one')).status]).toEqual([
        path,
        400,
      ])
    }
    await alone.load(smallCompany, 'one')
    const path = '/leaves?userId=usr_1&limit=1'
    const before = await alone.read(path, 'one')
    const next = /cursor=([^>&]+)/.exec(before.headers.get('Link') ?? '')?.[1]
    await alone.load({ ...smallCompany, schedules: [] }, 'one')
    expect((await alone.read(`${path}&cursor=${next}`, 'one')).status).toBe(400)
  })

  it.each([...lists, '/users/usr_1'])(
    '%s: an ETag of the other company never matches',
    async (path) => {
      const etag = (await server.read(path, 'other')).headers.get('ETag') ?? ''
      expect(etag).toMatch(/^W\/"/)
      expect((await server.read(path, 'one', { 'If-None-Match': etag })).status).toBe(200)
      expect((await server.read(path, 'other', { 'If-None-Match': etag })).status).toBe(304)
    },
  )

  it('changes in the other company do not change the ETag', async () => {
    const before = (await server.read('/leaves', 'one')).headers.get('ETag')
    await server.load({ ...other, invoices: [] }, 'other')
    await server.load(other, 'other')
    expect((await server.read('/leaves', 'one')).headers.get('ETag')).toBe(before)
  })

  it('an unknown id is 404 for any caller', async () => {
    const headers = { 'If-None-Match': '*' }
    expect((await server.read('/users/usr_zzboss', 'one', headers)).status).toBe(404)
  })

  it.each(['/leaves', '/users/usr_1', '/projects/prj_1/tasks', '/leaves?user=1'])(
    '%s reveals nothing without a key or with a wrong one',
    async (path) => {
      const without = await server.read(path)
      const wrong = await server.read(path, 'nobody')
      expect([without.status, wrong.status]).toEqual([401, 401])
      expect(without.headers.get('WWW-Authenticate')).toBe('Bearer')
      expect(JSON.stringify([without.body, wrong.body])).not.toMatch(/key-of|usr_|prj_/)
    },
  )
})

/** All that a client can see of an answer but when it came, without the letter in which the ids differ. */
function told({ status, headers, body }: Told, letter: string): unknown {
  const seen = [...headers].filter(([name]) => !['date', 'etag', 'content-length'].includes(name))
  const text = JSON.stringify(body).replaceAll(`_${letter}`, '_')
  return { status, headers: seen, body: text }
}

/* What a feed has been served with: remembered for projects and invoices, of which another answer may say that there are none. */
import { sql } from 'kysely'
import { describe, expect } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { calendarUrl, type FeedAnswer } from '../support/bridge/bridge.ts'
import { it as base, pollNow } from '../support/bridge/fixtures.ts'
import { databases } from '../support/database/databases.ts'

const it = base
  .extend('records', ({ records }) => ({
    ...records,
    tasks: { ...records.tasks, prj_empty: [] },
    invoices: [
      { id: 'inv_1', invoiceNumber: 'INV-1', status: 'SENT', dueDate: '2026-01-20T00:00:00.000Z' },
    ],
  }))
  .extend('shownBy', ({ node }) => async ({ id }: FeedAnswer): Promise<readonly string[]> => {
    return (await node.store.feeds.findFeed(id))?.shownCollections ?? []
  })
  .extend('adas', ({ bridge }) => (options: object): Promise<FeedAnswer> => {
    return bridge.createFeed({ userIds: ['usr_ada'], options })
  })

const projects = { tasks: { projectIds: ['prj_web', 'prj_empty', 'prj_gone'] } }
const invoices = { invoices: { show: true, invoiceIds: ['inv_1', 'inv_gone'] } }

describe.each(databases)('on $name', ({ createMigrated }) => {
  it.override('databaseUrl', createMigrated)

  it('are the projects and invoices with at least one record in a poll', async ({
    adas,
    shownBy,
    poll,
  }) => {
    const feed = await adas({ ...projects, ...invoices })
    expect(await shownBy(feed)).toEqual([])
    expect((await poll(calendarUrl(feed))).status).toBe(200)
    expect(await shownBy(feed)).toEqual(['tasks:prj_web', 'invoice:inv_1'])
  })

  it('grow, and never shrink with the data of the company or the choices of the feed', async ({
    company,
    bridge,
    node,
    adas,
    shownBy,
    poll,
  }) => {
    const feed = await adas(projects)
    await poll(calendarUrl(feed))
    company.records.tasks['prj_empty'] = [...(company.records.tasks['prj_web'] ?? [])]
    company.records.tasks['prj_web'] = []
    await poll(calendarUrl(feed))
    expect(await shownBy(feed)).toEqual(['tasks:prj_web', 'tasks:prj_empty'])
    const { revision } = (await node.store.feeds.findFeed(feed.id)) ?? {}
    expect(revision).toBe(1)
    await bridge.api('PATCH', `/api/feeds/${feed.id}`, { options: { tasks: { show: false } } })
    await poll(calendarUrl(feed))
    expect(await shownBy(feed)).toEqual(['tasks:prj_web', 'tasks:prj_empty'])
  })
})

it('are also learned from a client that only receives unchanged answers', async ({
  databaseUrl,
  adas,
  shownBy,
}) => {
  const feed = await adas(projects)
  const { headers } = await pollNow(calendarUrl(feed))
  const database = await openDatabase(databaseUrl)
  await sql`update feeds set shown = '[]'`.execute(database.queries)
  await database.close()
  expect(await shownBy(feed)).toEqual([])
  const again = await pollNow(calendarUrl(feed), { 'If-None-Match': headers.get('ETag')! })
  expect(again.status).toBe(304)
  expect(await shownBy(feed)).toEqual(['tasks:prj_web'])
})

import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import type { AuditFilter } from '../../src/domain/access/audit-entry.ts'
import { openStore } from '../../src/store/open-store.ts'
import { databases, migratedSqliteDatabase } from '../support/database/databases.ts'
import { plansOf } from '../support/database/query-plans.ts'
import { askedBy } from '../support/database/statements.ts'

const after = { at: 5, id: 'x' }
const filters: readonly Omit<AuditFilter, 'limit'>[] = [
  {},
  { after },
  { since: 5 },
  { since: 5, after },
  { feedId: 'feed_1' },
  { feedId: 'feed_1', after },
  { companyId: 'main' },
  { companyId: 'main', after },
  { companyId: 'main', since: 5, after },
  { userId: 'usr_1' },
  { companyId: 'main', userId: 'usr_1', after },
  { since: 5, until: 9 },
  { companyId: 'main', until: 9, after },
  { feedId: 'feed_1', userId: 'usr_1', actors: ['admin'], actions: ['mail_sent'] },
  { actors: ['admin'] },
  {
    companyId: 'main',
    actors: ['admin'],
    actions: ['link_created', 'mail_sent'],
    since: 5,
    until: 9,
  },
]
/** These ask where they are to rest as well. */
const inParts = filters.filter(
  ({ feedId, userId, actors, actions }) => !feedId && (userId ?? actors ?? actions),
)

it('on SQLite no access query scans a whole table or sorts its list', async () => {
  const plans = await plansOf(async ({ audit, tokens, sessions, peopleByMail }) => {
    for (const filter of filters) await audit.listEntries({ ...filter, limit: 51 })
    await audit.dropBefore(5)
    await tokens.findByHash(new Uint8Array(32))
    await sessions.findSession(new Uint8Array(32))
    await peopleByMail.findByMail('ada@example.com')
    await peopleByMail.findById('usr_ada')
  })
  expect(plans).toHaveLength(filters.length + inParts.length + 5)
  for (const step of plans.flat()) {
    expect(step).not.toMatch(
      /^SCAN (?!.*USING (?:COVERING )?INDEX audit_by_time)|TEMP B-TREE FOR ORDER BY/,
    )
  }
})

it.each(databases)(
  'reading a page of a long audit log costs little more than the page itself on $name',
  async ({ createMigrated }) => {
    const url = await createMigrated()
    const count = inject('isThorough') ? 1_000_000 : 20_000
    await insertEntries(url, count)
    const store = await openStore(url)
    onTestFinished(() => store.close())
    const limit = 51
    const all = await store.audit.listEntries({ limit })
    expect(all).toHaveLength(limit)
    const { at, id } = all.at(-1)!
    const page = { companyId: 'company_7', limit, since: 100, after: { at, id } }
    expect(await store.audit.listEntries(page)).toHaveLength(limit)
    if (!url.startsWith('postgres')) return
    const { statements } = await askedBy(async () => {
      for (const filter of filters) await store.audit.listEntries({ ...filter, limit })
    })
    const database = await openDatabase(url)
    onTestFinished(() => database.close())
    for (const text of statements) {
      const { rows } = await sql.raw(`explain (generic_plan) ${text}`).execute(database.queries)
      expect([text, JSON.stringify(rows)]).not.toEqual([
        text,
        expect.stringMatching(/Seq Scan on audit/),
      ])
    }
  },
)

it('a search for one person’s audit entries lets other requests run', async () => {
  const url = migratedSqliteDatabase()
  await insertEntries(url, 20_000)
  const store = await openStore(url)
  onTestFinished(() => store.close())
  let turns = 0
  let counting = setImmediate(function count() {
    turns += 1
    counting = setImmediate(count)
  })
  const last = await store.audit.listEntries({ userId: 'usr_999', limit: 30 })
  const nobodys = await store.audit.listEntries({ userId: 'usr_1000', limit: 30 })
  const first = await store.audit.listEntries({ userId: 'usr_999', limit: 4, after: last[15]! })
  clearImmediate(counting)
  expect([last.length, nobodys.length]).toEqual([20, 0])
  expect(last[0]).toMatchObject({ id: 'entry_19999', userIds: ['usr_999'] })
  expect(first).toEqual(last.slice(16))
  // Parts of 250 entries at first, each at most twice as long as the one before.
  expect(turns).toBeGreaterThan(10)
})

/** Of ten companies and a thousand feeds, three of each instant. */
async function insertEntries(url: string, count: number): Promise<void> {
  const database = await openDatabase(url)
  const isPostgres = database.dialect === 'postgres'
  const numbers = isPostgres
    ? sql`generate_series(1, ${sql.lit(count)}) as numbers (n)`
    : sql`(with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers)`
  await sql`insert into audit (id, at, actor, action, company_id, feed_id, user_ids, label)
    select 'entry_' || n, n / 3, 'admin', 'link_created', 'company_' || (n % 10), 'feed_' || (n % 1000),
      '["usr_' || (n % 1000) || '"]', 'phone' from ${numbers}`.execute(database.queries)
  await sql`analyze audit`.execute(database.queries)
  await database.close()
}

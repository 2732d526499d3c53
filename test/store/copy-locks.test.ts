import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openStore, type Store } from '../../src/store/open-store.ts'
import { migratedName } from '../support/database/migrated.ts'
import { createTestDatabase } from '../support/database/postgres.ts'
import { copyBegunAt, erasedPerson, uniqueId } from './fixtures.ts'

let store: Store
let other: pg.Client
beforeAll(async () => {
  const url = await createTestDatabase(migratedName)
  store = await openStore(url)
  other = new pg.Client({ connectionString: url })
  await other.connect()
})
afterAll(async () => {
  await other.end()
  await store.close()
})

const waiting = `select 1 from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

it('on PostgreSQL, an erasure locks copies in the order of their keys, as a confirmation does', async () => {
  const connection = uniqueId('connection')
  // Stored in the opposite order, in which a small table is read.
  const copyKeys = ['user:usr_ada', 'leaves:usr_ada']
  for (const key of copyKeys) await store.copies.keepCopy(connection, copyBegunAt(1000, { key }))
  await other.query('begin')
  const lock = 'select from copies where connection_id = $1 and key = $2 for update nowait'
  await other.query(lock, [connection, 'leaves:usr_ada'])
  const erasing = store.erasure.deletePerson(erasedPerson({ copyKeys }))
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
  await other.query(lock, [connection, 'user:usr_ada'])
  await other.query('commit')
  expect(await erasing).toMatchObject({ copies: 2 })
})

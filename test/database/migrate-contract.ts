import { sql } from 'kysely'
import { expect, it } from 'vitest'

import type { Database } from '../../src/database/database.ts'
import { type Migration, migrate } from '../../src/database/migrate.ts'
import type { CreateDatabase } from '../support/database/databases.ts'
import { open } from '../support/database/open.ts'
import { openStoreNode } from '../support/database/store-node.ts'

const createThings: Migration = {
  name: 'things',
  up: ({ schema }) => schema.createTable('things').addColumn('id', 'integer').execute(),
}
const addThing: Migration = {
  name: 'a thing',
  up: async (queries) => {
    await sql`insert into things (id) values (1)`.execute(queries)
  },
}
const failHalfway: Migration = {
  name: 'half of it',
  up: async (queries) => {
    await queries.schema.createTable('halves').addColumn('id', 'integer').execute()
    await addThing.up(queries, 'sqlite')
    throw new Error('on purpose')
  },
}

/** What `migrate` promises. */
export function testMigrate(createDatabase: CreateDatabase): void {
  it('each step runs once, in order, and is recorded', async () => {
    const database = await open(await createDatabase())
    await migrate(database, { table: 'history', migrations: [createThings] })
    await migrate(database, { table: 'history', migrations: [createThings, addThing] })
    await migrate(database, { table: 'history', migrations: [createThings, addThing] })
    expect(await rowsOf(database, 'things')).toEqual([{ id: 1 }])
    expect(await rowsOf(database, 'history')).toEqual([
      { version: 1, name: 'things' },
      { version: 2, name: 'a thing' },
    ])
  })

  it('histories of two programs in one database do not mix', async () => {
    const database = await open(await createDatabase())
    await migrate(database, { table: 'history', migrations: [createThings] })
    await migrate(database, { table: 'other_history', migrations: [addThing] })
    expect(await rowsOf(database, 'things')).toHaveLength(1)
  })

  it('an empty list of steps is accepted', async () => {
    const database = await open(await createDatabase())
    await migrate(database, { table: 'history', migrations: [] })
    expect(await rowsOf(database, 'history')).toEqual([])
  })

  it('a failed step leaves no trace, and earlier steps remain', async () => {
    const database = await open(await createDatabase())
    const failing = { table: 'history', migrations: [createThings, failHalfway] }
    await expect(migrate(database, failing)).rejects.toThrow('on purpose')
    expect(await rowsOf(database, 'things')).toEqual([])
    expect(await rowsOf(database, 'history')).toHaveLength(1)
    await expect(rowsOf(database, 'halves')).rejects.toThrow(/halves/)
    await migrate(database, { table: 'history', migrations: [createThings, addThing] })
    expect(await rowsOf(database, 'things')).toHaveLength(1)
  })

  it('a database of a newer program is refused and left unchanged', async () => {
    const database = await open(await createDatabase())
    await migrate(database, { table: 'history', migrations: [createThings, addThing] })
    await expect(
      migrate(database, { table: 'history', migrations: [createThings] }),
    ).rejects.toMatchObject({
      code: 'invalid',
      message:
        'The database was written by a newer version of the program: install that version, or restore a backup made before it.',
    })
    expect(await rowsOf(database, 'history')).toHaveLength(2)
  })

  it('processes that start at once on an empty database all succeed', async () => {
    const url = await createDatabase()
    const nodes = await Promise.all([openStoreNode(url), openStoreNode(url), openStoreNode(url)])
    const answers = await Promise.all(nodes.map((node) => node.call('feeds', 'findFeed', 'none')))
    expect(answers).toEqual([undefined, undefined, undefined])
    await Promise.all(nodes.map((node) => node.close()))
  })
}

async function rowsOf(database: Database<unknown>, table: string): Promise<unknown[]> {
  const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(database.queries)
  return rows.map((row) => ({ ...row }))
}

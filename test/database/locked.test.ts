/* What a lock of another process holds up, and what it does not. */
import { setTimeout as pause } from 'node:timers/promises'

import { sql } from 'kysely'
import { expect, onTestFinished, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { createSqliteDatabase } from '../support/database/databases.ts'
import { type Other, openOther } from '../support/database/locks.ts'

async function openThings(): Promise<{ database: Database<unknown>; other: Other; url: string }> {
  const url = createSqliteDatabase()
  const database = await openDatabase(url)
  await sql`create table things (id integer)`.execute(database.queries)
  const other = await openOther(url)
  onTestFinished(async () => {
    await other.close()
    await database.close()
  })
  return { database, other, url }
}

it('all who wait for one lock give up together, and later ones write', async () => {
  const { database, other } = await openThings()
  const { queries } = database
  await other.lock('begin immediate')
  const writes = Array.from({ length: 20 }, (_, id) =>
    id % 2 === 0
      ? sql`insert into things values (${id})`.execute(queries)
      : queries
          .transaction()
          .execute((transaction) => sql`insert into things values (${id})`.execute(transaction)),
  )
  const settled = Promise.allSettled(writes)
  await writes[0]!.catch(() => undefined)
  // Who waited again would find the lock released meanwhile.
  await Promise.race([settled, pause(2500)])
  await other.release()
  expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']))
  await sql`insert into things values (21)`.execute(queries)
  expect((await sql`select id from things`.execute(queries)).rows).toEqual([{ id: 21 }])
})

it('a wait for a lock ends when the database is closed', async () => {
  const { database, other } = await openThings()
  const { queries } = database
  await other.lock('begin immediate')
  const writes = Promise.allSettled([
    sql`insert into things values (1)`.execute(queries),
    sql`create table more (id integer)`.execute(queries),
  ])
  // Who went on waiting would find the lock released meanwhile.
  await Promise.race([database.close(), pause(1000)])
  await other.release()
  expect(await writes).toMatchObject([
    { status: 'rejected', reason: { code: 'unavailable' } },
    { status: 'rejected', reason: { code: 'unavailable' } },
  ])
})

it('a statement outside a transaction waits for the lock too, and everything else continues', async () => {
  const { database, other } = await openThings()
  const { queries } = database
  await other.lock('begin immediate')
  const creating = sql`create table more (id integer)`.execute(queries)
  expect((await sql`select id from things`.execute(queries)).rows).toEqual([])
  await other.release()
  await creating
  expect((await sql`select id from more`.execute(queries)).rows).toEqual([])
})

it('a program starting while another holds the file waits without blocking, then starts', async () => {
  const url = createSqliteDatabase()
  const first = await openDatabase(url)
  await sql`create table things (id integer)`.execute(first.queries)
  await first.close()
  const other = await openOther(url)
  onTestFinished(() => other.close())
  await other.lock('pragma locking_mode = exclusive', 'begin exclusive', 'delete from things')
  const opening = openDatabase(url)
  await pause(1)
  await other.release()
  await other.close()
  const database = await opening
  onTestFinished(() => database.close())
  expect((await sql`select id from things`.execute(database.queries)).rows).toEqual([])
})

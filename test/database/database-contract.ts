import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type Database, openDatabase } from '../../src/database/database.ts'
import { given } from '../../src/database/prepared-read.ts'
import { AppError } from '../../src/domain/errors.ts'
import type { CreateDatabase } from '../support/database/databases.ts'

interface Tables {
  readonly things: {
    readonly id: number
    readonly name: string | null
    readonly bytes: Uint8Array | null
    readonly parent: number | null
  }
}

type Thing = Tables['things']

const nothing = { name: null, bytes: null, parent: null }

/** What both kinds of database have in common. */
export function testDatabase(createDatabase: CreateDatabase): void {
  let database: Database<Tables>

  beforeAll(async () => {
    database = await openDatabase<Tables>(await createDatabase())
    await database.queries.schema
      .createTable('things')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.unique())
      .addColumn('bytes', database.dialect === 'sqlite' ? 'blob' : 'bytea')
      .addColumn('parent', 'bigint', (column) => column.references('things.id'))
      .execute()
  })
  afterAll(() => database.close())

  function insert(thing: Partial<Thing> & { id: number }): Promise<unknown> {
    return database.queries
      .insertInto('things')
      .values({ ...nothing, ...thing })
      .execute()
  }

  async function find(id: number): Promise<Thing | undefined> {
    const query = database.queries.selectFrom('things').selectAll()
    return query.where('id', '=', id).executeTakeFirst()
  }

  it('numbers beyond 32 bits, texts and bytes are read as written', async () => {
    const thing = {
      id: Number.MAX_SAFE_INTEGER,
      name: 'naïve — 🎿',
      bytes: new Uint8Array([0, 1, 127, 128, 255]),
      parent: null,
    }
    await insert(thing)
    const found = await find(thing.id)
    expect({ ...found }).toEqual(thing)
    expect(Object.getPrototypeOf(found?.bytes)).toBe(Uint8Array.prototype)
  })

  it('a count is a number', async () => {
    const query = database.queries
      .selectFrom('things')
      .select((things) => things.fn.countAll().as('count'))
    expect(typeof (await query.executeTakeFirst())?.count).toBe('number')
  })

  it.each([
    ['primary key', { id: 10, name: 'other' }],
    ['unique column', { id: 11, name: 'ten' }],
    ['reference', { id: 12, parent: 999 }],
  ])('a violated %s is a conflict', async (_, thing) => {
    await insert({ id: 10, name: 'ten' }).catch(() => {})
    await expect(insert(thing)).rejects.toMatchObject({ name: 'AppError', code: 'conflict' })
  })

  it('a mistake in a statement is not an operating error', async () => {
    await expect(
      sql`select nothing from nowhere`.execute(database.queries),
    ).rejects.not.toBeInstanceOf(AppError)
  })

  it('a failed transaction is rolled back', async () => {
    const failing = database.queries.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('things')
        .values({ ...nothing, id: 20 })
        .execute()
      throw new Error('on purpose')
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(await find(20)).toBeUndefined()
  })

  it('simultaneous transactions do not interfere with each other', async () => {
    await insert({ id: 30, name: '0' })
    const increments = Array.from({ length: 20 }, () =>
      database.queries.transaction().execute(async (transaction) => {
        const query = transaction.selectFrom('things').select('name').where('id', '=', 30)
        const row = await (
          database.dialect === 'postgres' ? query.forUpdate() : query
        ).executeTakeFirstOrThrow()
        const name = String(Number(row.name) + 1)
        await transaction.updateTable('things').set({ name }).where('id', '=', 30).execute()
      }),
    )
    await Promise.all(increments)
    expect(await find(30)).toMatchObject({ name: '20' })
  })

  it.each(['takeTurn', 'shareTurn'] as const)(
    'taking a turn waits for the end of another transaction that did %s',
    async (how) => {
      const [first, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const order: string[] = []
      const one = database.queries.transaction().execute(async (transaction) => {
        await database[how](transaction, 'a turn')
        first.resolve()
        await end.promise
        order.push('one')
      })
      await first.promise
      const other = database.queries.transaction().execute(async (transaction) => {
        await database.takeTurn(transaction, 'a turn')
        order.push('other')
      })
      const between = database.queries.transaction().execute(async (transaction) => {
        await database.takeTurn(transaction, 'another turn')
        end.resolve()
      })
      if (database.dialect === 'sqlite') end.resolve()
      await Promise.all([one, other, between])
      expect(order).toEqual(['one', 'other'])
    },
  )

  it.each(['a statement', 'a transaction'])(
    '%s that fails because of a row just written can read that row at once',
    async (how) => {
      const name = `written once by ${how}`
      const write = (id: number): Promise<unknown> =>
        how === 'a statement'
          ? insert({ id, name })
          : database.queries.transaction().execute((transaction) =>
              transaction
                .insertInto('things')
                .values({ ...nothing, id, name })
                .execute(),
            )
      const idOf = async (): Promise<number | undefined> => {
        const things = database.queries.selectFrom('things').select('id')
        return (await things.where('name', '=', name).executeTakeFirst())?.id
      }
      const first = how === 'a statement' ? 60 : 70
      const ids = Array.from({ length: 8 }, (_, index) => first + index)
      const found = await Promise.all(ids.map((id) => write(id).then(() => id, idOf)))
      expect(new Set(found).size).toBe(1)
      expect(ids).toContain(found[0])
    },
  )

  it('a prepared read uses its parameters on every run and sees the latest writes', async () => {
    const named = database.prepareRead<{ id: number; name: string }, Pick<Thing, 'id' | 'bytes'>>(
      database.queries
        .selectFrom('things')
        .select(['id', 'bytes'])
        .where('name', '=', given<string>('name'))
        .where('id', '>=', 40)
        .where('id', '=', given<number>('id')),
    )
    await insert({ id: 40, name: 'forty', bytes: new Uint8Array([4, 0]) })
    expect(await named({ id: 40, name: 'forty' })).toEqual([
      { id: 40, bytes: new Uint8Array([4, 0]) },
    ])
    expect(await named({ name: '40', id: 40 })).toEqual([])
    await insert({ id: 41, name: 'forty-one' })
    expect(await named({ id: 41, name: 'forty-one' })).toEqual([{ id: 41, bytes: null }])
  })

  it('a prepared read neither sees nor waits for an open transaction', async () => {
    const count = database.prepareRead<object, { id: number }>(
      database.queries.selectFrom('things').select('id').where('id', '=', 42),
    )
    await database.queries.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('things')
        .values({ ...nothing, id: 42 })
        .execute()
      expect(await count({})).toEqual([])
    })
    expect(await count({})).toEqual([{ id: 42 }])
  })

  it('any number of transactions can share a turn', async () => {
    const bothShare = Promise.withResolvers<void>()
    let sharing = 0
    const share = (): Promise<void> =>
      database.queries.transaction().execute(async (transaction) => {
        await database.shareTurn(transaction, 'a shared turn')
        sharing += 1
        // Where transactions take turns by themselves, each ends before the next begins.
        if (sharing === 2 || database.dialect === 'sqlite') bothShare.resolve()
        await bothShare.promise
      })
    await Promise.all([share(), share()])
    expect(sharing).toBe(2)
  })

  it('more kinds of statements than the cache holds still work', async () => {
    for (let width = 1; width <= 450; width += 1) {
      const columns = Array.from(
        { length: width },
        (_, index) => sql`${index} as ${sql.ref(`c${index}`)}`,
      )
      const { rows } = await sql`select ${sql.join(columns)}`.execute(database.queries)
      expect(rows).toHaveLength(1)
    }
  })
}

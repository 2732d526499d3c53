import { CompiledQuery } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { claimsFor, wrongedOwners } from '../../src/store/claims.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

it('on SQLite no query for a few claims scans the whole connection', async () => {
  const database = await openDatabase<StoreTables>(migratedSqliteDatabase(), {
    plugins: columnNames,
  })
  onTestFinished(() => database.close())
  const { queries } = database
  const claims = claimsFor(queries, 'main', 'usr_ada')
  const planOf = async ({ sql, parameters }: CompiledQuery): Promise<string> => {
    const { rows } = await queries.executeQuery<{ readonly detail: string }>(
      CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
    )
    return rows.map(({ detail }) => detail).join('\n')
  }
  const byPerson = 'leaves_of_owner (connection_id=? AND user_id>? AND user_id<?)'
  expect(await planOf(claims.compile())).toContain(byPerson)
  const page = claims.where('leaveId', '>', 'lv_1').orderBy('userId').orderBy('leaveId')
  expect(await planOf(page.limit(10).compile())).toContain(byPerson)
  const plan = await planOf(wrongedOwners('main', 0).compile(queries))
  expect(plan).toContain('contested_leaves (connection_id=?)')
  expect(plan).not.toMatch(/(PRIMARY KEY|leaves_of_owner) \(connection_id=\?\)/)
})

import { expect, it, onTestFinished } from 'vitest'

import { openDatabase } from '../../src/database/database.ts'
import { claimsFor, wrongedOwners } from '../../src/store/claims.ts'
import { columnNames, type StoreTables } from '../../src/store/tables.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import { planOf } from '../support/database/query-plans.ts'

it('on SQLite no query for a few claims scans the whole connection', async () => {
  const database = await openDatabase<StoreTables>(migratedSqliteDatabase(), {
    plugins: columnNames,
  })
  onTestFinished(() => database.close())
  const { queries } = database
  const claims = claimsFor(queries, 'main', 'usr_ada')
  const byPerson = 'leaves_of_owner (connection_id=? AND user_id>? AND user_id<?)'
  expect(await planOf(database, claims.compile())).toContain(byPerson)
  const page = claims.where('leaveId', '>', 'lv_1').orderBy('userId').orderBy('leaveId')
  expect(await planOf(database, page.limit(10).compile())).toContain(byPerson)
  const plan = await planOf(database, wrongedOwners('main', 0).compile(queries))
  expect(plan).toContain('contested_leaves (connection_id=?)')
  expect(plan).not.toMatch(/(PRIMARY KEY|leaves_of_owner) \(connection_id=\?\)/)
})

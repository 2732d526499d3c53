import { DatabaseSync } from 'node:sqlite'

import { expect, it, onTestFinished } from 'vitest'

import { openStore } from '../../src/store/open-store.ts'
import { migratedSqliteDatabase } from '../support/databases.ts'
import { askedBy } from '../support/statements.ts'
import { copyBegunAt } from './fixtures.ts'

it('on SQLite neither what stands nor what is confirmed goes through all of a company', async () => {
  const url = migratedSqliteDatabase()
  const store = await openStore(url)
  onTestFinished(() => store.close())
  const of = { connectionId: 'main', companyId: 'main', keys: ['a'], userIds: ['b'], now: 1 }
  const { statements } = await askedBy(async () => {
    await store.standings.readStanding(of)
    await store.copies.confirmCopies('main', [copyBegunAt(1000)])
  })
  expect(statements).toHaveLength(2)
  const database = new DatabaseSync(url.slice('file:'.length), { readOnly: true })
  const plans = statements.map((text) =>
    database
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  )
  database.close()
  const copies = 'SEARCH copies USING PRIMARY KEY (connection_id=? AND key=?)'
  expect(plans.flat().filter((step) => step === copies)).toHaveLength(2)
  for (const step of plans.flat()) {
    expect(step).not.toMatch(/^SCAN (copies|departures|leave_owners|feed_users|feeds|links)/)
    expect(step).not.toMatch(/^SEARCH (?!proofs).*\((connection_id|company_id)=\?\)/)
  }
})

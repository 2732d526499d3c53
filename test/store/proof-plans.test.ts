import { DatabaseSync } from 'node:sqlite'

import { expect, it, onTestFinished } from 'vitest'

import { openStore } from '../../src/store/open-store.ts'
import { migratedSqliteDatabase } from '../support/databases.ts'
import { askedBy } from '../support/statements.ts'

it('on SQLite nothing that a proof of one answer asks goes through all of a company', async () => {
  const url = migratedSqliteDatabase()
  const store = await openStore(url)
  const { proofs, doubts, peopleFinder } = store
  onTestFinished(() => store.close())
  const { statements } = await askedBy(async () => {
    await proofs.findProof('main')
    await proofs.findClaims('main', ['lv_1', 'lv_2'])
    await proofs.countWrongedOwners('main', 0)
    await doubts.countFilled('main', 'leaves', 20)
    await peopleFinder.findPeople('main', ['usr_ada'])
    await peopleFinder.listAlike('main', 'usr_ada', 2)
  })
  expect(statements).toHaveLength(9)
  const database = new DatabaseSync(url.slice('file:'.length), { readOnly: true })
  const plans = statements.map((text) =>
    database
      .prepare(`explain query plan ${text}`)
      .all()
      .map(({ detail }) => String(detail)),
  )
  database.close()
  for (const step of plans.flat()) {
    expect(step).not.toMatch(/^SCAN (copies|people|leave_owners)/)
    expect(step).not.toMatch(
      /^SEARCH (copies|people|owner|wrong).*\((connection_id|company_id)=\?\)/,
    )
  }
})

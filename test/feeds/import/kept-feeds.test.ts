import { expect, inject, it } from 'vitest'

import { adminToken, readsFrom, startBridge } from '../../support/bridge/bridge.ts'
import { startCompanyServer } from '../../support/company/company-server.ts'
import { twoPeople } from '../../support/company/people.ts'
import { migratedSqliteDatabase } from '../../support/database/databases.ts'
import { insertFeeds } from '../../support/database/many-feeds.ts'

it.runIf(inject('isThorough'))(
  'a table is accepted for a person with more feeds than one query can name',
  async () => {
    const company = await startCompanyServer()
    Object.assign(company.records, twoPeople())
    const databaseUrl = migratedSqliteDatabase()
    await insertFeeds(databaseUrl, 33_000, {}, { company: "'main'", user: "'usr_ada'" })
    const environment = { ...readsFrom(company.url), DATABASE_URL: databaseUrl }
    const bridge = await startBridge({ environment })
    const statusOf = async (): Promise<unknown> => {
      const response = await fetch(new URL('/api/feeds', bridge.url), {
        method: 'POST',
        body: 'userId,name\nusr_ada,Another\n',
        headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'text/csv' },
      })
      return ((await response.json()) as { data?: { status: string }[] }).data?.[0]?.status
    }
    expect([await statusOf(), await statusOf()]).toEqual(['created', 'skipped'])
    await bridge.close()
    await company.close()
  },
)

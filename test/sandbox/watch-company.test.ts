import { describe, expect, it, onTestFinished } from 'vitest'

import { watchCompany } from '../../src/sandbox/records/companies.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { databases } from '../support/database/databases.ts'
import { smallCompany } from './company.ts'
import { startSandboxServer } from './sandbox-server.ts'

describe.each(databases)('watched company on $name', ({ create }) => {
  it('a change by someone else is reported, but not one of another company', async () => {
    const url = await create()
    const [watched, elsewhere] = [await startSandboxServer(url), await startSandboxServer(url)]
    onTestFinished(async () => {
      await watched.close()
      await elsewhere.close()
    })
    await elsewhere.load({ users: [{ id: 'usr_1' }] })
    const told = Promise.withResolvers<string>()
    const watching = { companyId: 'main', changed: told.resolve, log: silentLog, everyMs: 10 }
    const end = await watchCompany(watched.database, watching)
    await elsewhere.load(smallCompany, 'other')
    await elsewhere.load(smallCompany)
    expect(await told.promise).toBe('main')
    await end()
  })
})

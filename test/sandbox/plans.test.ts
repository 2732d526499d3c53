/* However many companies and records there are, no operation goes through a whole table. */
import { describe, expect, it, onTestFinished } from 'vitest'

import { databases } from '../support/database/databases.ts'
import { askedBy } from '../support/database/statements.ts'
import { wholeTables } from '../support/database/whole-tables.ts'
import { smallCompany } from './company.ts'
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts'

function subsets([first, ...others]: readonly string[]): string[][] {
  if (first === undefined) return [[]]
  return subsets(others).flatMap((some) => [some, [first, ...some]])
}

/** Every operation, with each of its filters and with all of them together, whole and by pages. */
const paths = [
  ...subsets(['userId=usr_1', 'status=APPROVED']).map((some) => `/leaves?${some.join('&')}`),
  ...subsets(['userId=usr_1', 'status=DRAFT', 'startDate=2026-01-01', 'endDate=2026-02-01']).map(
    (some) => `/timesheets?${some.join('&')}`,
  ),
  ...subsets(['type=FIXED', 'isActive=true']).map((some) => `/schedules?${some.join('&')}`),
  '/projects/prj_1/tasks?',
  '/users/usr_1?',
  '/invoices/inv_1?',
]

describe.each(databases)('query plans on $name', ({ name, create }) => {
  it('no operation reads a whole table', async () => {
    const url = await create()
    const server = await startSandboxServer(url, ['main'])
    onTestFinished(() => server.close())
    await server.load(smallCompany)
    const { statements } = await askedBy(async () => {
      for (const path of paths) await readEveryPage(path, server)
    })
    const texts = [...new Set(statements)]
    expect(texts.length).toBeGreaterThan(paths.length)
    const kind = name === 'SQLite' ? 'sqlite' : 'postgres'
    expect(await wholeTables[kind](url, texts)).toEqual([])
  })
})

async function readEveryPage(path: string, server: SandboxServer): Promise<void> {
  expect([path, (await server.read(path, 'main')).status]).toEqual([path, 200])
  if (/users|invoices/.test(path)) return
  const first = await server.read(`${path}&limit=1`, 'main')
  const next = /^<\/api\/public\/v1(.*)>/.exec(first.headers.get('Link') ?? '')?.[1]
  if (next !== undefined) expect((await server.read(next, 'main')).status).toBe(200)
}

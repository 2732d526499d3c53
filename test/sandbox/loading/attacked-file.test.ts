import { describe, expect, it } from 'vitest'

import { asAppError } from '../../../src/domain/errors.ts'
import {
  deleteRecord,
  putRecord,
  resetCompany,
} from '../../../src/sandbox/controls/record-routes.ts'
import { importFile } from '../../../src/sandbox/loading/import-file.ts'
import {
  openSandboxDatabase,
  type SandboxDatabase,
} from '../../../src/sandbox/records/sandbox-database.ts'
import { databases, migratedSqliteDatabase } from '../../support/database/databases.ts'

const opened = async (url: string): Promise<SandboxDatabase & AsyncDisposable> => {
  const database = await openSandboxDatabase(url)
  return { ...database, [Symbol.asyncDispose]: () => database.close() }
}

const faultsOf = async (text: string | Buffer): Promise<readonly string[]> => {
  await using database = await opened(migratedSqliteDatabase())
  const error = await importFile(database, { name: 'It', bytes: Buffer.from(text) }).catch(
    (cause: unknown) => cause,
  )
  const { faults = [], message = '' } = asAppError(error) ?? {}
  return [...faults.map(({ pointer, detail }) => `${pointer}: ${detail}`), message]
}

describe('hostile or careless file', () => {
  const day = '{"users": [{"id": "a", "createdAt": "2026-01-05"}]}'
  const missing = '{"users": [{"id": "a"}], "projects": [{"id": "p"}]}'

  it.each([
    [
      'a bare day',
      day,
      '/users/0/createdAt: Invalid input: expected ISO 8601 timestamp, such as 2026-01-05T00:00:00.000Z',
    ],
    [
      'nothing at all',
      missing,
      '/projects/0/tasks: Invalid input: expected array, and there is none',
    ],
    ['a list', '[]', ': Invalid input: expected object, such as {"users": […]}'],
    ['a table', 'id,name\na,b\n', 'It is not JSON.'],
    ['a comma too many', '{"users": [],\n}', 'It is not JSON: see line 2, column 1.'],
    ['white space', ' \r\n', 'It is empty.'],
  ])('%s is reported in words', async (_name, text, says) => {
    expect((await faultsOf(text))[0]).toBe(says)
  })
})

describe.each(databases)('attacked company on $name', ({ createMigrated }) => {
  it('projects can have any name', async () => {
    await using database = await opened(await createMigrated())
    const text = String.raw`{"users": [{"id": "a"}], "projects": [{"id": "p", "name": "A\u0000B\ud800", "tasks": []}]}`
    await importFile(database, { name: 'It', bytes: Buffer.from(text) })
    const project = await database.queries.selectFrom('projects').select('name').executeTakeFirst()
    expect(project).toEqual({ name: 'AB\uFFFD' })
  })

  it('a file is recognised again only after every change has been undone', async () => {
    await using database = await opened(await createMigrated())
    const file = { name: 'It', bytes: Buffer.from('{"users": [{"id": "a"}, {"id": "b"}]}') }
    const load = async (): Promise<boolean> =>
      (await importFile(database, file, { companyId: 'north' })).isChanged
    const name = { companyId: 'north', kind: 'users', id: 'a' } as const
    expect([await load(), await load()]).toEqual([true, false])
    await putRecord(database, name, { firstName: 'Ada' })
    await resetCompany(database, 'north', '2026-01-05')
    expect(await load()).toBe(false)
    await deleteRecord(database, name)
    expect([await load(), await load()]).toEqual([true, false])
  })
})

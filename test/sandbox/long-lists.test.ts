/* Lists that are longer than what is read at once: whole, of one state of the company, and no larger in memory than their parts. */
import { describe, expect, it, onTestFinished } from 'vitest'

import { replaceCompany } from '../../src/sandbox/loading/import-file.ts'
import { lockCompany } from '../../src/sandbox/records/companies.ts'
import { createSqliteDatabase, databases } from '../support/database/databases.ts'
import { leave } from './company.ts'
import { listEnvelope, listsOf } from './loading/load-company.ts'
import { type SandboxServer, startSandboxServer } from './sandbox-server.ts'

const users = [{ id: 'usr_1' }]

/** So many that a client which reads nothing for a while has not been sent all of it. */
const textLength = 10_000
const count = 1650

const longLeaves = Array.from({ length: count }, (_, index) => ({
  ...leave(`lv_${index}`, 'usr_1'),
  reason: 'x'.repeat(textLength),
}))

describe.each(databases)('long list on $name', ({ create }) => {
  it('a list in several parts is complete and in order', async () => {
    const server = await startSandboxServer(await create())
    onTestFinished(() => server.close())
    const leaves = Array.from({ length: 1001 }, (_, index) => leave(`lv_${index}`, 'usr_1'))
    await server.load({ users, leaves })
    const { body } = await server.read('/leaves')
    const ids = listEnvelope.parse(body).data.map((record) => Object(record).id)
    expect(ids).toEqual(leaves.map(({ id }) => id))
  })
})

describe('long list being sent', () => {
  it('a response cut by a reload of the company is incomplete, and the next one complete', async () => {
    const { server, reader } = await beginReading()
    await reader.read()
    await replace(server, longLeaves.slice(1))
    await expect(readAll(reader)).rejects.toThrow('terminated')
    const { body } = await server.read('/leaves')
    expect(listEnvelope.parse(body).data).toHaveLength(count - 1)
  })

  it('a response during changes contains each record once', async () => {
    const { server, reader } = await beginReading()
    const { value: first } = await reader.read()
    const changed = JSON.stringify({ id: 'lv_1649', reason: 'changed' })
    await server.database.queries
      .updateTable('leaves')
      .set({ record: changed })
      .where('id', '=', 'lv_1649')
      .execute()
    const text = Buffer.concat([first!, ...(await readAll(reader))]).toString()
    const read = listEnvelope.parse(JSON.parse(text)).data
    expect(read.map((record) => Object(record).id)).toEqual(longLeaves.map(({ id }) => id))
  })
})

/** A list of which nothing has been read yet. */
async function beginReading(): Promise<{
  server: SandboxServer
  reader: ReadableStreamDefaultReader<Uint8Array>
}> {
  const server = await startSandboxServer(createSqliteDatabase())
  onTestFinished(() => server.close())
  await replace(server, longLeaves)
  const headers = { 'Accept-Encoding': 'identity' }
  const { body } = await fetch(server.address('/leaves'), { headers })
  return { server, reader: body!.getReader() }
}

/** As an import does it, once all is checked. */
async function replace({ database }: SandboxServer, leaves: typeof longLeaves): Promise<void> {
  await database.queries.transaction().execute(async (writes) => {
    await lockCompany(writes, 'main')
    await replaceCompany(writes, 'main', listsOf({ users, leaves }), null)
  })
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array[]> {
  const { done, value } = await reader.read()
  return done ? [] : [value, ...(await readAll(reader))]
}

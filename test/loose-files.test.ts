/* Files that others than their owner can open are told at the start, with what mends it. */
import { chmod } from 'node:fs/promises'

import { describe, expect, it } from 'vitest'

import { startBridge } from './support/bridge.ts'
import { migratedSqliteDatabase } from './support/databases.ts'
import { type LogLine, recordedLog } from './support/recorded-log.ts'

describe('a start', () => {
  it('says once which files are open to others, and leaves their modes alone', async () => {
    const databaseUrl = migratedSqliteDatabase()
    const file = databaseUrl.slice('file:'.length)
    expect(await warningsOf(databaseUrl)).toEqual([])
    await chmod(file, 0o644)
    const data = {
      modes: { [file]: '0644', [`${file}-wal`]: '0644', [`${file}-shm`]: '0644' },
      mend: `chmod 600 ${file} ${file}-wal ${file}-shm`,
    }
    const line = { level: 'warn', event: 'files_open_to_others', data }
    expect(await warningsOf(databaseUrl)).toEqual([line])
    expect(await warningsOf(databaseUrl)).toEqual([line])
  })
})

async function warningsOf(databaseUrl: string): Promise<readonly LogLine[]> {
  const lines: LogLine[] = []
  const environment = { DATABASE_URL: databaseUrl }
  const bridge = await startBridge({ environment, log: recordedLog(lines) })
  await bridge.close()
  return lines.filter(({ level }) => level === 'warn')
}

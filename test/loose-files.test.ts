/* Files that others than their owner can open are told at the start, with what mends it. */
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import path from 'node:path'

import { describe, expect, inject, it } from 'vitest'

import { operatorsFiles, warnOfLooseFiles } from '../src/process/start-warnings.ts'
import { readSettings } from '../src/settings/read-settings.ts'
import { startBridge } from './support/bridge/bridge.ts'
import { type LogLine, recordedLog } from './support/bridge/recorded-log.ts'
import { migratedSqliteDatabase } from './support/database/databases.ts'

describe('a start', () => {
  it('reports once which files are open to others, and does not change their modes', async () => {
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

describe('files with secrets of an operator', () => {
  const secret = 'bearer:s3cr3t-of-somebody'

  it('are all files named by a setting for secrets, and no others', () => {
    const north = { id: 'north', baseUrl: 'https://north.example', timezone: 'UTC' }
    const files = (environment: Record<string, string>, company: object = {}): readonly string[] =>
      readSettings(
        environment,
        (file) =>
          Buffer.from(file === 'all.json' ? JSON.stringify([{ ...north, ...company }]) : secret),
        Object.keys(environment),
      ).secretFiles
    const shared = { DATABASE_URL: 'postgres://me:pw@db/feeds', ADMIN_TOKEN_FILE: 'token' }
    expect(files(shared)).toEqual(['.env', 'token'])
    expect(files({ ADMIN_TOKEN: 'a-token-of-an-admin' })).toEqual(['.env'])
    expect(files({ PORT: '1', WORKFORCE_AUTH: 'none', DATABASE_URL: 'file:a@b' })).toEqual([])
    const inFile = { COMPANIES_FILE: 'all.json' }
    expect(files(inFile)).toEqual([])
    expect(files(inFile, { auth: secret })).toEqual(['all.json'])
    expect(files(inFile, { authFile: 'auth' })).toEqual(['auth'])
    expect(files({ ...inFile, WORKFORCE_AUTH: secret }, { authFile: 'auth' })).toEqual([
      '.env',
      'auth',
    ])
  })

  it('are reported with the data folder if open to others, unless owned by another account', async () => {
    const dataDirectory = await mkdtemp(path.join(inject('temporaryFolder'), 'loose-'))
    const files = ['token', "it's all.json", 'none', 'token/none'].map((name) =>
      path.join(dataDirectory, name),
    )
    for (const file of files.slice(0, 2)) await writeFile(file, secret, { mode: 0o600 })
    const { uid } = userInfo()
    const told = (userId: number | undefined): readonly LogLine[] => {
      const lines: LogLine[] = []
      const found = operatorsFiles({ dataDirectory, secretFiles: files }, userId)
      warnOfLooseFiles(found, recordedLog(lines))
      return lines
    }
    expect(told(uid)).toEqual([])
    await chmod(files[0]!, 0o640)
    await chmod(files[1]!, 0o604)
    await chmod(dataDirectory, 0o755)
    const [token, companies] = files
    expect(told(uid)).toMatchObject([
      {
        data: {
          modes: { [token!]: '0640', [companies!]: '0604', [dataDirectory]: '0755' },
          mend: `chmod 600 ${token} '${companies!.replace("'", String.raw`'\''`)}' && chmod 700 ${dataDirectory}`,
        },
      },
    ])
    expect([told(uid + 1), told(undefined)]).toEqual([[], []])
  })
})

async function warningsOf(databaseUrl: string): Promise<readonly LogLine[]> {
  const lines: LogLine[] = []
  const environment = { DATABASE_URL: databaseUrl }
  const bridge = await startBridge({ environment, log: recordedLog(lines) })
  await bridge.close()
  return lines.filter(({ level }) => level === 'warn')
}

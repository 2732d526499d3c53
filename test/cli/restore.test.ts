/* What a restore puts in place, what it refuses, and what it tells to do again. */
import { existsSync } from 'node:fs'
import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rename,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, inject } from 'vitest'

import { keepRunningServer } from '../../src/process/data-directory.ts'
import { openStore } from '../../src/store/open-store.ts'
import { startBridge } from '../support/bridge/bridge.ts'
import {
  type CommandResult,
  it as base,
  runCommand,
  type TestCommandLine,
} from '../support/bridge/command-line.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { damageIndex } from '../support/database/damaged.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'
import type { ApiAnswer } from '../support/web/api-answer.ts'

interface Restored {
  readonly database: string
  readonly replaced: string | null
}

const it = base
  /** A backup that is never changed. */
  .extend('backup', () => fileIn(migratedSqliteDatabase()))
  /** A folder that has a database already. */
  .extend('present', () => fileIn(migratedSqliteDatabase()))
  .extend('restore', ({ line, present }) => async (input: string, database = present) => {
    const words = ['restore', '--input', input, '--json']
    const environment = { ...line.environment, DATABASE_URL: `file:${database}` }
    const { code, output, errors } = await runCommand(environment, ...words)
    return { code, errors, restored: (code === 0 ? JSON.parse(output) : null) as Restored }
  })

function fileIn(url: string): string {
  return url.slice('file:'.length)
}

describe('a restore', () => {
  it('tells the commands that end again what has ended since, and they do', async ({ line }) => {
    const run = (...words: readonly string[]): Promise<CommandResult> => line.run(...words)
    const json = (...words: readonly string[]): Promise<ApiAnswer> => line.json(...words)
    const ada = ['feed', 'create', '--user', 'usr_ada', '--name']
    const [ended, left, rotated, same] = await Promise.all(
      ['Ended', 'Left', 'Rotated', 'Same'].map((name) => json(...ada, name)),
    )
    const bob = await json('feed', 'create', '--user', 'usr_bob')
    const label = "Ada's phone"
    await json('feed', 'link', left!.id, '--label', label)
    for (const name of ['helpdesk', 'kept']) {
      await json('token', 'create', '--name', name, '--role', 'reader', '--company', 'main')
    }
    const file = path.join(line.folder, 'backup.sqlite')
    await run('backup', '--output', file)

    await json('feed', 'revoke', ended!.id, '--purge')
    await json('feed', 'revoke', left!.id, '--label', label)
    await json('feed', 'rotate', rotated!.id)
    await json('token', 'revoke', 'helpdesk', '--company', 'main')
    expect((await run('erase', '--user', 'usr_bob')).code).toBe(0)
    const later = await json(...ada, 'Later')
    const before = await statesOf(line)

    const { code, output, errors } = await run('restore', '--input', file)
    const commands = [
      `feed revoke ${ended!.id} --purge`,
      String.raw`feed revoke ${left!.id} --label 'Ada'\''s phone'`,
      `feed rotate ${rotated!.id} --label default`,
      'token revoke helpdesk --company main',
      'erase --user usr_bob --company main',
    ]
    expect([code, output.trim().split('\n')]).toEqual([
      0,
      commands.map((command) => `npm run -s bridge -- ${command}`),
    ])
    const replaced = /The former database is (\S+)\.$/m.exec(errors)?.[1] ?? ''
    expect((await stat(replaced)).mode & 0o777).toBe(0o600)
    const former = await openStore(`file:${replaced}`)
    expect(await former.feeds.findFeed(later.id)).toBeDefined()
    await former.close()
    expect((await run('feed', 'show', bob.id)).code).toBe(0)

    for (const command of commands) {
      const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|\S+/g)].map(([word, quoted]) =>
        quoted === undefined ? word : quoted.replaceAll(String.raw`'\''`, "'"),
      )
      expect([command, (await run(...words)).code]).toEqual([command, 0])
    }
    const { [later.id]: _, ...known } = before
    expect(await statesOf(line)).toEqual(known)
    expect((await run('feed', 'show', same!.id)).output).toContain('open')
  })

  it('into an empty folder makes the database, for its owner only', async ({ backup, restore }) => {
    const folder = path.join(
      inject('temporaryFolder'),
      `new-${path.basename(path.dirname(backup))}`,
    )
    const database = path.join(folder, 'data/bridge.sqlite')
    const { code, restored } = await restore(backup, database)
    expect([code, restored]).toEqual([0, { input: backup, database, replaced: null, undone: null }])
    expect((await stat(database)).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(database))).mode & 0o777).toBe(0o700)
    expect(await readdir(path.dirname(database))).toEqual(['bridge.sqlite'])
  })

  it('reads a copy of a running database together with its log', async ({ backup, restore }) => {
    const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'snapshot-'))
    const [from, copy] = [backup, path.join(folder, 'bridge.sqlite')]
    const running = new DatabaseSync(from)
    running.exec(`pragma journal_mode = wal; insert into erased_people values ('in the log')`)
    for (const end of ['', '-wal']) await copyFile(from + end, copy + end)
    running.close()
    const { code, restored } = await restore(copy)
    expect(code).toBe(0)
    expect(marksIn(restored.database)).toEqual(['in the log'])
  })

  it('replaces a damaged database, and keeps it with its log', async ({
    backup,
    present,
    restore,
  }) => {
    await writeFile(present, 'no database')
    await writeFile(`${present}-wal`, 'no log')
    const { code, restored } = await restore(backup)
    expect([code, Object(restored).undone]).toEqual([0, null])
    expect(await readFile(restored.replaced!, 'utf8')).toBe('no database')
    expect(await readFile(`${restored.replaced}-wal`, 'utf8')).toBe('no log')
    expect((await readdir(path.dirname(present))).toSorted()).toEqual([
      'bridge.sqlite',
      ...[restored.replaced!, `${restored.replaced}-wal`].map((file) => path.basename(file)),
    ])
    expect(marksIn(present)).toEqual([])
  })
})

describe('nothing changes if', () => {
  it('the bridge runs, or another program has the database open', async ({
    backup,
    present,
    restore,
  }) => {
    const bridge = await startBridge({ environment: { DATABASE_URL: `file:${present}` } })
    const inUse = await restore(backup)
    expect(inUse).toMatchObject({
      code: 1,
      errors: `The database ${present} is in use: stop the bridge and its commands first.\n`,
    })
    const server = { listensAt: bridge.url, publicUrl: bridge.url, instance: bridge.instance }
    const forget = await keepRunningServer(path.dirname(present), server, silentLog)
    expect(await restore(backup)).toMatchObject({
      code: 1,
      errors: `The bridge runs on this data (${bridge.url}): stop it first.\n`,
    })
    forget()
    await bridge.close()
    expect((await restore(backup)).code).toBe(0)
  })

  it.for([
    [
      'is a text',
      (file: string) => writeFile(file, 'text '.repeat(999)),
      /cannot be read \(file is not a database\)/,
    ],
    [
      'is cut short',
      async (file: string) => truncate(file, (await stat(file)).size - 100),
      /is cut short/,
    ],
    ['is damaged', async (file: string) => damageIndex(file), /is damaged \(/],
    ['is empty', (file: string) => truncate(file, 0), /is no database of this program/],
    [
      'is of a newer program',
      async (file: string) => change(file, `insert into bridge_migrations values (9999, 'x')`),
      /was written by a newer version of the program/,
    ],
  ] as const)('the backup %s', async ([, damage, sentence], { backup, present, restore }) => {
    await damage(backup)
    change(present, `insert into erased_people values ('present')`)
    const { code, errors } = await restore(backup)
    expect([code, errors]).toEqual([1, expect.stringMatching(sentence)])
    expect(errors).toContain(`The file ${backup} `)
    expect(await readdir(path.dirname(present))).toEqual(['bridge.sqlite'])
    expect(marksIn(present)).toEqual(['present'])
  })

  it('the backup is missing, a folder or the database itself', async ({ present, restore }) => {
    const said = async (input: string): Promise<string> => (await restore(input)).errors
    expect(await said('/no/file')).toBe('There is no file /no/file.\n')
    expect(await said('/tmp')).toBe('/tmp is no file.\n')
    expect(await said(present)).toBe(`${present} is the database itself: name a backup of it.\n`)
  })

  it('the backup is what a killed restore has left, which stays', async ({
    backup,
    present,
    restore,
  }) => {
    const left = `${present}.restoring`
    await rename(backup, left)
    expect((await restore(left)).errors).toBe(
      `${left} was left by a restore that was killed: name the backup.\n`,
    )
    expect(existsSync(left)).toBe(true)
  })

  it('the database is PostgreSQL', async () => {
    const environment = {
      DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/b',
      ADMIN_TOKEN: 'x'.repeat(20),
    }
    const { code, errors } = await runCommand(environment, 'restore', '--input', 'backup.dump')
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/pg_restore --no-owner --dbname=\S+ backup.dump\.\n$/),
    ])
  })
})

/** Whether each feed and link is open, by feed. */
async function statesOf(line: TestCommandLine): Promise<Record<string, unknown>> {
  const { data } = Object(await line.json('feed', 'list')) as { data: Record<string, unknown>[] }
  return Object.fromEntries(
    data.map(({ id, revokedAt, links }) => [
      String(id),
      [revokedAt === null, (links as { endsAt: unknown }[]).map(({ endsAt }) => endsAt === null)],
    ]),
  )
}

function change(file: string, text: string): void {
  const database = new DatabaseSync(file)
  database.exec(text)
  database.close()
}

function marksIn(file: string): readonly unknown[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const marks = database.prepare('select mark from erased_people').all()
  database.close()
  return marks.map(({ mark }) => mark)
}

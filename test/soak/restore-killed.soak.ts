/* kill -9 at random moments of a restore: either the former database or the restored one is in place, and whole. */
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'

import { expect, inject, it } from 'vitest'

import { runProgram, spawnProgram } from '../support/bridge/program.ts'
import { migratedSqliteDatabase } from '../support/database/databases.ts'

const kills = 40
/** So large that a restore takes a while. */
const megabytes = 60

it(`after each of ${kills} kills, the database is the former or the restored one`, async () => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'killed-'))
  const [database = '', backup = ''] = [0, 1].map(() =>
    migratedSqliteDatabase().slice('file:'.length),
  )
  for (const [file, mark] of [
    [database, 'former'],
    [backup, 'restored'],
  ] as const) {
    fill(file, mark)
  }
  const settings = { folder, environment: { DATABASE_URL: `file:${database}` } }
  const words = ['restore', '--input', backup]
  const begun = performance.now()
  expect((await runProgram(words, settings)).code).toBe(0)
  const wholeMs = performance.now() - begun
  const found = { former: 0, restored: 0 }
  for (let kill = 0; kill < kills; kill += 1) {
    setMark(database, 'former')
    const child = spawnProgram(words, settings)
    const exited = once(child, 'exit')
    await Promise.race([pause(wholeMs * (0.2 + 0.7 * Math.random())), exited])
    child.kill('SIGKILL')
    await exited
    const is = markOf(database)
    expect(Object.keys(found)).toContain(is)
    found[is as keyof typeof found] += 1
    expect((await stat(database)).mode & 0o777).toBe(0o600)
    // Memory is where these lie.
    for (const name of await readdir(path.dirname(database))) {
      if (name.includes('.replaced-')) await rm(path.join(path.dirname(database), name))
    }
  }
  console.log(`After ${kills} kills: ${JSON.stringify(found)}`)
  expect(Math.min(...Object.values(found))).toBeGreaterThan(0)
  expect((await runProgram(words, settings)).code).toBe(0)
  const left = (await readdir(path.dirname(database))).filter((name) => name.includes('restoring'))
  expect(left).toEqual([])
})

function fill(file: string, text: string): void {
  const opened = new DatabaseSync(file)
  opened.exec(`insert into creations with recursive numbers (n) as
    (select 1 union all select n + 1 from numbers where n < ${megabytes})
    select n, '', hex(zeroblob(500000)), 0 from numbers`)
  opened.close()
  setMark(file, text)
}

function setMark(file: string, text: string): void {
  const opened = new DatabaseSync(file)
  opened.exec(`delete from erased_people; insert into erased_people values ('${text}')`)
  opened.close()
}

/** Which database it is, if it is whole. */
function markOf(file: string): unknown {
  const opened = new DatabaseSync(file)
  const [whole] = opened.prepare('pragma integrity_check').all()
  const [row] = opened.prepare('select mark from erased_people').all()
  opened.close()
  expect(whole).toEqual({ integrity_check: 'ok' })
  return row?.['mark']
}

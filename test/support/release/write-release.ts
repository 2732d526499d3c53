/*
 * Writes the fixture of a release: `node test/support/release/write-release.ts --out FOLDER` in a checkout of it. Each kind of database
 * is written by the program itself, and then asked, while no company answers, for what each link gives.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isDeepStrictEqual, parseArgs } from 'node:util'

import { startBridge } from '../bridge/bridge.ts'
import { createFakeClock } from '../bridge/fake-clock.ts'
import { startCompanyServer } from '../company/company-server.ts'
import { dumpPostgres } from '../database/postgres-dump.ts'
import { createPostgresDatabase, startPostgres } from '../database/postgres.ts'
import { companySettings, port, releaseRecords } from './release-companies.ts'
import { pollLink } from './release-fixture.ts'
import { firstInstant, lastInstant, live, type LivedLinks } from './release-life.ts'

type Environment = Readonly<Record<string, string>>

interface Answer extends Awaited<ReturnType<typeof pollLink>> {
  readonly jsonTag: string | null
}

/** A database that has been lived in, and what its links give. */
interface Lived {
  readonly links: LivedLinks
  /** By what the links stand for. */
  readonly answers: ReadonlyMap<string, Answer>
}

async function writeRelease(folder: string): Promise<void> {
  const inFolder = (name: string): string => path.join(folder, name)
  mkdirSync(inFolder('calendars'), { recursive: true })
  const companies = inFolder('companies.json')
  writeJson(companies, companySettings)
  const environment = { COMPANIES_FILE: companies }
  const sqlite = await writeSqlite(inFolder('bridge.sqlite'), environment)
  const postgres = await writePostgres(inFolder('bridge.sql'), environment)
  const files = new Map<string, string>()
  const links = [...sqlite.answers].map(([what, found]) => {
    const { answer, calendar, jsonTag } = found
    if (!isDeepStrictEqual(found, postgres.answers.get(what))) {
      throw new Error(`Each database gives another calendar: ${what}`)
    }
    // Links that give the same share a file.
    const file = files.get(answer.bytes ?? '') ?? `${wordsOf(what)}.ics`
    if (calendar) {
      files.set(answer.bytes ?? '', file)
      writeFileSync(inFolder(`calendars/${file}`), calendar)
    }
    const [one, other] = [sqlite, postgres].map((lived) => lived.links.get(what)!)
    return {
      what,
      tokens: { sqlite: tokenOf(one!.url), postgres: tokenOf(other!.url) },
      file: path.basename(one!.url),
      asked: one!.asked,
      ...answer,
      jsonTag,
      calendar: calendar && file,
    }
  })
  writeJson(inFolder('feeds.json'), {
    companyUrl: companySettings[0]!.baseUrl,
    instant: lastInstant,
    environment: {},
    links,
  })
}

async function writeSqlite(file: string, environment: Environment): Promise<Lived> {
  const lived = `${file}.lived-in`
  const onSqlite = { ...environment, DATABASE_URL: `file:${lived}` }
  const links = await liveOn(onSqlite)
  const database = new DatabaseSync(lived)
  // Most tables are nearly empty: small pages keep the file small.
  database.exec(`pragma page_size = 1024; vacuum into '${file}'`)
  database.close()
  const answers = await askAll(onSqlite, links)
  for (const end of ['', '-wal', '-shm']) rmSync(lived + end, { force: true })
  return { links, answers }
}

async function writePostgres(file: string, environment: Environment): Promise<Lived> {
  const server = await startPostgres()
  try {
    const DATABASE_URL = await createPostgresDatabase(server.url, 'release')
    const links = await liveOn({ ...environment, DATABASE_URL })
    writeFileSync(file, await dumpPostgres(DATABASE_URL))
    const answers = await askAll({ ...environment, DATABASE_URL }, links)
    return { links, answers }
  } finally {
    await server.stop()
  }
}

async function liveOn(environment: Environment): Promise<LivedLinks> {
  const company = await startCompanyServer(port)
  Object.assign(company.records, releaseRecords())
  const clock = createFakeClock(firstInstant)
  const bridge = await startBridge({ clock, environment })
  try {
    return await live({ bridge, clock, company })
  } finally {
    for (const server of [bridge, company]) await server.close()
  }
}

async function askAll(environment: Environment, links: LivedLinks): Promise<Lived['answers']> {
  const bridge = await startBridge({ clock: createFakeClock(lastInstant), environment })
  const answers = new Map<string, Answer>()
  for (const [what, { url }] of links) {
    const address = bridge.url + new URL(url).pathname
    const polled = await pollLink(address)
    const events = await fetch(address.replace(/\.ics$/, '.json'))
    answers.set(what, { ...polled, jsonTag: events.ok ? events.headers.get('ETag') : null })
  }
  await bridge.close()
  return answers
}

function tokenOf(url: string): string {
  return /cfb_[\w-]{43}/.exec(url)?.[0] ?? ''
}

function wordsOf(what: string): string {
  return what
    .toLowerCase()
    .match(/[a-z0-9]+/g)!
    .join('-')
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}

const { values } = parseArgs({ options: { out: { type: 'string' } } })
if (values.out === undefined) throw new Error('Say where: --out FOLDER')
await writeRelease(path.resolve(values.out))

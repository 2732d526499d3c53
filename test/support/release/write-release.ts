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
import { type CompanyServer, startCompanyServer } from '../company/company-server.ts'
import { dumpPostgres } from '../database/postgres-dump.ts'
import { createPostgresDatabase, startPostgres } from '../database/postgres.ts'
import { startMailServer } from '../web/mail-server.ts'
import { companySettings, ports, recordsOf, type ReleaseCompanyId } from './release-companies.ts'
import { pollLink } from './release-fixture.ts'
import { firstInstant, lastInstant, live, type Secrets } from './release-life.ts'

type Environment = Readonly<Record<string, string>>

interface Answer extends Awaited<ReturnType<typeof pollLink>> {
  readonly jsonTag: string | null
}

/** A database that has been lived in, and what its links give. */
interface Lived {
  readonly secrets: Secrets
  /** By what the links stand for. */
  readonly answers: ReadonlyMap<string, Answer>
}

/** Nobody is there: who signs in is signed in by hand. */
const signInSettings = {
  OIDC_ISSUER: 'http://127.0.0.1:9',
  OIDC_CLIENT_ID: 'bridge',
  OIDC_CLIENT_SECRET: 'a-secret-of-the-client',
}

async function writeRelease(folder: string): Promise<void> {
  const inFolder = (name: string): string => path.join(folder, name)
  mkdirSync(inFolder('calendars'), { recursive: true })
  const companies = inFolder('companies.json')
  writeJson(companies, companySettings)
  const environment = { ...signInSettings, COMPANIES_FILE: companies }
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
    const [one, other] = [sqlite, postgres].map(({ secrets }) => secrets.links.get(what)!)
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
    environment: signInSettings,
    secrets: { sqlite: otherSecrets(sqlite), postgres: otherSecrets(postgres) },
    links,
  })
}

async function writeSqlite(file: string, environment: Environment): Promise<Lived> {
  const lived = `${file}.lived-in`
  const onSqlite = { ...environment, DATABASE_URL: `file:${lived}` }
  const secrets = await liveOn(onSqlite)
  const database = new DatabaseSync(lived)
  // Most tables are nearly empty: small pages keep the file small.
  database.exec(`pragma page_size = 1024; vacuum into '${file}'`)
  database.close()
  const answers = await askAll(onSqlite, secrets)
  for (const end of ['', '-wal', '-shm']) rmSync(lived + end, { force: true })
  return { secrets, answers }
}

async function writePostgres(file: string, environment: Environment): Promise<Lived> {
  const server = await startPostgres()
  try {
    const DATABASE_URL = await createPostgresDatabase(server.url, 'release')
    const secrets = await liveOn({ ...environment, DATABASE_URL })
    writeFileSync(file, await dumpPostgres(DATABASE_URL))
    return { secrets, answers: await askAll({ ...environment, DATABASE_URL }, secrets) }
  } finally {
    await server.stop()
  }
}

async function liveOn(environment: Environment): Promise<Secrets> {
  const company = async (id: ReleaseCompanyId): Promise<CompanyServer> => {
    const server = await startCompanyServer(ports[id])
    Object.assign(server.records, recordsOf(id))
    return server
  }
  const main = await company('main')
  const companies = { main, us: await company('us'), nz: await company('nz') }
  companies.nz.ignores = 'employee of leaves'
  const mail = await startMailServer()
  const clock = createFakeClock(firstInstant)
  const bridge = await startBridge({ clock, environment: { ...environment, ...mail.environment } })
  try {
    return await live({ bridge, clock, mail, companies })
  } finally {
    for (const server of [bridge, mail, ...Object.values(companies)]) await server.close()
  }
}

async function askAll(environment: Environment, secrets: Secrets): Promise<Lived['answers']> {
  const bridge = await startBridge({ clock: createFakeClock(lastInstant), environment })
  const answers = new Map<string, Answer>()
  for (const [what, { url }] of secrets.links) {
    const address = bridge.url + new URL(url).pathname
    const polled = await pollLink(address)
    const events = await fetch(address.replace(/\.ics$/, '.json'))
    answers.set(what, { ...polled, jsonTag: events.ok ? events.headers.get('ETag') : null })
  }
  await bridge.close()
  return answers
}

function otherSecrets({ secrets: { apiTokens, session } }: Lived): object {
  return { apiTokens, session }
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

/*
 * Every page of the console with 100,000 people and their calendars: each answers within 200 ms and takes at most 300 KB, as
 * browsers receive it. The program runs as in production, the client on a kept connection.
 */
import { Agent, request } from 'node:http'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readSettings } from '../../src/settings/read-settings.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import { adminToken, readsFrom } from '../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../support/bridge/console.ts'
import { type Production, startProduction } from '../support/bridge/production.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { leave } from '../support/company/people.ts'
import { busiest, insertConsoleCompany } from '../support/database/console-company.ts'
import { databases } from '../support/database/databases.ts'

const people = Number(process.env['MANY_PEOPLE'] ?? 100_000)
const rounds = 9
const msMax = 200
const bytesMax = 300_000

interface Asked {
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
}

/** What is opened of each page, by its name. */
const pages: Readonly<Record<string, Readonly<Record<string, Asked>>>> = {
  overview: { '': { path: '' } },
  people: {
    all: { path: '/people' },
    'no calendar': { path: '/people?group=no-calendar' },
    'never subscribed': { path: '/people?group=never-subscribed' },
    quiet: { path: '/people?group=quiet' },
    trouble: { path: '/people?group=trouble' },
    left: { path: '/people?group=left' },
    'search, many': { path: '/people?search=first' },
    'search, few': { path: '/people?search=050001' },
    'search, none': { path: '/people?search=Nobody' },
    'search none in a group': { path: '/people?search=Nobody&group=quiet' },
    'search few in a group': { path: '/people?search=first000500&group=trouble' },
  },
  person: {
    'many entries': { path: `/people/${userOf(busiest)}` },
    usual: { path: `/people/${userOf(70_001)}` },
    left: { path: `/people/${userOf(65)}` },
  },
  'hand out': { '': { path: '/hand-out' } },
  teams: {
    list: { path: '/teams' },
    'of 100': { path: `/teams?manager=${userOf(busiest)}` },
  },
  defaults: { '': { path: '/defaults' } },
  companies: { '': { path: '/companies' } },
  audit: {
    all: { path: '/audit' },
    'a person, many entries': { path: `/audit?userId=${userOf(busiest)}` },
    'a person, few entries': { path: `/audit?userId=${userOf(77_777)}` },
    nobody: { path: '/audit?userId=Lovelace' },
    'an actor': { path: '/audit?actor=hr1@example.com' },
    'an unknown actor': { path: '/audit?actor=nobody@example.com' },
    'an action': { path: '/audit?action=mail_refused' },
    'an action that nobody has done': { path: '/audit?action=person_erased' },
    'a calendar': { path: '/audit?feedId=feed_000050000' },
    since: { path: '/audit?since=2024-01-01&until=2024-01-02' },
  },
  tokens: { '': { path: '/tokens' } },
  access: { '': { path: '/access' } },
  erase: { '': { path: '/erase' } },
  'first steps': { '': { path: '/first-steps' } },
}

function userOf(number: number): string {
  return `usr_${String(number).padStart(6, '0')}`
}

interface Measured {
  readonly name: string
  readonly ms: readonly number[]
  readonly bytes: number
  readonly plainBytes: number
}

describe.each(databases)('on $name', ({ name: database, createMigrated }) => {
  let company: CompanyServer
  let bridge: Production
  let session: ConsoleSession

  beforeAll(async () => {
    company = await startCompany()
    const databaseUrl = await createMigrated()
    const environment = { ADMIN_TOKEN: adminToken, ...readsFrom(company.url) }
    const settings = readSettings(environment, () => Buffer.alloc(0))
    const connectionId = settings.companies?.[0]?.connectionId ?? ''
    await insertConsoleCompany({ url: databaseUrl, connectionId, people, now: Date.now() })
    bridge = await startProduction({ company, databaseUrl })
    session = await enterConsole(bridge)
  }, 600_000)

  afterAll(async () => {
    await bridge.close()
    await company.close()
  })

  it.each(Object.entries(pages))('%s', { timeout: 600_000 }, async (page, variants) => {
    const measured: Measured[] = []
    for (const [variant, asked] of Object.entries(variants)) {
      measured.push(await measure(`${page} ${variant}`.trim(), asked))
    }
    const medians = measured.map(({ ms }) => median(ms))
    const count = measured.length > 1 ? `, the slowest of ${measured.length}` : ''
    noteRatio({
      measure: `console with ${people} people, ${page}${count}, ${database}`,
      against: `${msMax} ms`,
      bound: { most: 1 },
      measured: Math.max(...medians) / msMax,
      bench: 'console',
    })
    expect.soft(Math.max(...measured.map(({ bytes }) => bytes))).toBeLessThanOrEqual(bytesMax)
  })

  async function measure(name: string, { path }: Asked): Promise<Measured> {
    const ms: number[] = []
    let bytes = 0
    for (let round = 0; round < rounds; round += 1) {
      const start = performance.now()
      bytes = await receive(path, 'gzip, deflate, br, zstd')
      ms.push(performance.now() - start)
    }
    const plainBytes = await receive(path, 'identity')
    const [cold, ...warm] = ms
    console.log(
      `${database} | ${name} | ${median(ms).toFixed(0)} ms | first ${cold?.toFixed(0)} | worst ${Math.max(...warm).toFixed(0)} | ${bytes} B | ${plainBytes} B plain`,
    )
    return { name, ms, bytes, plainBytes }
  }

  /** How many bytes of a page come over the wire. */
  function receive(path: string, encoding: string): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const headers = { Cookie: session.cookie, 'Accept-Encoding': encoding, Accept: 'text/html' }
    const asked = request(`${bridge.url}/console${path}`, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes)
        else reject(new Error(`${path} answered ${response.statusCode}.`))
      })
    })
    asked.on('error', reject)
    asked.end()
    return promise
  }
})

const agent = new Agent({ keepAlive: true })

/** Everybody, so that whoever is asked about is known; the team of the busiest has leaves. */
async function startCompany(): Promise<CompanyServer> {
  const company = await startCompanyServer()
  const today = new Date().toISOString().slice(0, 10)
  for (let number = 1; number <= people; number += 1) {
    const id = userOf(number)
    const isActive = number % 60 !== 5 && number % 300 !== 11
    company.records.users.push({ id, firstName: `First${number}`, lastName: 'Last', isActive })
    if (busiest <= number && number < busiest + 100) {
      company.records.leaves[id] = [leave(`lv_${number}`, today)]
    }
  }
  return company
}

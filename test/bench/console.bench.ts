/*
 * Every page of the console with 100,000 people and their calendars: it answers within 200 ms, and no more than 300 KB are
 * received. Exports of everybody take little memory, and polls are answered meanwhile. The program runs as in production.
 */
import { Agent, request } from 'node:http'

import { afterAll, beforeAll, describe, it } from 'vitest'

import { writeCursor } from '../../src/feeds/pages.ts'
import { readSettings } from '../../src/settings/read-settings.ts'
import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import type { UsageTold } from '../support/bench/usage-process.ts'
import { adminToken, readsFrom } from '../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../support/bridge/console.ts'
import { type Production, startProduction } from '../support/bridge/production.ts'
import { type CompanyServer, startCompanyServer } from '../support/company/company-server.ts'
import { leave } from '../support/company/people.ts'
import {
  busiest,
  hasGone,
  insertConsoleCompany,
  isPlain,
  managerOf,
  userOf,
} from '../support/database/console-company.ts'
import { databases } from '../support/database/databases.ts'
import { feedIdOf, tokenOf } from '../support/database/many-feeds.ts'
import { firstNameOf, sortNameOf } from '../support/database/many-people.ts'
import { ask } from '../support/web/ask.ts'

const people = 100_000
const among = `console of ${people.toLocaleString('en')} people`
const rounds = 9
const msMax = 200
/** The Read API is asked about each. */
const handOutMsMax = 5000
const bytesMax = 300_000
const grownMax = 1.3
/** Of a hundred people, like that of every hundredth person. */
const manager = busiest + 100
const usage = new URL('../support/bench/usage-process.ts', import.meta.url).pathname

interface Asked {
  readonly path: string
  readonly form?: Readonly<Record<string, string>>
}

const middle = encodeURIComponent(writeCursor([sortNameOf(500), userOf(1)]))
const reason = 'A question of theirs'

/** What is opened of each page, by its name. */
const pages: Readonly<Record<string, Readonly<Record<string, Asked>>>> = {
  overview: { usual: { path: '' } },
  people: {
    all: { path: '/people' },
    'from the middle': { path: `/people?cursor=${middle}` },
    'no calendar': { path: '/people?group=no-calendar' },
    'never subscribed': { path: '/people?group=never-subscribed' },
    quiet: { path: '/people?group=quiet' },
    'quiet, from the middle': { path: `/people?group=quiet&cursor=${middle}` },
    trouble: { path: '/people?group=trouble' },
    left: { path: '/people?group=left' },
    'search for many': { path: '/people?search=first' },
    'search for few': { path: '/people?search=050001' },
    'search for nobody': { path: '/people?search=Lovelace' },
    'search for nobody in a group': { path: '/people?search=Lovelace&group=quiet' },
    'search for few in a group': { path: '/people?search=first000500&group=trouble' },
    'to rotate': { path: '/people?search=first000500', form: { act: 'rotate', all: 'yes' } },
  },
  person: {
    'with many entries': { path: `/people/${userOf(busiest)}` },
    usual: { path: `/people/${userOf(70_001)}` },
    'who has left': { path: `/people/${userOf(65)}` },
    'their calendar': {
      path: `/people/${userOf(busiest)}/calendar`,
      form: { feed: feedIdOf(busiest), reason },
    },
    'what is missing from it': {
      path: `/people/${userOf(busiest)}/calendar`,
      form: { feed: feedIdOf(busiest), reason, act: 'explain', day: today() },
    },
  },
  teams: {
    all: { path: '/teams' },
    'from the middle': { path: `/teams?cursor=${middle}` },
    'search for nobody': { path: '/teams?search=Lovelace' },
    'a team of 100': { path: `/teams/${userOf(manager)}` },
    'a team of 10,000': { path: `/teams/${userOf(busiest)}?depth=all` },
    'a month of 100': {
      path: `/teams/${userOf(manager)}/month`,
      form: { depth: 'direct', reason },
    },
  },
  defaults: {
    usual: { path: '/defaults' },
    checked: { path: '/defaults', form: { act: 'check', revision: '0', locale: 'de' } },
  },
  audit: {
    all: { path: '/audit' },
    'of a person with many entries': { path: `/audit?userId=${userOf(busiest)}` },
    'of a person with few': { path: `/audit?userId=${userOf(77_777)}` },
    'of nobody': { path: '/audit?userId=Lovelace' },
    'of an actor': { path: '/audit?actor=hr1@example.com' },
    'of an unknown actor': { path: '/audit?actor=nobody@example.com' },
    'of an action': { path: '/audit?action=mail_refused' },
    'of an action that nobody has done': { path: '/audit?action=person_erased' },
    'of a calendar': { path: `/audit?feedId=${feedIdOf(busiest)}` },
    'of a month': { path: `/audit?since=${today().slice(0, 8)}01&until=${today()}` },
  },
  'other pages': {
    'hand out': { path: '/hand-out' },
    companies: { path: '/companies' },
    tokens: { path: '/tokens' },
    'sign-in and mail': { path: '/access' },
    'to erase': { path: '/erase' },
    'to erase, checked': { path: '/erase', form: { act: 'check', who: userOf(busiest) } },
    'to erase, nobody found': { path: '/erase', form: { act: 'check', who: 'Lovelace' } },
    'first steps': { path: '/first-steps' },
  },
}

const exports = ['people.csv', 'audit.csv']

/** In UTC. */
function today(): string {
  return new Date().toISOString().slice(0, 10)
}

describe.each(databases)('on $name', ({ name: database, createMigrated }) => {
  const agent = new Agent({ keepAlive: true })
  const sizes: number[] = []
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
    bridge = await startProduction({ company, databaseUrl, preload: usage })
    session = await enterConsole(bridge)
  }, 600_000)

  afterAll(async () => {
    agent.destroy()
    await bridge.close()
    await company.close()
  })

  it('an overview of which nothing is counted yet', { timeout: 600_000 }, async () => {
    await untilAtRest()
    const start = performance.now()
    await receive({ path: '' })
    note('overview, nothing counted yet', { ms: performance.now() - start })
  })

  it.each(Object.entries(pages))('%s', { timeout: 600_000 }, async (page, variants) => {
    const measured = []
    for (const [variant, asked] of Object.entries(variants)) {
      measured.push(await measure(`${page}, ${variant}`, asked))
    }
    const [slowest = { ms: 0, processorMs: 0 }] = measured.toSorted((a, b) => b.ms - a.ms)
    note(measured.length > 1 ? `${page}, slowest of ${measured.length}` : page, slowest)
  })

  it('people to hand out to', { timeout: 600_000 }, async () => {
    const here = Array.from({ length: 1200 }, (_, index) => 60_001 + index)
    const named = here.filter(isPlain).slice(0, 1000).map(userOf)
    const form = { act: 'check', people: named.join('\n') }
    const { ms, processorMs } = await measure('people to hand out to', {
      path: '/hand-out',
      form,
    })
    noteRatio({
      measure: `${among}, 1,000 of them checked before handing out, ${database}`,
      against: `${handOutMsMax} ms`,
      bound: { most: 1 },
      measured: ms / handOutMsMax,
      byProcessor: processorMs / handOutMsMax,
      bench: 'console',
    })
  })

  it('receives little', () => {
    noteRatio({
      measure: `${among}, largest of all pages, ${database}`,
      against: `${bytesMax / 1000} KB received`,
      bound: { most: 1 },
      measured: Math.max(...sizes) / bytesMax,
      bench: 'console',
    })
  })

  it.each(exports)('polls during %s', { timeout: 600_000 }, async (path) => {
    const poll = `/feeds/${tokenOf(manager + 1)}/calendar.ics`
    await get(poll)
    await used({ atRest: true })
    const waits: number[] = []
    const resident: number[] = []
    const state = { isReceived: false }
    const received = get(`/console/${path}`).finally(() => (state.isReceived = true))
    while (!state.isReceived) {
      const begun = performance.now()
      await get(poll)
      waits.push(performance.now() - begun)
      resident.push((await used()).residentBytes)
    }
    const half = Math.floor(resident.length / 2)
    waits.sort((a, b) => a - b)
    const slow = waits.at(Math.floor(0.99 * waits.length)) ?? 0
    const all = [median(waits), slow, waits.at(-1) ?? 0].map((each) => `${each.toFixed(0)} ms`)
    console.log(
      `${database}: ${path}: ${await received} bytes; ${waits.length} polls: ${all.join(', ')}`,
    )
    note(`99 of 100 polls during ${path}`, { ms: slow })
    noteRatio({
      measure: `${among}, resident memory in the second half of ${path}, ${database}`,
      against: 'in the first half',
      bound: { most: grownMax },
      measured: Math.max(...resident.slice(half)) / Math.max(...resident.slice(0, half)),
      bench: 'console',
    })
  })

  function note(measured: string, { ms, processorMs }: { ms: number; processorMs?: number }): void {
    noteRatio({
      measure: `${among}, ${measured}, ${database}`,
      against: `${msMax} ms`,
      bound: { most: 1 },
      measured: ms / msMax,
      ...(processorMs !== undefined && { byProcessor: processorMs / msMax }),
      bench: 'console',
    })
  }

  /** Medians. */
  async function measure(name: string, asked: Asked): Promise<{ ms: number; processorMs: number }> {
    const first = performance.now()
    const bytes = await receive(asked)
    const taken = [performance.now() - first]
    const processor: number[] = []
    await used()
    for (let round = 1; round < rounds; round += 1) {
      const start = performance.now()
      await receive(asked)
      taken.push(performance.now() - start)
      processor.push((await used()).cpuMs)
    }
    sizes.push(bytes)
    const [ms, processorMs] = [median(taken), median(processor)]
    const all = [ms, processorMs, taken[0]!, Math.max(...taken)].map(
      (each) => `${each.toFixed(0)} ms`,
    )
    console.log(`${database}: ${name}: ${all.join(', ')}, ${(bytes / 1000).toFixed(0)} KB`)
    return { ms, processorMs }
  }

  function used(asked: object = {}): Promise<UsageTold> {
    return ask(bridge.child, asked)
  }

  /** What it does at its start would count as the pages'. */
  async function untilAtRest(): Promise<void> {
    for (let tries = 0; tries < 60; tries += 1) {
      await used()
      await new Promise((resolve) => setTimeout(resolve, 1000))
      if ((await used()).cpuMs < 50) return
    }
  }

  function receive({ path, form }: Asked): Promise<number> {
    return get(`/console${path}`, form)
  }

  /** How many bytes come over the wire, as a browser asks for them. */
  function get(path: string, form?: Asked['form']): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const headers = {
      Cookie: session.cookie,
      'Accept-Encoding': 'gzip, deflate, br, zstd',
      ...(form && {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: new URL(bridge.url).origin,
      }),
    }
    const method = form ? 'POST' : 'GET'
    const asked = request(bridge.url + path, { method, agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => (bytes += chunk.length))
      response.on('error', reject)
      response.on('end', () => {
        // 400: a form has a fault.
        if (response.statusCode === 200 || (form && response.statusCode === 400)) resolve(bytes)
        else reject(new Error(`${path} answered ${response.statusCode}.`))
      })
    })
    asked.on('error', reject)
    asked.end(form && new URLSearchParams(form).toString())
    return promise
  }
})

/** It knows everybody as the directory does; those of the team that is measured have leaves. */
async function startCompany(): Promise<CompanyServer> {
  const company = await startCompanyServer()
  for (let number = 1; number <= people; number += 1) {
    const id = userOf(number)
    company.records.users.push({
      id,
      firstName: firstNameOf(number),
      lastName: 'Last',
      email: `mail.${id.slice(4)}@example.com`,
      assignedManagerId: managerOf(number),
      isActive: !hasGone(number),
    })
    if (busiest <= number && number < manager + 100) {
      company.records.leaves[id] = [leave(`lv_${number}`, today())]
    }
  }
  return company
}

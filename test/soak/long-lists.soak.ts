/* A company of 5,000 people with a year of fortnightly timesheets: to list all of them takes little memory, however slowly they are read. */
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { createGunzip } from 'node:zlib'

import { describe, expect, inject, it, onTestFinished } from 'vitest'

import { replaceCompany } from '../../src/sandbox/loading/import-file.ts'
import { lockCompany } from '../../src/sandbox/records/companies.ts'
import { openSandboxDatabase } from '../../src/sandbox/records/sandbox-database.ts'
import { usageOfTree } from '../support/bridge/process-tree.ts'
import { spawnProgram } from '../support/bridge/program.ts'
import { entriesEach, largeCompany, timesheetsEach } from '../support/company/large-company.ts'
import { databases } from '../support/database/databases.ts'

const megabyte = 1024 * 1024
/** Megabytes. */
const growthMax = 100
const people = 5000
/** Between two looks at what the process holds. */
const lookMs = 50

/**
 * What a program's young objects may take grows once, by some hundred megabytes, with how much it makes of them; reading
 * from PostgreSQL makes that many. The growth of the second time is what the list itself takes.
 */
const firstCounts: Readonly<Record<string, boolean>> = { SQLite: true, PostgreSQL: false }

describe.each(databases)('on $name', ({ name, create }) => {
  it.each(['gzip', 'identity'])('all timesheets as %s', async (coding) => {
    const databaseUrl = await create()
    await load(databaseUrl)
    const { url, rss } = await serve(databaseUrl)
    await read(`${url}/api/public/v1/timesheets?userId=usr_00001`, coding)
    const first = await growthOf(rss, () => readAll(url, coding))
    const second = await growthOf(rss, () => readAll(url, coding))
    // oxlint-disable-next-line no-console -- what was measured
    console.log(
      `${name}, ${coding}: grew by ${first} MB the first time, by ${second} MB the second`,
    )
    expect(second).toBeLessThan(growthMax)
    if (firstCounts[name]) expect(first).toBeLessThan(growthMax)
  })
})

async function readAll(url: string, coding: string): Promise<void> {
  const { timesheets, entries } = await read(`${url}/api/public/v1/timesheets`, coding)
  expect(timesheets).toBe(people * timesheetsEach)
  expect(entries).toBe(people * timesheetsEach * entriesEach)
}

/** By how many megabytes more a process held at any time of the work than before. */
async function growthOf(rss: () => number, work: () => Promise<void>): Promise<number> {
  const before = rss()
  const watch = watching(rss)
  await work()
  const { most } = await watch.end()
  return Math.round((most - before) / megabyte)
}

async function load(databaseUrl: string): Promise<void> {
  const database = await openSandboxDatabase(databaseUrl)
  await database.queries.transaction().execute(async (writes) => {
    await lockCompany(writes, 'main')
    await replaceCompany(writes, 'main', largeCompany(people), null)
  })
  await database.close()
}

interface Serving {
  readonly url: string
  readonly rss: () => number
}

async function serve(databaseUrl: string): Promise<Serving> {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'long-lists-'))
  const words = ['workforce', 'serve', '--port', '0', '--database', databaseUrl, '--json']
  const child = spawnProgram(words, { folder })
  onTestFinished(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const { url } = JSON.parse(String(line))
  return { url, rss: () => usageOfTree(child.pid).residentBytes }
}

function watching(rss: () => number): { end(): Promise<{ most: number }> } {
  let most = 0
  const ending = new AbortController()
  const looks = (async () => {
    while (!ending.signal.aborted) {
      most = Math.max(most, rss())
      await pause(lookMs)
    }
  })()
  return {
    end: async () => {
      ending.abort()
      await looks
      return { most }
    },
  }
}

/** What came, counted as it comes. */
async function read(
  url: string,
  coding: string,
): Promise<{ length: number; timesheets: number; entries: number }> {
  const asked = request(url, { headers: { 'Accept-Encoding': coding } }).end()
  const [response] = await once(asked, 'response')
  const body = coding === 'gzip' ? response.pipe(createGunzip()) : response
  const counts = { length: 0, timesheets: 0, entries: 0 }
  let kept = ''
  for await (const part of body.setEncoding('utf8')) {
    counts.length += part.length
    const text = kept + part
    counts.timesheets += text.split('"periodStart"').length - 1
    counts.entries += text.split('"hoursWorked"').length - 1
    kept = text.slice(-12)
  }
  return counts
}

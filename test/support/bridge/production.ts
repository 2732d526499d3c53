/*
 * The program as it runs in production, in a process of its own: links looked up in the database, limits, activity, metrics,
 * a line of the log for each poll.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import type { CompanyServer } from '../company/company-server.ts'
import { personOf, projectOf, wholeYear } from '../company/speed-company.ts'
import { ask, end } from '../web/ask.ts'
import { calendarUrl, type FeedAnswer, readsFrom } from './bridge.ts'

const adminToken = 'an-admin-token-for-tests'
/** As many feeds as one request makes. */
const feedsAtOnce = 5000

const main = path.resolve(import.meta.dirname, '../../../src/main.ts')
const processorProcess = path.resolve(import.meta.dirname, '../bench/processor-process.ts')

export interface Production {
  readonly url: string
  readonly port: number
  readonly child: ChildProcess
  close(): Promise<void>
}

interface ProductionSettings {
  readonly company: Pick<CompanyServer, 'url'>
  readonly databaseUrl: string
  readonly environment?: Readonly<Record<string, string>>
  /** Of Node, before the program. */
  readonly flags?: readonly string[]
  /** Loaded before the program; answers what the benchmark asks of its process. */
  readonly preload?: string
}

/** Starts it on that database, of which it is the only node. */
export async function startProduction({
  company,
  databaseUrl,
  environment = {},
  flags = [],
  preload = processorProcess,
}: ProductionSettings): Promise<Production> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bridge-bench-'))
  const log = await open(path.join(folder, 'log'), 'a')
  const child = spawn(
    process.execPath,
    [...flags, '--import', pathToFileURL(preload).href, main, 'serve', '--json'],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'debug',
        PORT: '0',
        ADMIN_TOKEN: adminToken,
        DATABASE_URL: databaseUrl,
        FEED_POLLS_PER_MINUTE: '1000000',
        FEED_FRESH_SECONDS: '86400',
        FEED_REFRESH_BUDGET_MS: '600000',
        WORKFORCE_SCHEDULES: 'sch_day',
        ...readsFrom(company.url),
        ...environment,
      },
      stdio: ['ignore', 'pipe', log.fd, 'ipc'],
    },
  )
  await log.close()
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string]
  const { url } = JSON.parse(line) as { readonly url: string }
  return {
    url,
    port: Number(new URL(url).port),
    child,
    close: async () => {
      await end(child)
      await rm(folder, { recursive: true })
    },
  }
}

/** How many microseconds of the processor a process has used, as `processor-process.ts` tells it. */
export function processorTimeOf(child: ChildProcess): Promise<number> {
  return ask(child, 'processor')
}

/** The head of a request as calendar clients send it. */
export function requestHead(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): string {
  const fields = {
    Host: '127.0.0.1',
    'User-Agent': 'iOS/26.0 (23A341) dataaccessd/1.0',
    Accept: '*/*',
    'Accept-Encoding': 'gzip, deflate',
    Connection: 'keep-alive',
    ...headers,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Makes a feed for each person from 0 on, all at once, and gives the paths of their calendars; none has been polled. */
export async function createFeeds(
  { url }: Pick<Production, 'url'>,
  people: number,
): Promise<readonly string[]> {
  const paths: string[] = []
  while (paths.length < people) {
    const count = Math.min(feedsAtOnce, people - paths.length)
    const inputs = Array.from({ length: count }, (_, index) => feedOf(paths.length + index))
    const response = await fetch(new URL('/api/feeds', url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(inputs),
    })
    if (response.status !== 201) throw new Error(await response.text())
    const { data } = (await response.json()) as { readonly data: readonly FeedAnswer[] }
    paths.push(...data.map((feed) => new URL(calendarUrl(feed)).pathname))
  }
  return paths
}

/** Shows everything of the person of that number. */
function feedOf(number: number): object {
  const tasks = { projectIds: [projectOf(number)] }
  return { userIds: [personOf(number)], options: { ...wholeYear, tasks } }
}

/* The program under load: it, the companies that it reads and the clients that poll it, each in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

import type { Arrivals, Polled } from '../bench/polls-process.ts'
import type { UsageAsked, UsageTold } from '../bench/usage-process.ts'
import type { Behaviour, CompaniesTold } from '../company/companies-process.ts'
import { ask, end } from '../web/ask.ts'
import { calendarUrl, type FeedAnswer, readsFrom } from './bridge.ts'

const main = path.resolve(import.meta.dirname, '../../../src/main.ts')
const adminToken = 'an-admin-token-for-tests'

/** Of which company they are, the only one where it is left out, and how they are called. */
interface NewFeeds {
  readonly companyId?: string
  readonly name?: string
}

export interface BusyBridge {
  readonly url: string
  readonly folder: string
  readonly pid: number
  /** Makes a feed of each of these people; gives the paths of their calendars. */
  createFeeds(userIds: readonly string[], more?: NewFeeds): Promise<readonly string[]>
  /** What the bridge has used since it was asked last. */
  load(asked?: UsageAsked): Promise<UsageTold>
  companies(change?: Partial<Behaviour>): Promise<CompaniesTold>
  poll(arrivals: Omit<Arrivals, 'url'>): Promise<Polled>
  close(): Promise<void>
}

/** Starts them, by default settings but for those of the environment; one company, unless others are made of where they are to be. */
export async function startBusyBridge(
  behaviour: Behaviour,
  environment: Readonly<Record<string, string>> = {},
  connect: (readApi: string) => Promise<Record<string, string>> = async (readApi) =>
    readsFrom(`${readApi}/main`),
): Promise<BusyBridge> {
  const folder = await mkdtemp(path.join(tmpdir(), 'busy-'))
  const companies = spawnBeside('../company/companies-process.ts')
  const { url: readApi } = await ask<CompaniesTold>(companies, behaviour)
  const bridge = spawn(
    process.execPath,
    ['--import', pathToFileURL(beside('../bench/usage-process.ts')).href, main, 'serve', '--json'],
    {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        LOG_LEVEL: 'silent',
        PORT: '0',
        ADMIN_TOKEN: adminToken,
        ...(await connect(readApi)),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  )
  const ended = once(bridge, 'exit').then(([code]) => Promise.reject(new Error(`ended: ${code}`)))
  ended.catch(() => undefined)
  const started = once(createInterface(bridge.stdout!), 'line')
  const [line] = (await Promise.race([started, ended])) as [string]
  const { url } = JSON.parse(line) as { readonly url: string }
  const clients = spawnBeside('../bench/polls-process.ts')
  return {
    url,
    folder,
    pid: bridge.pid!,
    createFeeds: (userIds, more = {}) => createFeeds(url, userIds, more),
    load: (asked = {}) => ask(bridge, asked),
    companies: (change = {}) => ask(companies, change),
    poll: (arrivals) => ask(clients, { url, ...arrivals }),
    close: async () => {
      await end(bridge)
      await Promise.all([end(companies), end(clients)])
      await rm(folder, { recursive: true })
    },
  }
}

async function createFeeds(
  url: string,
  userIds: readonly string[],
  { companyId, name = '' }: NewFeeds,
): Promise<readonly string[]> {
  const query = companyId === undefined ? '' : `?companyId=${companyId}`
  const response = await fetch(new URL(`/api/feeds${query}`, url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'text/csv' },
    body: ['userId,name', ...userIds.map((id) => `${id},${name}`)].join('\n'),
  })
  if (response.status !== 201) throw new Error(await response.text())
  const { data } = (await response.json()) as { readonly data: readonly FeedAnswer[] }
  return data.map((row) => new URL(calendarUrl(row)).pathname)
}

function spawnBeside(file: string): ChildProcess {
  return spawn(process.execPath, [beside(file)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

function beside(file: string): string {
  return path.join(import.meta.dirname, file)
}

/* The whole program as it is started in production, with a clock, a log and an environment of the test's own. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { hashSecret } from '../../../src/domain/secrets.ts'
import type { Clock, Log } from '../../../src/domain/world.ts'
import { startApp } from '../../../src/process/app.ts'
import { systemClock } from '../../../src/process/world.ts'
import { readSettings } from '../../../src/settings/read-settings.ts'
import { migratedSqliteDatabase } from '../database/databases.ts'
import { commonTimeOf, openNode, type TestNode } from './node.ts'
import { silentLog } from './silent-log.ts'

export const adminToken = 'an-admin-token-for-tests'

export interface BridgeSettings {
  readonly environment?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** By which all nodes go; the one that is given where it is left out. */
  readonly common?: Clock
  readonly log?: Log
  readonly versions?: string
  /** Whether it also begins what the server does beside its answers, again and again. */
  readonly rounds?: boolean
}

/** A feed as the API answers with it. */
export interface FeedAnswer {
  readonly id: string
  readonly links: readonly { readonly label: string; readonly url: string }[]
  readonly [member: string]: unknown
}

export interface TestBridge {
  readonly url: string
  readonly instance: string
  readonly listensAt: string
  /** Where the first company's Read API is. */
  readonly readApiUrl: string
  /** `POST /api/feeds`; throws unless it answers 201. */
  createFeed(input: object): Promise<FeedAnswer>
  /** Another node on the same database, opened at the first call; it ends with the bridge. */
  node(): Promise<TestNode>
  /** Any request to the admin API. */
  api(method: string, address: string, body?: unknown): Promise<Response>
  /** Waits until what polls have set going beside their answers has come to its end. */
  settled(): Promise<void>
  /** Waits until the companies have been examined at the start; for ever where the clock has to move on for that. */
  examined(): Promise<void>
  close(): Promise<void>
}

/** Starts the bridge on a free port with a database of its own, unless the environment names one. */
export async function startBridge({
  environment = {},
  clock = systemClock,
  common = clock,
  log = silentLog,
  versions = 'test',
  rounds = false,
}: BridgeSettings = {}): Promise<TestBridge> {
  const directory = await mkdtemp(path.join(tmpdir(), 'bridge-'))
  const variables = {
    PORT: '0',
    DATABASE_URL: environment['DATABASE_URL'] ?? migratedSqliteDatabase(),
    WORKFORCE_DATABASE_URL: `file:${directory}/workforce.sqlite`,
    ADMIN_TOKEN: adminToken,
    FEED_POLLS_PER_MINUTE: '1000000',
    UNKNOWN_TOKENS_PER_MINUTE: '1000000',
    ...environment,
  }
  const settings = readSettings(variables, (file) => readFileSync(file))
  const surroundings = { clock, log, versions, ...commonTimeOf(clock, common) }
  const app = await startApp(settings, surroundings, adminToken)
  const { examiner } = app.services
  const examined = rounds ? Promise.all(examiner.companyIds().map((id) => examiner.next(id))) : null
  if (rounds) app.services.start()
  const api = (method: string, address: string, body?: unknown): Promise<Response> =>
    fetch(new URL(address, app.listensAt), {
      method,
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  let node: Promise<TestNode> | undefined
  return {
    node: () => (node ??= openNode(variables, clock)),
    url: app.publicUrl,
    instance: app.instance,
    listensAt: app.listensAt,
    readApiUrl: [...app.services.baseUrls.values()][0] ?? '',
    api,
    settled: () => app.services.settled(),
    examined: async () => void (await examined),
    createFeed: (input) => createFeedAt(app.listensAt, input),
    close: async () => {
      await (await node)?.close()
      await app.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** Makes a feed through a bridge that runs at that address, such as a process of its own. */
export async function createFeedAt(address: string, input: object): Promise<FeedAnswer> {
  const response = await fetch(new URL('/api/feeds', address), {
    method: 'POST',
    headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(input),
  })
  if (response.status !== 201) throw new Error(await response.text())
  return (await response.json()) as FeedAnswer
}

/** The address of a feed's calendar. */
export function calendarUrl(feed: FeedAnswer): string {
  const url = feed.links[0]?.url
  if (url === undefined) throw new Error('The feed has no address.')
  return url
}

/** By which the store knows the link of a feed's calendar. */
export function linkOf(feed: FeedAnswer): { readonly tokenHash: Uint8Array } {
  const [token = ''] = /cfb_[\w-]{43}/.exec(calendarUrl(feed)) ?? []
  return { tokenHash: hashSecret('cfb', token)! }
}

/** The environment that makes the bridge read that Read API. */
export function readsFrom(url: string): Record<string, string> {
  return { WORKFORCE_BASE_URL: url, WORKFORCE_TIMEZONE: 'Europe/Berlin' }
}

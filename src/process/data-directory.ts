import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

import { replaceFile } from '../cli/write-output.ts'
import { AppError, asAppError, cannotWrite } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import type { FeedAdministration } from '../feeds/feed-administration.ts'
import { feedUrl, pageUrl } from '../feeds/feed-view.ts'
import { type LinkDeps, openLink } from '../publishing/open-link.ts'
import type { Settings } from '../settings/read-settings.ts'

/** The employee of the sample company whose calendar the start shows. */
export const demoUser = 'usr_ada'

/** Where the sample employee's calendar and its page are. */
export interface DemoAddresses {
  readonly calendar: string
  readonly page: string
}

/** The admin token: as set, or the one kept in the data directory, made at the first start. */
export function adminTokenOf(settings: Settings): string {
  const { adminToken = '' } = settings
  const file = adminTokenFile(settings)
  if (file === undefined) return adminToken
  const kept = readText(file)?.trim()
  if (kept) return kept
  const made = randomBytes(32).toString('base64url')
  writeSecret(file, made)
  return made
}

/** The file in which the bridge keeps the admin token that it made, as seen from the working directory; undefined where one is set. */
export function adminTokenFile({ adminToken, dataDirectory }: Settings): string | undefined {
  if (adminToken !== undefined) return undefined
  const file = path.join(dataDirectory, 'admin-token')
  const seen = path.relative('', file)
  return seen.startsWith('..') ? file : seen
}

interface DemoApp {
  readonly publicUrl: string
  readonly services: { readonly administration: FeedAdministration; readonly links: LinkDeps }
}

/** The sample employee's feed, the same at every start; undefined where the Read API has no such person. */
export async function demoFeed(
  app: DemoApp,
  settings: Settings,
): Promise<DemoAddresses | undefined> {
  const demo = (await keptDemo(app, settings)) ?? (await makeDemo(app))
  if (demo) writeSecret(linkFile(settings), demo.calendar)
  return demo
}

/** What ends hands the demo's kept address over to the server that goes on. */
export function handOverDemo(settings: Settings, from: RunningServer, to: RunningServer): void {
  const kept = settings.companies === null ? readText(linkFile(settings)) : undefined
  const start = `${from.publicUrl}/feeds/`
  if (!kept?.startsWith(start)) return
  writeSecret(linkFile(settings), `${to.publicUrl}/feeds/${kept.slice(start.length).trim()}`)
}

async function makeDemo({ services }: DemoApp): Promise<DemoAddresses | undefined> {
  try {
    const { url, page } = await services.administration.creation.create({ userIds: [demoUser] })
    return { calendar: url, page }
  } catch (error) {
    if (asAppError(error)?.code === 'invalid') return undefined
    throw error
  }
}

/** The kept link, if it still opens a calendar, under the address of today; undefined beside a Read API that is no sample. */
export async function keptDemo(
  { publicUrl, services: { links } }: DemoApp,
  settings: Settings,
): Promise<DemoAddresses | undefined> {
  const kept = settings.companies === null ? readText(linkFile(settings)) : undefined
  const token = /cfb_[A-Za-z0-9_-]{43}/.exec(kept ?? '')?.[0]
  if (token === undefined) return undefined
  try {
    const { feed } = await openLink(links, token)
    return { calendar: feedUrl(publicUrl, token, feed.name), page: pageUrl(publicUrl, token) }
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'gone' || code === 'not_found') return undefined
    throw error
  }
}

function linkFile({ dataDirectory }: Settings): string {
  return path.join(dataDirectory, 'demo-link')
}

/** undefined where there is none; one that only others may read is not one to write again. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EACCES') {
      const message = `The file ${file} cannot be read by this account.`
      throw new AppError('unavailable', message, { cause })
    }
    return undefined
  }
}

function writeSecret(file: string, text: string): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    replaceFile(file, `${text}\n`)
  } catch (cause) {
    throw cannotWrite(file, cause)
  }
}

const fileName = 'running.json'

/** A server as commands look for it. */
export interface RunningServer {
  /** Where it listens. */
  readonly listensAt: string
  readonly publicUrl: string
  /** By which it is known from whatever else listens there one day: it answers to `/healthz/{instance}`. */
  readonly instance: string
}

/**
 * Keeps in the data directory, readable by nobody else, where the server is, so that commands print links that work, with
 * those that run `beside` it. Gives what takes it out again and tells which of the others stands in its place. A server
 * that cannot write there runs all the same.
 */
export function keepRunningServer(
  directory: string,
  server: RunningServer,
  log: Log,
  beside: readonly RunningServer[] = [],
): () => RunningServer | undefined {
  const file = path.join(directory, fileName)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    writeServers(file, [...beside, server])
  } catch (error) {
    log.warn({ error }, 'address_not_kept')
    return () => undefined
  }
  return () => {
    const others = readServers(file).filter(({ instance }) => instance !== server.instance)
    writeServers(file, others)
    return others.at(-1)
  }
}

/** The servers that run on this data, the one that began last at the end. */
export async function findServers(
  directory: string,
  patienceMs = 2000,
): Promise<readonly RunningServer[]> {
  const known = readServers(path.join(directory, fileName))
  const found = await Promise.all(known.map((server) => isRunning(server, patienceMs)))
  return known.filter((_, index) => found[index])
}

/** The public address of the server that runs on this data; undefined where none does, be it that one crashed. */
export async function findPublicUrl(
  directory: string,
  patienceMs = 2000,
): Promise<string | undefined> {
  return (await findServers(directory, patienceMs)).at(-1)?.publicUrl
}

/** The error of a start as it is to be told: that nothing was started, where one of these servers has the port itself. */
export function sayTaken(
  error: unknown,
  servers: readonly Pick<RunningServer, 'listensAt'>[],
  port: number,
): unknown {
  const own = servers.find(({ listensAt }) => portOf(listensAt) === port)
  if (!own || !isTaken(error)) return error
  const message = `The bridge already runs at ${own.listensAt}; this one was not started.`
  return new AppError('unavailable', message, { cause: error })
}

function isTaken(error: unknown): boolean {
  const cause = asAppError(error)?.cause
  return cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE'
}

/** 80 is left out of an address. */
function portOf(listensAt: string): number {
  return Number(new URL(listensAt).port || 80)
}

async function isRunning(
  { listensAt, instance }: RunningServer,
  patienceMs: number,
): Promise<boolean> {
  const address = `${listensAt}/healthz/${encodeURIComponent(instance)}`
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const { ok } = await fetch(address, { method: 'HEAD', redirect: 'error', signal })
    return ok
  } catch {
    // Nobody listens where a server has crashed; one that does not answer in time is busy.
    return signal.aborted
  }
}

/** What is not there, or not as a server writes it, tells of none. */
function readServers(file: string): readonly RunningServer[] {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return (Array.isArray(read) ? read : [read]).filter(isServer)
  } catch {
    return []
  }
}

function writeServers(file: string, servers: readonly RunningServer[]): void {
  if (servers.length > 0) replaceFile(file, `${JSON.stringify(servers)}\n`)
  else rmSync(file, { force: true })
}

function isServer(read: unknown): read is RunningServer {
  if (typeof read !== 'object' || read === null) return false
  const { listensAt, publicUrl, instance }: Partial<Record<string, unknown>> = { ...read }
  return [listensAt, publicUrl].every(isHttpUrl) && typeof instance === 'string'
}

function isHttpUrl(text: unknown): boolean {
  return typeof text === 'string' && /^https?:$/.test(URL.parse(text)?.protocol ?? '')
}

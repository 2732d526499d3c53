import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

import { replaceFile } from '../cli/write-output.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'

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

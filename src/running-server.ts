import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'

import { replaceFile } from './cli/write-output.ts'
import type { Log } from './domain/world.ts'

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
 * Keeps in the data directory, readable by nobody else, where the server is, so that commands print links that work.
 * Gives what ends that. A server that cannot write there runs all the same.
 */
export function keepRunningServer(directory: string, server: RunningServer, log: Log): () => void {
  const file = path.join(directory, fileName)
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    replaceFile(file, `${JSON.stringify(server)}\n`)
  } catch (error) {
    log.warn({ error }, 'address_not_kept')
    return () => undefined
  }
  return () => {
    // Another server on the same data may have taken its place.
    if (readServer(file)?.instance === server.instance) rmSync(file, { force: true })
  }
}

/** The public address of the server that runs on this data; undefined where none does, be it that one crashed. */
export async function findPublicUrl(
  directory: string,
  patienceMs = 2000,
): Promise<string | undefined> {
  const server = readServer(path.join(directory, fileName))
  return server && (await isRunning(server, patienceMs)) ? server.publicUrl : undefined
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
function readServer(file: string): RunningServer | undefined {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isServer(read) ? read : undefined
  } catch {
    return undefined
  }
}

function isServer(read: unknown): read is RunningServer {
  if (typeof read !== 'object' || read === null) return false
  const { listensAt, publicUrl, instance }: Partial<Record<string, unknown>> = { ...read }
  return [listensAt, publicUrl, instance].every((it) => typeof it === 'string')
}

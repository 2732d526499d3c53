/*
 * Calendar clients, a process of their own: they poll at a fixed rate, whether they are answered or not, and it tells how
 * long each waited since it should have asked.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { Pool } from 'undici'

/** Polls that arrive by themselves. */
export interface Arrivals {
  readonly url: string
  /** Of the calendars, each asked for in turn. */
  readonly paths: readonly string[]
  /** Polls a second; without it, each goes as soon as a connection is free. */
  readonly rate?: number
  readonly count: number
  readonly connections?: number
  /** Of those that were answered before so many ask whether there is something new. */
  readonly conditional: number
}

/** In milliseconds. */
export interface Waits {
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly most: number
}

/** What became of them. */
export interface Polled {
  /** How many, by status, or by why there was no answer. */
  readonly statuses: Readonly<Record<string, number>>
  readonly waits: Waits
  readonly cpuMs: number
}

const usualConnections = 512
const tags = new Map<string, string>()
const patienceMs = 60_000
/** No connection is used again that the server may be about to end. */
const idleMs = 1000

process.on('message', (arrivals: Arrivals) => {
  void poll(arrivals).then((polled) => process.send?.(polled))
})
process.on('disconnect', () => process.exit())

async function poll(arrivals: Arrivals): Promise<Polled> {
  const pool = new Pool(arrivals.url, {
    connections: arrivals.connections ?? usualConnections,
    headersTimeout: patienceMs,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  })
  const statuses: Record<string, number> = {}
  const waits: number[] = []
  const used = process.cpuUsage()
  const polls: Promise<void>[] = []
  const one = async (path: string, due: number): Promise<void> => {
    const status = await ask(pool, path, arrivals.conditional).catch(
      (error: unknown) => `failed: ${String(error)}`,
    )
    statuses[status] = (statuses[status] ?? 0) + 1
    waits.push(performance.now() - due)
  }
  let due = performance.now()
  for (let number = 0; number < arrivals.count; number += 1) {
    // As independent subscriptions arrive.
    due += (-Math.log(1 - Math.random()) * 1000) / (arrivals.rate ?? Infinity)
    const early = due - performance.now()
    if (early > 1) await pause(early)
    polls.push(one(arrivals.paths[number % arrivals.paths.length] ?? '/', due))
  }
  await Promise.all(polls)
  await pool.close()
  const { user, system } = process.cpuUsage(used)
  return { statuses, waits: waitsOf(waits), cpuMs: (user + system) / 1000 }
}

async function ask(pool: Pool, path: string, conditional: number): Promise<string> {
  const tag = Math.random() < conditional ? tags.get(path) : undefined
  const { statusCode, headers, body } = await pool.request({
    path,
    method: 'GET',
    headers: { 'Accept-Encoding': 'gzip', ...(tag !== undefined && { 'If-None-Match': tag }) },
  })
  await body.dump({ limit: 10_000_000 })
  if (conditional > 0 && typeof headers['etag'] === 'string') tags.set(path, headers['etag'])
  return String(statusCode)
}

function waitsOf(waits: readonly number[]): Waits {
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1) }
}

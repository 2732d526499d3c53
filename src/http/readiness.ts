import { setTimeout } from 'node:timers/promises'

import type { RequestHandler } from 'express'

import { nothingHere } from '../web/not-found.ts'

const readyWithinMs = 2000

/** `GET /readyz`: ready is who can answer, with a database that does so soon and takes what is written; else the answer says why not. */
export function showReadiness(whyNotReady: () => Promise<string | null>): RequestHandler {
  return async (_, response) => {
    const reason = await whyNotReadySoon(whyNotReady)
    response
      .status(reason === null ? 200 : 503)
      .type('text/plain')
      .send(reason === null ? 'ready\n' : `not ready: ${reason}\n`)
  }
}

/** `GET /healthz/{instance}`: by which a command knows the process that it looks for from another that has its port now. */
export function showInstance(instance: string): RequestHandler<{ instance: string }> {
  return ({ params }, response) => {
    if (params.instance !== instance) throw nothingHere()
    response.status(204).end()
  }
}

async function whyNotReadySoon(whyNotReady: () => Promise<string | null>): Promise<string | null> {
  const inTime = new AbortController()
  const late = 'The database does not answer in time.'
  const reason = await Promise.race([
    whyNotReady(),
    setTimeout(readyWithinMs, late, { signal: inTime.signal }).catch(() => late),
  ])
  inTime.abort()
  return reason
}

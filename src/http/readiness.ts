import { setTimeout } from 'node:timers/promises'

import type { RequestHandler } from 'express'

import { nothingHere } from '../web/not-found.ts'

const readyWithinMs = 2000

/** `GET /readyz`: ready is who can answer, with a database that does so soon. */
export function showReadiness(isReady: () => Promise<boolean>): RequestHandler {
  return async (_, response) => {
    const ready = await isReadySoon(isReady)
    response
      .status(ready ? 200 : 503)
      .type('text/plain')
      .send(ready ? 'ready\n' : 'not ready\n')
  }
}

/** `GET /healthz/{instance}`: by which a command knows the process that it looks for from another that has its port now. */
export function showInstance(instance: string): RequestHandler<{ instance: string }> {
  return ({ params }, response) => {
    if (params.instance !== instance) throw nothingHere()
    response.status(204).end()
  }
}

async function isReadySoon(isReady: () => Promise<boolean>): Promise<boolean> {
  const tooLate = new AbortController()
  const ready = await Promise.race([
    isReady(),
    setTimeout(readyWithinMs, false, { signal: tooLate.signal }).catch(() => false),
  ])
  tooLate.abort()
  return ready
}

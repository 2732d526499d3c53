import { setTimeout } from 'node:timers/promises'

import type { RequestHandler } from 'express'

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

async function isReadySoon(isReady: () => Promise<boolean>): Promise<boolean> {
  const tooLate = new AbortController()
  const ready = await Promise.race([
    isReady(),
    setTimeout(readyWithinMs, false, { signal: tooLate.signal }).catch(() => false),
  ])
  tooLate.abort()
  return ready
}

import { type EventEmitter, once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

import type { Express } from 'express'

import { AppError } from '../domain/errors.ts'

const drainMs = 5000

export interface HttpServer {
  /** The address with its port, without a slash at its end. */
  readonly url: string
  /** Has every request from now on answered by that app instead. */
  serve(app: Express): void
  /** Ends when every answer under way is sent, or after five seconds; no connection is left open. */
  close(): Promise<void>
}

type Server = ReturnType<Express['listen']>

/** Serves the app; port 0 picks a free one. `unavailable`, naming `what` wanted it, where the address cannot be had. */
export async function listen(
  app: Express,
  { host, port, what }: { host: string; port: number; what: string },
): Promise<HttpServer> {
  const server = app.listen(port, host)
  const answers = trackAnswers(server)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const message = `${what} cannot listen on ${host}, port ${port}: is it in use?`
    throw new AppError('unavailable', message, { cause })
  }
  let current = app
  function serve(next: Express): void {
    server.off('request', current).on('request', next)
    current = next
  }
  return { url: urlOf(server, host), serve, close: () => close(server, answers) }
}

function trackAnswers(server: Server): ReadonlySet<EventEmitter> {
  const answers = new Set<EventEmitter>()
  server.on('request', (_request, response) => {
    answers.add(response)
    response.once('close', () => answers.delete(response))
  })
  return answers
}

function urlOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  return httpUrl(host, Number(port))
}

/** The address of a server on that host and port. */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Node's own `server.close()` takes a connection for idle, and cuts it, while the end of a long answer is still being sent. */
async function close(server: Server, answers: ReadonlySet<EventEmitter>): Promise<void> {
  const sent = Promise.all([...answers].map((answer) => once(answer, 'close')))
  await Promise.race([sent, delay(drainMs, undefined, { ref: false })])
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

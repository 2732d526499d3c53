import { type EventEmitter, once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../domain/errors.ts'
import { openServer, type ServerOptions } from './server.ts'

const drainMs = 5000

export interface HttpServer {
  /** The address with its port, without a slash at its end. */
  readonly url: string
  /** Has every request from now on answered by that app instead. */
  serve(app: RequestListener): void
  /** Ends when every answer under way is sent, or after five seconds; no connection is left open. */
  close(): Promise<void>
}

/** Where a program listens, and to whom. */
export interface Place extends ServerOptions {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Who wants it, in the sentence that says that it cannot be had. */
  readonly what: string
  /** The end of that sentence where the port may be in use: how to take another. */
  readonly hint?: string
}

/** Serves the app; `unavailable`, naming `what` wanted it, where the address cannot be had. */
export async function listen(app: RequestListener, place: Place): Promise<HttpServer> {
  const { host, port, what, hint } = place
  const { server, answers, answerBy } = openServer(app, place)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const where = `${what} cannot listen on ${host}, port ${port}`
    const why = isAbsent(cause)
      ? 'this machine has no such address.'
      : ['is it in use?', ...(hint === undefined ? [] : [hint])].join(' ')
    throw new AppError('unavailable', `${where}: ${why}`, { cause })
  }
  return { url: urlOf(server, host), serve: answerBy, close: () => close(server, answers()) }
}

function isAbsent(cause: unknown): boolean {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
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
async function close(server: Server, answers: readonly EventEmitter[]): Promise<void> {
  const sent = Promise.all(answers.map((answer) => once(answer, 'close')))
  await Promise.race([sent, delay(drainMs, undefined, { ref: false })])
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

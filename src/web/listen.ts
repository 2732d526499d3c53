import { type EventEmitter, once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import type { Express } from 'express'

import { AppError } from '../domain/errors.ts'
import { type AddressOf, destroy, limitAddresses, limitPipelines } from './client-limits.ts'
import { refuse } from './refusal.ts'
import { answerUnread, refuseHostless } from './unread-requests.ts'

const drainMs = 5000

export interface HttpServer {
  /** The address with its port, without a slash at its end. */
  readonly url: string
  /** Has every request from now on answered by that app instead. */
  serve(app: Express): void
  /** Ends when every answer under way is sent, or after five seconds; no connection is left open. */
  close(): Promise<void>
}

/** Where a program listens, and to whom. */
export interface Place {
  readonly host: string
  /** 0 picks a free one. */
  readonly port: number
  /** Who wants it, in the sentence that says that it cannot be had. */
  readonly what: string
  /** The end of that sentence: how it takes another. */
  readonly hint?: string
  /** How long a client may take to send the head of a request. */
  readonly headMs?: number
  /** What counts as one address of clients; left out behind a proxy, from whose address all come. */
  readonly addressOf?: AddressOf
}

/** A head may take so long, as a connection before its first; Node's own minute is for clients that are trusted. */
const headMsMax = 15_000
const requestMsMax = 60_000
/** Proxies keep connections for a minute: whoever closes first must not be the one that is about to be asked. */
const idleMsBehindProxy = 75_000
const idleMsMax = 5000
/** Each holds a file and some ten kilobytes. */
const connectionsMax = 5000
/** Nothing sent and nothing read for so long: even a table of thousands of feeds is made sooner. */
const silentMsMax = 300_000

/** Serves the app; `unavailable`, naming `what` wanted it, where the address cannot be had. */
export async function listen(app: Express, place: Place): Promise<HttpServer> {
  const { host, port, what, hint } = place
  const { server, answerBy } = openServer(app, place)
  const answers = trackAnswers(server)
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (cause) {
    const message = `${what} cannot listen on ${host}, port ${port}: is it in use?${hint === undefined ? '' : ` ${hint}`}`
    throw new AppError('unavailable', message, { cause })
  }
  return { url: urlOf(server, host), serve: answerBy, close: () => close(server, answers) }
}

interface OpenServer {
  readonly server: Server
  readonly answerBy: (app: Express) => void
}

function openServer(first: Express, { headMs = headMsMax, addressOf }: Place): OpenServer {
  let app = first
  const options = {
    headersTimeout: headMs,
    requestTimeout: requestMsMax,
    keepAliveTimeout: addressOf ? idleMsMax : idleMsBehindProxy,
    connectionsCheckingInterval: headMs / 3,
    requireHostHeader: false,
  }
  const server = createServer(options)
  const cutOff = addressOf ? limitAddresses(server, addressOf) : destroy
  const isWelcome = limitPipelines(cutOff)
  server.on('request', (request, response) => {
    if (isWelcome(request, response) && !refuseHostless(request, response)) app(request, response)
  })
  // Expectations that nobody fulfils (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    if (isWelcome(request, response)) refuse(response, 417)
  })
  answerUnread(server)
  server.maxConnections = connectionsMax
  server.timeout = silentMsMax
  return {
    server,
    answerBy: (next) => {
      app = next
    },
  }
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

/* An HTTP server that no single client can block for all others. */
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError, codeOf } from '../domain/errors.ts'

export type { IncomingMessage, RequestListener, ServerResponse }

type Socket = IncomingMessage['socket']

/** Returns the key of a client from a connection's peer. */
type AddressOf = (peer: { readonly ip: string | undefined }) => string

/** Time limit for the head of a request, and for a new connection's first request; Node's own minute suits trusted clients. */
const headMsMax = 15_000
const requestMsMax = 60_000
/** Proxies keep idle connections for a minute. The server must not close first, or a request could meet a closed connection. */
const idleMsBehindProxy = 75_000
const idleMsMax = 5000
/** Each connection takes a file descriptor and some ten kilobytes. */
export const connectionsMaxUsual = 5000
/** Without any data in either direction; even a table of thousands of feeds takes less time. */
const silentMsMax = 300_000
/** How long `close` waits for responses unless told otherwise. */
const answersMsUsual = 5000
/** After a shutdown began, another node or the next process answers within seconds. */
const retryAfterSeconds = 5

/** Per address: far more than the people behind one address, or the clients of one calendar service, have open at once. */
const openMax = 512
/** Per address: far more than lack a complete request at any time. */
const halfOpenMax = 128
/** Requests sent before earlier responses were read (RFC 9112 section 9.3.2); no calendar client does that. */
const pipelinedMax = 8
/** How long an address that sends more is blocked. */
const cutOffMs = 60_000

export interface HttpServer {
  /** The address with its port, without a trailing slash. */
  readonly url: string
  /** Replaces the app for all later requests. */
  serve(app: RequestListener): void
  /**
   * Refuses new requests with 503 and `Connection: close` from now on. Resolves once the responses in progress are sent, or
   * after `answersMs`, and leaves no connection open. For `idleMs`, a request on an idle connection still gets a refusal:
   * otherwise one that is sent just as the connection closes would get no response at all.
   */
  close(patience?: { readonly answersMs?: number; readonly idleMs?: number }): Promise<void>
}

/** Where a program listens, and what it allows clients. */
export interface Place {
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** The program's name, for the error message. */
  readonly what: string
  /** How to choose another port, for the error message. */
  readonly hint?: string
  /** Whether several worker processes answer there together; true unless set. */
  readonly isShared?: boolean
  readonly headMs?: number
  /** What counts as one client; absent behind a proxy, which sends all requests from its own address. */
  readonly addressOf?: AddressOf
  readonly connectionsMax?: number
}

/** Serves the app; fails with `unavailable` and the program's name if it cannot listen there. */
export async function listen(first: RequestListener, place: Place): Promise<HttpServer> {
  const { host, port, headMs = headMsMax, addressOf, isShared = true } = place
  let app = first
  let isClosing = false
  const server = createServer({
    headersTimeout: headMs,
    requestTimeout: requestMsMax,
    keepAliveTimeout: addressOf ? idleMsMax : idleMsBehindProxy,
    connectionsCheckingInterval: headMs / 3,
    requireHostHeader: false,
  })
  server.timeout = silentMsMax
  const connections = new Connections(place.connectionsMax ?? connectionsMaxUsual)
  const clientOf = addressOf && limitAddresses(addressOf)
  server.on('connection', (socket) => {
    const client = clientOf?.(socket)
    if (!socket.destroyed) connections.add({ socket, client, answers: [], asked: [] })
  })
  server.on('request', (request, response) => {
    if (!connections.begin(request, response)) return
    if (isMisaddressed(request)) refuse(response, 400)
    else if (isClosing) refuse(response, 503)
    else app(request, response)
  })
  // The server supports no expectations (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    if (connections.begin(request, response)) refuse(response, 417)
  })
  answerUnreadable(server, connections)
  server.listen({ port, host, exclusive: !isShared })
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw cannotListen(place, cause)
  }
  const address = server.address()
  return {
    url: httpUrl(host, Number(typeof address === 'object' ? address?.port : address)),
    serve: (next) => {
      app = next
    },
    close: (patience) => {
      isClosing = true
      return close(server, connections, patience)
    },
  }
}

const refusals: ReadonlyMap<string, string> = new Map([
  ['EADDRNOTAVAIL', 'this machine has no such address.'],
  ['ENOTFOUND', 'this machine has no such address.'],
  ['EACCES', 'this account may not take it; ports below 1024 are often for root only.'],
])

function cannotListen({ what, host, port, hint }: Place, cause: unknown): AppError {
  const code = codeOf(cause)
  const inUse = hint === undefined ? 'is it in use?' : `is it in use? ${hint}`
  const why = refusals.get(code) ?? inUse
  const message = `${what} cannot listen on ${host}, port ${port}: ${why}`
  return new AppError('unavailable', message, { cause })
}

export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/**
 * Waits for the responses first: `server.close()` treats a connection as idle, and cuts it, while the end of a long one is
 * still being sent.
 */
async function close(
  server: Server,
  connections: Connections,
  { answersMs = answersMsUsual, idleMs = 0 } = {},
): Promise<void> {
  const answers = connections.answers()
  // Responses that have not begun say `Connection: close`.
  for (const answer of answers) answer.shouldKeepAlive = false
  const sent = Promise.all(answers.map((answer) => once(answer, 'close')))
  await Promise.race([sent, delay(answersMs, undefined, { ref: false })])
  await Promise.race([connections.empty(), delay(idleMs, undefined, { ref: false })])
  const closed = once(server, 'close')
  server.close()
  server.closeAllConnections()
  await closed
}

/** Whether `Host` is missing or repeated (RFC 9112 section 3.2), or an absolute address is invalid. */
function isMisaddressed({ rawHeaders, httpVersion, url = '' }: IncomingMessage): boolean {
  // Alternating names and values; `headers` has only the first of several.
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return true
  return !url.startsWith('/') && url !== '*' && !URL.canParse(url)
}

interface Connection {
  readonly socket: Socket
  readonly client: Client | undefined
  /** Responses in progress. Not a Set: V8 keeps former members of a set that changes with each request. */
  readonly answers: ServerResponse[]
  /** Responses to complete requests. */
  readonly asked: ServerResponse[]
}

/**
 * All open connections. Above the limit, closes the one that has lacked a complete request for longest, half-open or idle.
 * Clients that wait for a response keep their connection, and new ones have time to send a request. Idle connections may be
 * closed at any time (RFC 9112 section 9.3.1); the client opens another. Without any of these, closes the one that has left
 * responses unread for longest: clients that request large responses without reading them must not lock out all others.
 */
class Connections {
  readonly #most: number
  readonly #all = new Map<object, Connection>()
  /** Without a complete request, longest first. */
  readonly #waiting = new Set<Connection>()
  /** With a complete request and an unfinished response, longest first. */
  readonly #asking = new Set<Connection>()
  #onEmpty: (() => void) | undefined

  constructor(most: number) {
    this.#most = most
  }

  add(connection: Connection): void {
    const { socket } = connection
    this.#all.set(socket, connection)
    this.#waiting.add(connection)
    socket.once('close', () => this.#forget(connection))
    if (this.#all.size <= this.#most) return
    const [longest = connection] = this.#waiting
    const isUnread = ({ asked }: Connection): boolean =>
      asked.every((it) => it.writableEnded || it.writableNeedDrain)
    const unread = longest === connection ? this.#asking.values().find(isUnread) : undefined
    const leastMissed = unread ?? longest
    this.#forget(leastMissed)
    leastMissed.socket.destroy()
  }

  /** Resolves once no connection is open. */
  empty(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve
      if (this.#all.size === 0) resolve()
    })
  }

  answers(): readonly ServerResponse[] {
    return [...this.#all.values()].flatMap((it) => it.answers)
  }

  hasBegunAnswer(socket: object): boolean {
    const answers = this.#all.get(socket)?.answers ?? []
    return answers.some((it) => it.socket === socket && it.headersSent)
  }

  /**
   * Returns false if the request gets no response. A connection that sends requests without reading is cut off, since its
   * responses would fill the memory.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const connection = this.#all.get(request.socket)
    if (!connection) return false
    const { answers, asked, client, socket } = connection
    if (answers.length === pipelinedMax) {
      failAtNext(socket)
      if (client) client.cutOff()
      else socket.destroy()
      return false
    }
    answers.push(response)
    whenWhole(request, () => {
      client?.halfOpen.delete(socket)
      if (response.closed || !this.#all.has(socket)) return
      asked.push(response)
      this.#waiting.delete(connection)
      this.#asking.add(connection)
    })
    response.on('close', () => {
      removeFrom(answers, response)
      removeFrom(asked, response)
      if (asked.length > 0 || !this.#all.has(socket)) return
      this.#asking.delete(connection)
      this.#waiting.add(connection)
    })
    return true
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection.socket)
    this.#waiting.delete(connection)
    this.#asking.delete(connection)
    if (this.#all.size === 0) this.#onEmpty?.()
  }
}

/**
 * Makes Node's parser fail at the next request. Otherwise it would create thousands of requests from the chunk already
 * read, and block all other clients meanwhile. Node has no public way to stop that.
 */
function failAtNext(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', () => -1)
}

function removeFrom(answers: ServerResponse[], answer: ServerResponse): void {
  const index = answers.indexOf(answer)
  if (index >= 0) answers.splice(index, 1)
}

/** Calls back once the body is complete, or at once if there is none (RFC 9112 section 6). */
function whenWhole(request: IncomingMessage, then: () => void): void {
  const { 'transfer-encoding': coding, 'content-length': length = 0 } = request.headers
  if (coding !== undefined || Number(length) > 0) request.once('end', then)
  else then()
}

class Client {
  readonly open = new Set<Socket>()
  /** Connections without a complete request so far. */
  readonly halfOpen = new Set<Socket>()
  readonly #onEmpty: () => void
  #isCutOff = false

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** Returns false if there are too many connections, or too many without a complete request so far. */
  add(socket: Socket): boolean {
    const { open, halfOpen } = this
    if (this.#isCutOff || open.size === openMax || halfOpen.size === halfOpenMax) return false
    open.add(socket)
    halfOpen.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      halfOpen.delete(socket)
      this.#forget()
    })
    return true
  }

  /**
   * Closes all connections, and new ones for a minute: Node processes what it has read of each, and other clients wait for
   * that.
   */
  cutOff(): void {
    if (this.#isCutOff) return
    this.#isCutOff = true
    for (const one of this.open) one.destroy()
    setTimeout(() => {
      this.#isCutOff = false
      this.#forget()
    }, cutOffMs).unref()
  }

  #forget(): void {
    if (this.open.size === 0 && !this.#isCutOff) this.#onEmpty()
  }
}

/** Returns the client of a new connection; closes the connection if its address has too many. */
function limitAddresses(addressOf: AddressOf): (socket: Socket) => Client {
  const clients = new Map<string, Client>()
  return (socket) => {
    const address = addressOf({ ip: socket.remoteAddress })
    const client = clients.get(address) ?? new Client(() => clients.delete(address))
    if (client.add(socket)) clients.set(address, client)
    else socket.destroy()
    return client
  }
}

/** Status for each error code of Node's parser; any other code is 400. */
const parserStatuses: ReadonlyMap<unknown, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/**
 * Responds to what never reaches the app: requests that Node cannot parse (400, or 413 for chunk extensions), and heads
 * that are too large (431) or too slow (408). Sends one sentence and closes the connection, since the start of the next
 * request is unknown.
 */
function answerUnreadable(server: Server, connections: Connections): void {
  server.on('clientError', (error: Error & { readonly code?: unknown }, socket) => {
    // In the middle of a response nothing else can be sent; a client that is gone receives nothing.
    if (connections.hasBegunAnswer(socket) || !socket.writable) return socket.destroy()
    const status = parserStatuses.get(error.code) ?? 400
    const body = refusal(status)
    const fields = Object.entries({
      ...refusalHeaders,
      Date: new Date().toUTCString(),
      'Content-Length': Buffer.byteLength(body),
    }).map(([name, value]) => `${name}: ${value}`)
    const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields, '', body]
    return socket.end(lines.join('\r\n'), () => socket.destroy())
  })
}

/** As on every page of a program: no resources, no frames, no caching. */
const refusalHeaders: Readonly<Record<string, string>> = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
  Connection: 'close',
}

/** Sends that status with a sentence, and closes the connection. */
function refuse(response: ServerResponse, status: number): void {
  const body = refusal(status)
  const headers = {
    ...refusalHeaders,
    ...(status === 503 ? { 'Retry-After': String(retryAfterSeconds) } : {}),
    'Content-Length': Buffer.byteLength(body),
  }
  response.writeHead(status, headers).end(body)
}

function refusal(status: number): string {
  return `Cannot answer this request: ${STATUS_CODES[status]}.\n`
}

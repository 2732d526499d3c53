import { type EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

import { AppError } from '../domain/errors.ts'

/* A server that one client alone cannot take from all others. */

export type { IncomingMessage, RequestListener, ServerResponse }

type Socket = IncomingMessage['socket']

/** Of a connection's peer, what counts as one client. */
type AddressOf = (peer: { readonly ip: string | undefined }) => string

export interface ServerOptions {
  /** How long a client may take to send the head of a request. */
  readonly headMs?: number
  /** What counts as one address of clients; left out behind a proxy, from whose address all come. */
  readonly addressOf?: AddressOf
  /** Each holds a file and some ten kilobytes. */
  readonly connectionsMax?: number
}

/** A head may take so long, as a connection before its first; Node's own minute is for clients that are trusted. */
const headMsMax = 15_000
const requestMsMax = 60_000
/** Proxies keep connections for a minute: whoever closes first must not be the one that is about to be asked. */
const idleMsBehindProxy = 75_000
const idleMsMax = 5000
const connectionsMaxUsual = 5000
/** Nothing sent and nothing read for so long: even a table of thousands of feeds is made sooner. */
const silentMsMax = 300_000

/** Far more than people behind one address, and the clients of one calendar service, open at once. */
const openMax = 512
/** Far more of them than are without a whole request at any time. */
const halfOpenMax = 128
/** Requests sent before the answers to those before them were read (RFC 9112 section 9.3.2): no calendar client does that. */
const pipelinedMax = 8
/** An address that sends more of them is not let in for so long. */
const cutOffMs = 60_000

interface OpenServer {
  readonly server: Server
  /** Gives those under way. */
  readonly answers: () => readonly ServerResponse[]
  /** Has every request from now on answered by that app. */
  readonly answerBy: (app: RequestListener) => void
}

/** A server that is still to listen. */
function openServer(
  first: RequestListener,
  { headMs = headMsMax, addressOf, connectionsMax = connectionsMaxUsual }: ServerOptions,
): OpenServer {
  let app = first
  const options = {
    headersTimeout: headMs,
    requestTimeout: requestMsMax,
    keepAliveTimeout: addressOf ? idleMsMax : idleMsBehindProxy,
    connectionsCheckingInterval: headMs / 3,
    requireHostHeader: false,
  }
  const server = createServer(options)
  const connections = new Connections(connectionsMax)
  const clientOf = addressOf && limitAddresses(addressOf)
  server.on('connection', (socket) => {
    const client = clientOf?.(socket)
    if (!socket.destroyed) connections.add({ socket, client, answers: [], asked: [] })
  })
  server.on('request', (request, response) => {
    if (!connections.begin(request, response)) return
    if (isMisaddressed(request)) refuse(response, 400)
    else app(request, response)
  })
  // Expectations that nobody fulfils (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    if (connections.begin(request, response)) refuse(response, 417)
  })
  answerUnread(server, (socket) => connections.answersOn(socket))
  server.timeout = silentMsMax
  const answerBy = (next: RequestListener): void => {
    app = next
  }
  return { server, answers: () => connections.answers(), answerBy }
}

/**
 * Whether it lacks the `Host` that it has to have, or has it more than once (RFC 9112 section 3.2), or asks for an address in full
 * that is none.
 */
function isMisaddressed({ rawHeaders, httpVersion, url = '' }: IncomingMessage): boolean {
  const hosts = countHosts(rawHeaders)
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return true
  return !url.startsWith('/') && url !== '*' && !URL.canParse(url)
}

/** Of names and values by turns; `headers` holds the first of several alone. */
function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length
}

/** What is known of a connection. */
interface Connection {
  readonly socket: Socket
  /** Whose it is, where that counts. */
  readonly client: Client | undefined
  /** Those under way. No set: of one that changes with each request V8 keeps for long what has been in it. */
  readonly answers: ServerResponse[]
  /** Of these, to requests that have come whole. */
  readonly asked: ServerResponse[]
}

/**
 * All that are open. Of too many, that one goes which has been without a whole request for longest, half-open or idle alike: who
 * waits for an answer keeps the connection, and who has just come has time to ask. An idle one may be closed at any time
 * (RFC 9112 section 9.3.1); its client opens another. Where there is none of these, that one goes which has left answers unread
 * for longest: asking for large ones and not reading them must not take the place of all others.
 */
class Connections {
  readonly #most: number
  readonly #all = new Map<object, Connection>()
  /** Those without a whole request, the longest first. */
  readonly #waiting = new Set<Connection>()
  /** Those with a whole request whose answer is not sent, the longest first. */
  readonly #asking = new Set<Connection>()

  constructor(most: number) {
    this.#most = most
  }

  add(connection: Connection): void {
    const { socket } = connection
    this.#all.set(socket, connection)
    this.#waiting.add(connection)
    socket.once('close', () => this.#forget(connection))
    if (this.#all.size <= this.#most) return
    const one = this.#leastMissed(connection)
    this.#forget(one)
    one.socket.destroy()
  }

  #leastMissed(newest: Connection): Connection {
    const [longest = newest] = this.#waiting
    if (longest !== newest) return longest
    return this.#asking.values().find(isUnread) ?? newest
  }

  answersOn(socket: object): readonly ServerResponse[] {
    return this.#all.get(socket)?.answers ?? []
  }

  answers(): readonly ServerResponse[] {
    return [...this.#all.values()].flatMap((it) => it.answers)
  }

  /**
   * Whether another answer begins; a connection that asks further without reading is cut off, since every answer would wait
   * for it in memory.
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
  }
}

/**
 * Has Node's parser fail at the next request: it would make thousands of them of the chunk that has been read already, while
 * nobody else is answered. No public part of Node ends that.
 */
function failAtNext(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', () => -1)
}

/** Whether nothing but its client is waited for. */
function isUnread({ asked }: Connection): boolean {
  return asked.every((it) => it.writableEnded || it.writableNeedDrain)
}

function removeFrom(answers: ServerResponse[], answer: ServerResponse): void {
  const index = answers.indexOf(answer)
  if (index >= 0) answers.splice(index, 1)
}

/** The connections of one address. */
class Client {
  readonly open = new Set<Socket>()
  /** Those that have sent no whole request yet. */
  readonly halfOpen = new Set<Socket>()
  readonly #onEmpty: () => void
  #isCutOff = false

  constructor(onEmpty: () => void) {
    this.#onEmpty = onEmpty
  }

  /** False where it has too many, or too many that have sent no whole request yet. */
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

  /** Closes all of them, and what comes within a minute: what has been read of each is gone through to its end, and others wait for that. */
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

/** Gives whose a new connection is; one that is too many of its address is closed: one address must not take the place of all others. */
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

function whenWhole(request: IncomingMessage, then: () => void): void {
  if (hasBody(request)) request.once('end', then)
  else then()
}

/** RFC 9112 section 6. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

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

/* Answers to what never becomes a request of the app: Node refuses it while it reads the head, and by itself with a bare status. */

/** What Node's parser finds wrong, by its code; anything else is 400. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/**
 * Answers what Node cannot read (400), and whose head is too large (431) or too slow (408), each with a sentence, and ends
 * the connection: where the next request begins is not known.
 */
function answerUnread(
  server: Server,
  answersOn: (socket: object) => readonly ServerResponse[],
): void {
  server.on('clientError', (error: Error & { readonly code?: unknown }, socket) => {
    const isBegun = answersOn(socket).some((it) => it.socket === socket && it.headersSent)
    // In the middle of an answer nothing else can be said; who is gone hears nothing.
    if (isBegun || !socket.writable) socket.destroy()
    else socket.end(refusalText(statuses.get(error.code) ?? 400), () => socket.destroy())
  })
}

/** As on every page of a program, whatever it says: it loads nothing, is shown in no frame and kept by nobody. */
const headers: Readonly<Record<string, string>> = {
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

/** Refuses with that status in a sentence, and ends the connection. */
function refuse(response: ServerResponse, status: number): void {
  const body = sentence(status)
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}

/** The same as it goes over the wire, where there is no response to write it. */
function refusalText(status: number): string {
  const body = sentence(status)
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...fields,
    `Date: ${new Date().toUTCString()}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

function sentence(status: number): string {
  return `The request cannot be answered: ${STATUS_CODES[status]}.\n`
}

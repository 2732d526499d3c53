/* A server that one client alone cannot take from all others. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'

import { refuse } from './refusal.ts'
import { answerUnread } from './unread-requests.ts'

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
export function openServer(
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

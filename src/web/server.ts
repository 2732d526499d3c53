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
  { headMs = headMsMax, addressOf }: ServerOptions,
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
  const connections: Connections = new Map()
  const cutOff = addressOf ? limitAddresses(server, addressOf, connections) : closeIt
  server.on('request', (request, response) => {
    const connection = connectionOf(connections, request.socket)
    if (!connection) return
    leaveHalfOpen(connection, request)
    if (!begins(connection, response, cutOff)) return
    if (isMisaddressed(request)) refuse(response, 400)
    else app(request, response)
  })
  // Expectations that nobody fulfils (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    const connection = connectionOf(connections, request.socket)
    if (connection && begins(connection, response, cutOff)) refuse(response, 417)
  })
  answerUnread(server, (socket) => connections.get(socket)?.answers ?? [])
  server.maxConnections = connectionsMax
  server.timeout = silentMsMax
  const answerBy = (next: RequestListener): void => {
    app = next
  }
  const answers = (): readonly ServerResponse[] =>
    [...connections.values()].flatMap((it) => it.answers)
  return { server, answers, answerBy }
}

/** Whether it lacks the `Host` that it has to have (RFC 9112 section 3.2), or asks for an address in full that is none. */
function isMisaddressed({ headers, httpVersion, url = '' }: IncomingMessage): boolean {
  if (headers.host === undefined && httpVersion === '1.1') return true
  return !url.startsWith('/') && url !== '*' && !URL.canParse(url)
}

/** What becomes of a connection that asks for too much. */
type CutOff = (connection: Connection) => void

const closeIt: CutOff = ({ socket }) => void socket.destroy()

/** What is known of a connection. */
interface Connection {
  readonly socket: Socket
  /** Whose it is, where that counts. */
  readonly client?: Client
  /** Those under way. No set: of one that changes with each request V8 keeps for long what has been in it. */
  readonly answers: ServerResponse[]
}

type Connections = Map<object, Connection>

/** Undefined where it is closed. */
function connectionOf(connections: Connections, socket: Socket): Connection | undefined {
  if (socket.destroyed) return undefined
  return connections.get(socket) ?? addConnection(connections, { socket, answers: [] })
}

function addConnection(connections: Connections, connection: Connection): Connection {
  connections.set(connection.socket, connection)
  connection.socket.once('close', () => connections.delete(connection.socket))
  return connection
}

/**
 * Whether another answer of it begins; a connection that asks further without reading is cut off, since every answer would
 * wait for it in memory.
 */
function begins(connection: Connection, response: ServerResponse, cutOff: CutOff): boolean {
  const { answers } = connection
  if (answers.length === pipelinedMax) {
    cutOff(connection)
    return false
  }
  answers.push(response)
  response.on('close', () => answers.splice(answers.indexOf(response), 1))
  return true
}

/** The connections of one address. */
class Client {
  readonly open = new Set<Socket>()
  /** Those that have sent no whole request yet. */
  readonly halfOpen = new Set<Socket>()
  isCutOff = false
}

/**
 * Closes what comes from an address with too many connections, or with too many that have sent no whole request yet: one
 * address must not take the place of all others. Cutting a connection off closes all of its address, now and for a minute:
 * what has been read of each is gone through to its end, and others wait for that.
 */
function limitAddresses(server: Server, addressOf: AddressOf, connections: Connections): CutOff {
  const clients = new Map<string, Client>()
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress })
    const client = clients.get(address) ?? new Client()
    const { open, halfOpen } = client
    if (client.isCutOff || open.size === openMax || halfOpen.size === halfOpenMax) {
      socket.destroy()
      return
    }
    clients.set(address, client)
    addConnection(connections, { socket, client, answers: [] })
    open.add(socket)
    halfOpen.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      halfOpen.delete(socket)
      if (open.size === 0 && !client.isCutOff) clients.delete(address)
    })
  })
  return ({ client, socket }) => {
    if (!client || client.isCutOff) return
    const address = addressOf({ ip: socket.remoteAddress })
    client.isCutOff = true
    for (const one of client.open) one.destroy()
    setTimeout(() => {
      client.isCutOff = false
      if (client.open.size === 0) clients.delete(address)
    }, cutOffMs).unref()
  }
}

function leaveHalfOpen({ client, socket }: Connection, request: IncomingMessage): void {
  if (!client?.halfOpen.has(socket)) return
  const leave = (): unknown => client.halfOpen.delete(socket)
  if (hasBody(request)) request.once('end', leave)
  else leave()
}

/** RFC 9112 section 6. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

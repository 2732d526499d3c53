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
  /** Those under way. */
  readonly answers: ReadonlySet<ServerResponse>
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
  const cutOff = addressOf ? limitAddresses(server, addressOf) : destroy
  const isWelcome = limitPipelines(cutOff)
  const answers = new Set<ServerResponse>()
  server.on('request', (request, response) => {
    if (!isWelcome(request, response)) return
    answers.add(response)
    response.on('close', () => answers.delete(response))
    if (isHostless(request)) refuse(response, 400)
    else app(request, response)
  })
  // Expectations that nobody fulfils (RFC 9110 section 10.1.1).
  server.on('checkExpectation', (request, response) => {
    if (isWelcome(request, response)) refuse(response, 417)
  })
  answerUnread(server, answers)
  server.maxConnections = connectionsMax
  server.timeout = silentMsMax
  const answerBy = (next: RequestListener): void => {
    app = next
  }
  return { server, answers, answerBy }
}

/** Whether it lacks the `Host` that it has to have (RFC 9112 section 3.2). */
function isHostless({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

/** What becomes of a connection that asks for too much. */
type CutOff = (socket: Socket) => void

function destroy(socket: Socket): void {
  socket.destroy()
}

/**
 * Tells of each request whether it is to be answered; a connection that asks further without reading is cut off, since
 * every answer would wait for it in memory.
 */
function limitPipelines(
  cutOff: CutOff,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const underWay = new WeakMap<object, number>()
  return ({ socket }, response) => {
    if (socket.destroyed) return false
    const count = (underWay.get(socket) ?? 0) + 1
    if (count > pipelinedMax) {
      cutOff(socket)
      return false
    }
    underWay.set(socket, count)
    response.on('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    return true
  }
}

/** The connections of one address. */
interface Client {
  readonly address: string
  readonly open: Set<Socket>
  /** Those that have sent no whole request yet. */
  readonly halfOpen: Set<Socket>
  isCutOff: boolean
}

/**
 * Closes what comes from an address with too many connections, or with too many that have sent no whole request yet: one
 * address must not take the place of all others. Cutting a connection off closes all of its address, now and for a minute:
 * what has been read of each is gone through to its end, and others wait for that.
 */
function limitAddresses(server: Server, addressOf: AddressOf): CutOff {
  const clients = new Map<string, Client>()
  const clientOf = new WeakMap<Socket, Client>()
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress })
    const client = clients.get(address) ?? newClient(address)
    const { open, halfOpen } = client
    if (client.isCutOff || open.size === openMax || halfOpen.size === halfOpenMax) {
      socket.destroy()
      return
    }
    clients.set(address, client)
    clientOf.set(socket, client)
    open.add(socket)
    halfOpen.add(socket)
    socket.once('close', () => {
      open.delete(socket)
      halfOpen.delete(socket)
      if (open.size === 0 && !client.isCutOff) clients.delete(address)
    })
  })
  server.on('request', (request) => {
    const leave = (): unknown => clientOf.get(request.socket)?.halfOpen.delete(request.socket)
    if (hasBody(request)) request.once('end', leave)
    else leave()
  })
  return (socket) => {
    const client = clientOf.get(socket)
    if (!client || client.isCutOff) return
    client.isCutOff = true
    for (const one of client.open) one.destroy()
    setTimeout(() => {
      client.isCutOff = false
      if (client.open.size === 0) clients.delete(client.address)
    }, cutOffMs).unref()
  }
}

function newClient(address: string): Client {
  return { address, open: new Set(), halfOpen: new Set(), isCutOff: false }
}

/** RFC 9112 section 6. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/* How much of a server one client may take. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

type Socket = IncomingMessage['socket']

/** Of a connection's peer, what counts as one client. */
export type AddressOf = (peer: { readonly ip: string | undefined }) => string

/** Far more than people behind one address, and the clients of one calendar service, open at once. */
const openMax = 512
/** Far more of them than are without a whole request at any time. */
const halfOpenMax = 128
/** Requests sent before the answers to those before them were read (RFC 9112 section 9.3.2): no calendar client does that. */
const pipelinedMax = 8
/** An address that sends more of them is not let in for so long. */
const cutOffMs = 60_000

/** What becomes of a connection that asks for too much. */
export type CutOff = (socket: Socket) => void

/** Closes that connection alone. */
export function destroy(socket: Socket): void {
  socket.destroy()
}

/**
 * Tells of each request whether it is to be answered; a connection that asks further without reading is cut off, since
 * every answer would wait for it in memory.
 */
export function limitPipelines(
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
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1))
    return true
  }
}

/**
 * Closes what comes from an address with too many connections, or with too many that have sent no whole request yet: one
 * address must not take the place of all others. Cutting a connection off closes all of its address, now and for a minute:
 * what has been read of each is gone through to its end, and others wait for that.
 */
export function limitAddresses(server: Server, addressOf: AddressOf): CutOff {
  limitHalfOpen(server, addressOf)
  return limitOpen(server, addressOf)
}

function limitOpen(server: Server, addressOf: AddressOf): CutOff {
  const open = new Map<string, Set<Socket>>()
  const addresses = new WeakMap<Socket, string>()
  const greedy = new Set<string>()
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress })
    addresses.set(socket, address)
    const sockets = open.get(address) ?? new Set()
    open.set(address, sockets.add(socket))
    socket.once('close', () => {
      sockets.delete(socket)
      if (sockets.size === 0) open.delete(address)
    })
    if (sockets.size > openMax || greedy.has(address)) socket.destroy()
  })
  return (asking) => {
    const address = addresses.get(asking) ?? ''
    greedy.add(address)
    setTimeout(() => greedy.delete(address), cutOffMs).unref()
    for (const socket of open.get(address) ?? []) socket.destroy()
  }
}

function limitHalfOpen(server: Server, addressOf: AddressOf): void {
  const counts = new Map<string, number>()
  const halfOpen = new WeakMap<object, () => void>()
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress })
    const count = counts.get(address) ?? 0
    if (count >= halfOpenMax) {
      socket.destroy()
      return
    }
    counts.set(address, count + 1)
    const leave = (): void => {
      if (!halfOpen.delete(socket)) return
      const left = (counts.get(address) ?? 1) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    }
    halfOpen.set(socket, leave)
    socket.once('close', leave)
  })
  server.on('request', (request) => {
    const leave = halfOpen.get(request.socket)
    if (leave && hasBody(request)) request.once('end', leave)
    else leave?.()
  })
}

/** RFC 9112 section 6. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

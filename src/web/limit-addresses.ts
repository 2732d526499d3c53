import type { IncomingMessage, Server } from 'node:http'

/** Of a connection's peer, what counts as one client. */
export type AddressOf = (peer: { readonly ip: string | undefined }) => string

/** Far more than people behind one address, and the clients of one calendar service, open at once. */
const openMax = 512
/** Far more of them than are without a whole request at any time. */
const halfOpenMax = 128

/**
 * Closes what comes from an address with too many connections, or with too many that have sent no whole request yet:
 * one address must not take the place of all others.
 */
export function limitAddresses(server: Server, addressOf: AddressOf): void {
  limitOpen(server, addressOf)
  limitHalfOpen(server, addressOf)
}

function limitOpen(server: Server, addressOf: AddressOf): void {
  const counts = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = addressOf({ ip: socket.remoteAddress })
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1
      if (left > 0) counts.set(address, left)
      else counts.delete(address)
    })
    if (count > openMax) socket.destroy()
  })
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

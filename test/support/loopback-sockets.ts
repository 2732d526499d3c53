import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** Whatever listens on a port of loopback. */
export interface LoopbackSockets {
  readonly port: number
  /** How many have come so far. */
  readonly sockets: () => number
  close(): Promise<void>
}

/** Listens on a free port; what is said there is up to `serve`. */
export async function listen(serve: (socket: Socket) => void): Promise<LoopbackSockets> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    sockets: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

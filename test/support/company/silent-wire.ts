/* The way to a server on which everything can stand still: what hangs, and is not refused. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentWire {
  /** The same address, by way of this. */
  readonly url: string
  /** From now on nothing comes through; gives a promise of the first bytes that do not. */
  stall(): Promise<void>
  /** What was held back comes through. */
  resume(): void
  close(): void
}

export async function startSilentWire(behind: string): Promise<SilentWire> {
  const { hostname, port } = new URL(behind)
  const sockets = new Set<Socket>()
  let stalled: PromiseWithResolvers<void> | undefined
  const pass = (from: Socket, to: Socket): void => {
    sockets.add(from)
    from.on('data', (bytes) => {
      to.write(bytes)
      stalled?.resolve()
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    if (stalled) {
      client.cork()
      upstream.cork()
    }
    pass(client, upstream)
    pass(upstream, client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(behind)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    stall: () => {
      stalled = Promise.withResolvers()
      for (const socket of sockets) socket.cork()
      return stalled.promise
    },
    resume: () => {
      stalled = undefined
      for (const socket of sockets) socket.uncork()
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

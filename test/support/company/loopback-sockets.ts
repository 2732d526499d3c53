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

/** Takes a mail up to its last byte, and ends the connection without a word. */
export function cutAfterData(socket: Socket, onMail: (raw: string) => void): void {
  let isData = false
  let text = ''
  socket.write('220 here\r\n')
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
    if (isData && text.endsWith('\r\n.\r\n')) {
      onMail(text)
      socket.destroy()
    }
    if (isData) return
    for (const line of text.split('\r\n').slice(0, -1)) {
      isData = line === 'DATA'
      socket.write(isData ? '354 go on\r\n' : '250 ok\r\n')
    }
    text = ''
  })
}

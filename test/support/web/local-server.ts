import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Listens on this machine, on a free port where none is given; gives the address. */
export async function listenHere(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Ends what is under way, too. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

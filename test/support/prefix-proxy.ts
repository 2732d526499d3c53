/* A proxy that serves a program under a path of its own and strips that path, as one in front of the bridge would. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface PrefixProxy {
  /** The public address, prefix included. */
  readonly url: string
  /** Where the program behind it must listen. */
  readonly portBehind: number
  close(): void
}

export async function startPrefixProxy(prefix: string): Promise<PrefixProxy> {
  const portBehind = await freePort()
  const server = createServer((incoming, outgoing) => {
    const address = incoming.url ?? ''
    if (!address.startsWith(`${prefix}/`)) return outgoing.writeHead(404).end()
    const { method, headers } = incoming
    const options = { port: portBehind, path: address.slice(prefix.length), method, headers }
    const forwarded = request({ host: '127.0.0.1', ...options }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    return incoming.pipe(forwarded)
  })
  const port = await listenAnywhere(server)
  const url = `http://127.0.0.1:${port}${prefix}`
  return { url, portBehind, close: () => closeNow(server) }
}

/** The port that the server was given, on every loopback address. */
export function listenAnywhere(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, () => resolve((server.address() as AddressInfo).port))
  })
}

export function closeNow(server: Server): void {
  server.close()
  server.closeAllConnections()
}

/** A port that nobody has, for a while. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenAnywhere(server)
  await new Promise((resolve) => {
    server.close(resolve)
  })
  return port
}

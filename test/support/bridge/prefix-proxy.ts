/* A proxy that serves a program under a path of its own and strips that path, as one in front of the bridge would. */
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

import { freePort } from '../web/free-port.ts'

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
    return forward(incoming, outgoing, { port: portBehind, path: address.slice(prefix.length) })
  })
  const port = await listenAnywhere(server)
  const url = `http://127.0.0.1:${port}${prefix}`
  return { url, portBehind, close: () => closeNow(server) }
}

/** Hands the request on and its answer back; 502 where nobody answers. */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { port, path }: { readonly port: number | undefined; readonly path: string | undefined },
): void {
  const { method, headers } = incoming
  const forwarded = request({ host: '127.0.0.1', port, path, method, headers })
  forwarded.on('response', (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.on('error', () => outgoing.destroy())
    answer.pipe(outgoing)
  })
  forwarded.on('error', () => {
    if (outgoing.headersSent) outgoing.destroy()
    else outgoing.writeHead(502).end()
  })
  incoming.pipe(forwarded)
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

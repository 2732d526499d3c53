import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'

import type { Certificate } from '../web/certificate.ts'

export interface SeenRequest {
  /** With the query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What the server does with a connection on which a request has come. */
export type Behaviour = (socket: Socket, request: SeenRequest) => void

export interface MisbehavingServer {
  readonly url: string
  readonly requests: readonly SeenRequest[]
  close(): Promise<void>
}

/** A server on a free loopback port that speaks no HTTP of its own: each request is left to `behave`. */
export async function startMisbehavingServer(
  behave: Behaviour,
  certificate?: Certificate,
): Promise<MisbehavingServer> {
  const requests: SeenRequest[] = []
  const sockets = new Set<Socket>()

  function serve(socket: Socket): void {
    let head = ''
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1')
      if (!head.endsWith('\r\n\r\n')) return
      const request = parseHead(head)
      head = ''
      requests.push(request)
      behave(socket, request)
    })
  }

  async function close(): Promise<void> {
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
  }

  const server = certificate ? tls.createServer({ ...certificate }, serve) : net.createServer(serve)
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `${certificate ? 'https' : 'http'}://127.0.0.1:${portOf(server)}`, requests, close }
}

function portOf(server: net.Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return address.port
}

function parseHead(head: string): SeenRequest {
  const [requestLine = '', ...lines] = head.trimEnd().split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { path: requestLine.split(' ')[1] ?? '', headers: Object.fromEntries(headers) }
}

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A whole answer; the connection stays open. */
export function answer({ status = 200, headers = {}, body = '' }: Answer): Behaviour {
  return (socket) => {
    const bytes = Buffer.from(body)
    const head = headOf(status, { 'content-length': String(bytes.length), ...headers })
    // In one piece: two would wait for each other (RFC 896).
    socket.write(Buffer.concat([Buffer.from(head), bytes]))
  }
}

/** JSON with status 200. */
export function answerJson(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Behaviour {
  return answer({ headers, body: JSON.stringify(value) })
}

/** The behaviours one after the other, the last one for ever. */
export function inTurn(...behaviours: readonly Behaviour[]): Behaviour {
  let turn = 0
  return (socket, request) => {
    behaviours[Math.min(turn, behaviours.length - 1)]?.(socket, request)
    turn += 1
  }
}

export const resetBeforeHeaders: Behaviour = (socket) => socket.resetAndDestroy()

export const closeBeforeHeaders: Behaviour = (socket) => socket.end()

export const resetInHeaders: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: app', () => socket.resetAndDestroy())
}

export const resetInBody: Behaviour = (socket) => {
  socket.write(`${headOf(200, { 'content-length': '1000' })}{"data":[`, () =>
    socket.resetAndDestroy(),
  )
}

export const closeInBody: Behaviour = (socket) => {
  socket.end(`${headOf(200, { 'content-length': '1000' })}{"data":[`)
}

export const closeInChunk: Behaviour = (socket) => {
  socket.end(`${headOf(200, { 'transfer-encoding': 'chunked' })}1000\r\n{"data":[`)
}

/** Takes the request and never answers. */
export const stall: Behaviour = () => {}

/** A body of which a byte comes each second. */
export const drip: Behaviour = (socket) => {
  socket.write(`${headOf(200, { 'content-length': '1000000' })}{`)
  const timer = setInterval(() => socket.write(' '), 1000)
  socket.on('close', () => clearInterval(timer))
}

/** A body without an end, as fast as it is read. */
export const flood: Behaviour = (socket) => {
  const chunk = Buffer.alloc(65_536, ' ')
  function pour(): void {
    while (socket.writable && socket.write(chunk));
  }
  socket.on('drain', pour)
  socket.write(headOf(200, { connection: 'close' }))
  pour()
}

/** `bytes` of spaces, compressed to next to nothing. */
export function answerBomb(bytes: number): Behaviour {
  const body = gzipSync(Buffer.alloc(bytes, ' '))
  return answer({ headers: { 'content-encoding': 'gzip' }, body })
}

export const speakSmtp: Behaviour = (socket) => {
  socket.end('220 mail.example ESMTP ready\r\n')
}

function headOf(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n`
}

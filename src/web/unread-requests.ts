/* Answers to what never becomes a request of the app: Node refuses it while it reads the head, and by itself with a bare status. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'

import { refuse, refusalText } from './refusal.ts'

/** What Node's parser finds wrong, by its code; anything else is 400. */
const statuses: ReadonlyMap<unknown, number> = new Map([
  ['HPE_HEADER_OVERFLOW', 431],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413],
  ['ERR_HTTP_REQUEST_TIMEOUT', 408],
])

/**
 * Answers what Node cannot read (400), and whose head is too large (431) or too slow (408), each with a sentence, and ends
 * the connection: where the next request begins is not known.
 */
export function answerUnread(server: Server): void {
  const answers = trackBySocket(server)
  server.on('clientError', (error: Error & { readonly code?: unknown }, socket) => {
    const isBegun = [...(answers.get(socket) ?? [])].some(({ headersSent }) => headersSent)
    // In the middle of an answer nothing else can be said; who is gone hears nothing.
    if (isBegun || !socket.writable) socket.destroy()
    else socket.end(refusalText(statuses.get(error.code) ?? 400), () => socket.destroy())
  })
}

/** Refuses a request without `Host` (RFC 9112 section 3.2); true where that is done. */
export function refuseHostless(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false
  refuse(response, 400)
  return true
}

/** By connection, what is being answered on it. */
function trackBySocket(server: Server): WeakMap<object, Set<ServerResponse>> {
  const answers = new WeakMap<object, Set<ServerResponse>>()
  server.on('request', ({ socket }, response) => {
    const ofSocket = answers.get(socket) ?? new Set()
    answers.set(socket, ofSocket.add(response))
    response.once('close', () => ofSocket.delete(response))
  })
  return answers
}

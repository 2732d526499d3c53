/* Answers to what never becomes a request of the app: Node refuses it while it reads the head, and by itself with a bare status. */
import type { Server, ServerResponse } from 'node:http'

import { refusalText } from './refusal.ts'

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
export function answerUnread(
  server: Server,
  answersOn: (socket: object) => readonly ServerResponse[],
): void {
  server.on('clientError', (error: Error & { readonly code?: unknown }, socket) => {
    const isBegun = answersOn(socket).some((it) => it.socket === socket && it.headersSent)
    // In the middle of an answer nothing else can be said; who is gone hears nothing.
    if (isBegun || !socket.writable) socket.destroy()
    else socket.end(refusalText(statuses.get(error.code) ?? 400), () => socket.destroy())
  })
}

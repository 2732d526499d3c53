/* How a reply becomes bytes on a connection, or does not. */
import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Reply } from './lie.ts'

/** What there is not. */
export const missing: Reply = { status: 404, headers: {}, body: '{"error":{}}', ends: 'whole' }

/** Whether it is the JSON of a list. */
export function isEnvelope(body: string): boolean {
  try {
    return Array.isArray((JSON.parse(body) as { data?: unknown } | null)?.data)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** 304 where the asker names the true entity tag. */
export function revalidated(reply: Reply, { headers }: IncomingMessage): Reply {
  const isKnown = reply.status === 200 && headers['if-none-match'] === reply.headers['etag']
  return isKnown && headers['if-none-match'] !== undefined
    ? { ...reply, status: 304, body: '' }
    : reply
}

/** Sends it as far as it goes. */
export function send(response: ServerResponse, { status, headers, body, ends }: Reply): void {
  if (ends === 'never') return
  if (ends === 'reset') return void response.socket?.destroy()
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  if (ends === 'whole') return void response.end(status === 304 ? undefined : body)
  response.write(body.slice(0, body.length / 2), () => response.socket?.destroy())
}

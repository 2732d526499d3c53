import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'

import type { MangledRequest } from './mangled-requests.ts'

export interface Answer {
  /** Undefined if nothing came back. */
  readonly status: number | undefined
  readonly head: string
  readonly body: string
}

/** How long the server may wait for the rest of a request. */
const silentMs = 2000

/** Sends the request and reads until the connection ends. Ends its own side only for a short one: Node then sends no answer. */
export async function exchange(
  socket: Socket,
  { bytes, isShort }: MangledRequest,
): Promise<Answer> {
  if (isShort) socket.end(bytes)
  else socket.write(bytes)
  socket.setTimeout(silentMs, () => socket.end())
  const answer = await text(socket).catch(() => '')
  const final = answer.replace(/^HTTP\/1\.1 100 .*\r\n\r\n/, '')
  const [head = '', body = ''] = final.split(/\r\n\r\n([^]*)/)
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? []
  return { status: status === undefined ? undefined : Number(status), head, body }
}

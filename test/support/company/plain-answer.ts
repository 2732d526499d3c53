/* One answer of a server as it came, to be looked at or sent again. */
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

import type { BareAnswer } from '../bridge/bare-process.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: 1000 })

interface Sent {
  readonly method?: string
  readonly body?: string
}

/** What is answered to that path, in the coding that calendar clients take. */
export async function answerOf(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = 'GET', body: sentBody = '' }: Sent = {},
): Promise<BareAnswer & { readonly etag: string }> {
  const sent = { 'Accept-Encoding': 'gzip', ...headers }
  const [answer] = (await once(
    request({ port, path, method, headers: sent, agent }).end(sentBody),
    'response',
  )) as [IncomingMessage]
  const body = await buffer(answer)
  return {
    status: answer.statusCode ?? 0,
    headers: ownHeaders(answer.rawHeaders),
    body: body.toString('base64'),
    etag: answer.headers.etag ?? '',
  }
}

/** Without those that `node:http` sets by itself. */
function ownHeaders(raw: readonly string[]): readonly string[] {
  const isOwn = (name: string): boolean => !/^(date|connection|keep-alive)$/i.test(name)
  return raw.filter((_, index) => isOwn(raw[index - (index % 2)] ?? ''))
}

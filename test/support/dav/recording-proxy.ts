/* A proxy between a CalDAV client and the bridge that records their requests and answers. */
import { createServer, request as send } from 'node:http'
import { buffer } from 'node:stream/consumers'

import { closeNow, listenAnywhere } from '../bridge/prefix-proxy.ts'

export interface Exchange {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly question: string
  readonly answer: string
}

export interface RecordingProxy {
  readonly url: string
  /** Since the start, in the order of their answers. */
  readonly exchanges: readonly Exchange[]
  close(): void
}

/** `portBehind` is the bridge's port; the bridge may start later, since it needs the proxy's address. */
export async function startRecordingProxy(portBehind: number): Promise<RecordingProxy> {
  const exchanges: Exchange[] = []
  const server = createServer((incoming, outgoing) => {
    void buffer(incoming).then((question) => {
      const { method = '', url: path = '' } = incoming
      // Recorded answers must be readable.
      const headers = { ...incoming.headers, 'accept-encoding': 'identity' }
      const forwarded = send({ host: '127.0.0.1', port: portBehind, path, method, headers })
      forwarded.on('response', (response) => {
        void buffer(response).then((answer) => {
          const status = response.statusCode ?? 502
          const texts = { question: question.toString(), answer: answer.toString() }
          exchanges.push({ method, path, status, ...texts })
          outgoing.writeHead(status, response.headers).end(answer)
        })
      })
      forwarded.on('error', () => outgoing.writeHead(502).end())
      forwarded.end(question)
    })
  })
  const port = await listenAnywhere(server)
  return { url: `http://127.0.0.1:${port}`, exchanges, close: () => closeNow(server) }
}

/** How many different events were sent in these exchanges; tsdav asks for the same one twice. */
export function eventsFetched(exchanges: readonly Exchange[]): number {
  const uids = exchanges.flatMap(({ answer }) => answer.match(/^UID:.*$/gm) ?? [])
  return new Set(uids).size
}

/* A load balancer: hands each request to the next node, and answers 502 for one that dies. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RoundRobin {
  readonly url: string
  /** Where the nodes listen; changes hold at once. */
  ports: readonly number[]
  close(): void
}

export async function startRoundRobin(): Promise<RoundRobin> {
  let turn = 0
  const server = createServer((incoming, outgoing) => {
    turn += 1
    const port = balancer.ports[turn % balancer.ports.length]
    const { method, url: address, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, path: address, method, headers })
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
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const balancer: RoundRobin = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ports: [],
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return balancer
}

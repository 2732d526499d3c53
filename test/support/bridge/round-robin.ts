/* A load balancer: hands each request to the next node, and answers 502 for one that dies. */
import { createServer } from 'node:http'

import { closeNow, forward, listenAnywhere } from './prefix-proxy.ts'

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
    forward(incoming, outgoing, { port, path: incoming.url })
  })
  const url = `http://127.0.0.1:${await listenAnywhere(server)}`
  const balancer: RoundRobin = { url, ports: [], close: () => closeNow(server) }
  return balancer
}

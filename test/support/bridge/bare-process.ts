/*
 * What the bridge is measured against: a server of `node:http` alone that sends to everybody what it has last been told to
 * send. Its first message is its port; each that it is told is answered by the processor's time that it has used.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer as it goes out; the body in base64. */
export interface BareAnswer {
  readonly status: number
  /** Names and values in turn; without those that `node:http` sets itself. */
  readonly headers: readonly string[]
  readonly body: string
}

let status = 404
let headers: string[] = []
let body = Buffer.alloc(0)

const server = createServer((_, response) => {
  response.writeHead(status, headers).end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))

process.on('message', (told: BareAnswer | 'processor') => {
  if (told !== 'processor') {
    status = told.status
    headers = [...told.headers]
    body = Buffer.from(told.body, 'base64')
  }
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

import express from 'express'
import { expect, it } from 'vitest'

import { listen } from '../../src/web/listen.ts'
import { readBody } from '../../src/web/request-body.ts'

it('bodies that are complete at once are passed on each in its own turn', async () => {
  const [count, bytes] = [8, 100_000]
  const arriving: Socket[] = []
  const turns: number[] = []
  let turn = 0
  const app = express()
    .use(({ socket }, _response, next) => {
      arriving.push(socket)
      next()
    })
    .use(readBody, (_, response) => {
      turns.push(turn)
      response.send('read')
    })
  const server = await listen(app, { host: '127.0.0.1', port: 0, what: 'The test' })
  const port = Number(new URL(server.url).port)
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  for (const socket of sockets) {
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes + 1}\r\n\r\n`)
    socket.write('x'.repeat(bytes))
  }
  const hasAllButEnds = (): boolean =>
    arriving.length === count && arriving.every(({ bytesRead }) => bytesRead > bytes)
  while (!hasAllButEnds()) await nextTurn()
  const answered = Promise.all(sockets.map((socket) => once(socket, 'data')))
  for (const socket of sockets) socket.write('x')
  for (; turns.length < count; turn += 1) await nextTurn()
  await answered
  expect(new Set(turns).size).toBe(count)
  for (const socket of sockets) socket.destroy()
  await server.close()
})

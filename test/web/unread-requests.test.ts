/* What never becomes a request is refused like any other: with a sentence, the headers of a page, and an end of the connection. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import express from 'express'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { type HttpServer, listen } from '../../src/web/listen.ts'
import { setPageHeaders } from '../../src/web/pages/templates.ts'

const place = { host: '127.0.0.1', port: 0, what: 'The test' }

let server: HttpServer
beforeAll(async () => {
  const app = express()
    .disable('x-powered-by')
    .use(setPageHeaders)
    .post('/begun', (request, response) => {
      response.write('begun')
      request.resume()
    })
    .use((_, response) => void response.send('answered'))
  server = await listen(app, place)
})
afterAll(() => server.close())

/** All that comes until the connection ends. */
async function reply(request: string): Promise<string> {
  const socket = connect(Number(new URL(server.url).port), place.host)
  await once(socket, 'connect')
  socket.write(request)
  return text(socket)
}

it.each([
  ['400 Bad Request', 'NONSENSE\r\n\r\n'],
  ['400 Bad Request', 'GET / HTTP/1.1\r\n\r\n'],
  ['400 Bad Request', 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\nhOST: y\r\n\r\n'],
  ['400 Bad Request', 'GET / HTTP/1.0\r\nHost: x\r\nHost: x\r\n\r\n'],
  ['400 Bad Request', 'GET http://[/ HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['400 Bad Request', 'GET / HTTP/1.1\r\nHost: x\r\nA b: c\r\n\r\n'],
  [
    '400 Bad Request',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ],
  ['417 Expectation Failed', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: coffee\r\n\r\n'],
  [
    '431 Request Header Fields Too Large',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
  ],
])('%s has the headers of a page and closes the connection: %.60j', async (status, request) => {
  const page = await fetch(server.url)
  const [head = '', body] = (await reply(request)).split('\r\n\r\n')
  const [first, ...lines] = head.split('\r\n')
  expect(first).toBe(`HTTP/1.1 ${status}`)
  const fields = new Headers(
    lines.map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]),
  )
  const own = new Set(['etag', 'keep-alive'])
  const missing = [...page.headers.keys()].filter((name) => !fields.has(name) && !own.has(name))
  expect(missing).toEqual([])
  expect(fields.get('connection')).toBe('close')
  expect(fields.get('cache-control')).toBe('no-store')
  expect(fields.get('content-security-policy')).toContain("default-src 'none'")
  expect(body).toBe(`Cannot answer this request: ${status.slice(4)}.\n`)
})

it('nothing else is sent in the middle of an answer', async () => {
  const begun =
    'POST /begun HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\nnonsense\r\n'
  expect((await reply(begun)).match(/HTTP\/1\.1/g)).toHaveLength(1)
})

it('an HTTP/1.0 request needs no Host, and Expect: 100-continue is answered', async () => {
  expect(await reply('GET / HTTP/1.0\r\n\r\n')).toContain('answered')
  const activeLinks =
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n'
  expect(await reply(activeLinks)).toContain('answered')
})

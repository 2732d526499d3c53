import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

import express, { type Express } from 'express'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'

import { type HttpServer, listen } from '../../src/web/listen.ts'

const place = { host: '127.0.0.1', port: 0, what: 'The test' }

let server: HttpServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

it('another app takes over with the next request', async () => {
  server = await listen(answering('one'), place)
  await expect(textOf(server)).resolves.toBe('one')
  server.serve(answering('two'))
  await expect(textOf(server)).resolves.toBe('two')
  server.serve(answering('three'))
  await expect(textOf(server)).resolves.toBe('three')
})

it('an address in use is reported as unavailable, naming the part that needs it', async () => {
  server = await listen(answering('one'), place)
  const port = Number(new URL(server.url).port)
  await expect(listen(answering('two'), { ...place, port })).rejects.toMatchObject({
    code: 'unavailable',
    message: `The test cannot listen on 127.0.0.1, port ${port}: is it in use?`,
  })
})

it('an address that the machine lacks is not reported as in use', async () => {
  await expect(listen(answering('one'), { ...place, host: '192.0.2.1' })).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The test cannot listen on 192.0.2.1, port 0: this machine has no such address.',
  })
})

it('current answers are sent whole before the server ends, and no further ones', async () => {
  const long = 'x'.repeat(8_000_000)
  const ending = await listen(answering(long), place)
  const response = await fetch(ending.url)
  const closed = ending.close()
  await expect(response.text()).resolves.toHaveLength(long.length)
  await closed
  await expect(fetch(ending.url)).rejects.toThrow('fetch failed')
})

describe('a client that takes more than its share', () => {
  it('is cut off if it keeps sending requests before it has an answer', async () => {
    let asked = 0
    const app = express().use((_, response) => {
      asked += 1
      response.send('x'.repeat(200_000))
    })
    server = await listen(app, place)
    const [greedy] = await connections(server, 1)
    greedy!.resume().write(get.repeat(500))
    await once(greedy!, 'close')
    expect(asked).toBeLessThan(20)
    await expect(textOf(server)).resolves.toHaveLength(200_000)
  })

  it('has no requests created from data read beyond the limit', async () => {
    let made = 0
    const count = (): void => void (made += 1)
    subscribe('http.server.request.start', count)
    onTestFinished(() => void unsubscribe('http.server.request.start', count))
    server = await listen(answering('ok'), place)
    const [greedy] = await connections(server, 1)
    greedy!.resume().write(get.repeat(5000))
    // What it is still sending may be refused.
    await once(greedy!, 'close').catch(() => undefined)
    expect(made).toBeLessThan(20)
  })

  it.each(['', 'Expect: tea\r\n'])(
    'has its whole address cut off for a while, and no other address: %j',
    async (field) => {
      const addressOf = ({ ip = '' }): string => ip
      server = await listen(answering('x'.repeat(200_000)), { ...place, addressOf })
      const [patient, greedy] = await connections(server, 2, '127.0.0.5')
      const cut = Promise.all([once(patient!, 'close'), once(greedy!, 'close')])
      greedy!.resume().write(`GET / HTTP/1.1\r\nHost: x\r\n${field}\r\n`.repeat(500))
      await cut
      const [again] = await connections(server, 1, '127.0.0.5')
      await once(again!, 'close')
      await expect(textOf(server)).resolves.toHaveLength(200_000)
    },
  )

  it('has at most 512 connections from one address, whatever they request', async () => {
    server = await listen(answering('one'), { ...place, addressOf: () => 'one' })
    const asking: Socket[] = []
    for (let round = 0; round < 8; round += 1) {
      const some = await connections(server, 64)
      for (const socket of some) expect(await reply(socket, get)).toContain('200 OK')
      asking.push(...some)
    }
    const [tooMany] = await connections(server, 1)
    await once(tooMany!, 'close')
    close(asking)
  })
})

describe('connections without a complete request', () => {
  const oneAddress = { ...place, addressOf: (): string => 'one' }

  it('are limited to 128 per address: the next is closed until one of them sends a request', async () => {
    server = await listen(answering('one'), oneAddress)
    const waiting = await connections(server, 128)
    const [tooMany] = await connections(server, 1)
    await once(tooMany!, 'close')
    expect(await reply(waiting[127]!, get)).toContain('200 OK')
    const [next] = await connections(server, 1)
    expect(await reply(next!, get)).toContain('200 OK')
    expect(await reply(waiting[0]!, get)).toContain('200 OK')
    close(waiting)
  })

  it('count until the body is complete, and only while they are open', async () => {
    const app = express().use(express.text(), (_, response) => void response.send('read'))
    server = await listen(app, oneAddress)
    const head =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n'
    const [slow, ...others] = await connections(server, 128)
    slow!.write(`${head}a`)
    expect(await reply(others[0]!, `${head}ab`)).toContain('200 OK')
    const [taken, tooMany] = await connections(server, 2)
    await once(tooMany!, 'close')
    expect(await reply(slow!, 'b')).toContain('200 OK')
    const gone = once(taken!, 'close')
    taken!.destroy()
    await gone
    await expect(textOf(server)).resolves.toBe('read')
    close([slow!, ...others])
  })

  it('are not counted behind a proxy with one address for all clients', async () => {
    server = await listen(answering('one'), place)
    const waiting = await connections(server, 200)
    expect(await reply(waiting[199]!, get)).toContain('200 OK')
    close(waiting)
  })

  it.each(['', 'GET / HTTP/1.1\r\nHost: x\r\n'])(
    'have a time limit, and get an answer when it is over: %j',
    async (part) => {
      server = await listen(answering('one'), { ...oneAddress, headMs: 60 })
      const [slow] = await connections(server, 1)
      expect(await reply(slow!, part)).toContain('408 Request Timeout')
    },
  )
})

describe('a full server', () => {
  const addressOf = ({ ip = '' }): string => ip
  const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n'
  /** In turns from addresses of their own. */
  const halfSent = async (of: HttpServer, count: number): Promise<readonly Socket[]> => {
    const opened: Socket[] = []
    for (let index = 0; index < count; index += 1) {
      const [socket] = await connections(of, 1, `127.0.1.${index + 1}`)
      socket!.resume().write(['', 'GET / HTTP/1.1\r\nHo', `${head}a`][index % 3]!)
      opened.push(socket!)
    }
    return opened
  }

  it.each([
    ['of addresses', { addressOf }],
    ['behind a proxy', {}],
  ])(
    'still answers a calendar client and closes the oldest half-sent request: %s',
    async (_, options) => {
      const app = express().use(express.text(), (_request, response) => void response.send('read'))
      server = await listen(app, { ...place, ...options, connectionsMax: 12 })
      const [oldest, next, ...others] = await halfSent(server, 12)
      const gone = once(oldest!, 'close')
      await expect(textOf(server)).resolves.toBe('read')
      await gone
      expect([next, ...others].map((socket) => socket!.closed)).not.toContain(true)
      const nextGone = once(next!, 'close')
      const [newest] = await connections(server, 2, '127.0.0.9')
      expect(await reply(newest!, get)).toContain('200 OK')
      await nextGone
      close([newest!, ...others])
    },
  )

  it('never drops a client waiting for an answer, even for a thousand half-sent requests', async () => {
    const held = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const app = express().use(async (_, response) => {
      asked.resolve()
      await held.promise
      response.send('read')
    })
    server = await listen(app, { ...place, addressOf, connectionsMax: 4 })
    const answer = textOf(server)
    await asked.promise
    const opened: Socket[] = []
    for (let round = 0; round < 10; round += 1) opened.push(...(await halfSent(server, 100)))
    held.resolve()
    await expect(answer).resolves.toBe('read')
    close(opened)
  })

  it('drops the idle or half-open connection without a request for the longest time', async () => {
    server = await listen(answering('one'), { ...place, addressOf, connectionsMax: 3 })
    const [half, idle, again] = await connections(server, 3)
    for (const socket of [idle!, again!, idle!]) await reply(socket, get)
    const order: string[] = []
    const names = Object.entries({ half, idle, again })
    for (const [name, socket] of names) socket!.on('close', () => order.push(name))
    const closed = names.map(([, socket]) => once(socket!, 'close'))
    const newer: Socket[] = []
    for (const gone of [closed[0], closed[2], closed[1]]) {
      newer.push(...(await connections(server, 1)))
      await gone
    }
    expect(order).toEqual(['half', 'again', 'idle'])
    close(newer)
  })

  it('counts a request half sent after an answered one as half sent', async () => {
    const app = express().use(express.text(), (_, response) => void response.send('read'))
    server = await listen(app, { ...place, addressOf, connectionsMax: 1 })
    const [half] = await connections(server, 1)
    expect(await reply(half!, `${get}${head}a`)).toContain('200 OK')
    const gone = once(half!, 'close')
    await expect(textOf(server)).resolves.toBe('read')
    await gone
  })

  it('drops the client with the longest unread answer, whatever else it has begun to send', async () => {
    const held = Promise.withResolvers<void>()
    const large = 'x'.repeat(20_000_000)
    const app = express().use(async ({ path }, response) => {
      if (path === '/held') await held.promise
      response.send(path === '/large' ? large : 'read')
    })
    server = await listen(app, { ...place, addressOf, connectionsMax: 3 })
    const [patient, first, second] = await connections(server, 3)
    const answered = reply(patient!, 'GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
    for (const unread of [first!, second!]) {
      unread.write(`GET /large HTTP/1.1\r\nHost: x\r\n\r\n${head}a`)
      await once(unread, 'readable')
    }
    await expect(textOf(server)).resolves.toBe('read')
    held.resolve()
    expect(await answered).toContain('200 OK')
    const gone = once(first!, 'close')
    let length = 0
    first!.on('data', (part) => (length += part.length))
    await gone
    expect(length).toBeLessThan(large.length)
    close([patient!, second!])
  })

  it('closes the new connection if all other clients wait for an answer', async () => {
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const app = express().use(async (_, response) => {
      asked.resolve()
      await held.promise
      response.send('read')
    })
    server = await listen(app, { ...place, addressOf, connectionsMax: 1 })
    const answer = textOf(server)
    await asked.promise
    const [late] = await connections(server, 1)
    await once(late!, 'close')
    held.resolve()
    await expect(answer).resolves.toBe('read')
  })
})

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'

async function connections(
  { url }: HttpServer,
  count: number,
  localAddress = '127.0.0.1',
): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url)
  const opened: Socket[] = []
  for (let index = 0; index < count; index += 1) {
    const socket = connect({ port: Number(port), host: hostname, localAddress })
    // What the server cuts is no failure of the test's.
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    opened.push(socket)
  }
  return opened
}

async function reply(socket: Socket, text: string): Promise<string> {
  const answered = once(socket, 'data')
  if (text !== '') socket.write(text)
  return String((await answered)[0])
}

function close(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy()
}

function answering(text: string): Express {
  return express().use((_, response) => void response.type('text/plain').send(text))
}

async function textOf({ url }: HttpServer): Promise<string> {
  const response = await fetch(url)
  return response.text()
}

import express, { type Express } from 'express'
import { afterEach, expect, it } from 'vitest'

import { type HttpServer, listen } from '../../src/web/listen.ts'

const place = { host: '127.0.0.1', port: 0, what: 'The test' }

let server: HttpServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

it('another app answers from one request to the next', async () => {
  server = await listen(answering('one'), place)
  await expect(textOf(server)).resolves.toBe('one')
  server.serve(answering('two'))
  await expect(textOf(server)).resolves.toBe('two')
  server.serve(answering('three'))
  await expect(textOf(server)).resolves.toBe('three')
})

it('an address that is taken is unavailable, and the sentence names who wanted it', async () => {
  server = await listen(answering('one'), place)
  const port = Number(new URL(server.url).port)
  await expect(listen(answering('two'), { ...place, port })).rejects.toMatchObject({
    code: 'unavailable',
    message: `The test cannot listen on 127.0.0.1, port ${port}: is it in use?`,
  })
})

it('what is being answered is sent whole before it ends, and nothing is answered afterwards', async () => {
  const long = 'x'.repeat(8_000_000)
  const ending = await listen(answering(long), place)
  const response = await fetch(ending.url)
  const closed = ending.close()
  await expect(response.text()).resolves.toHaveLength(long.length)
  await closed
  await expect(fetch(ending.url)).rejects.toThrow('fetch failed')
})

function answering(text: string): Express {
  return express().use((_, response) => void response.type('text/plain').send(text))
}

async function textOf({ url }: HttpServer): Promise<string> {
  const response = await fetch(url)
  return response.text()
}

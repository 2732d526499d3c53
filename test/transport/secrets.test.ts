import { inspect } from 'node:util'

import { expect, test } from 'vitest'

import type { Authentication } from '../../src/domain/connection.ts'
import type { Log } from '../../src/domain/world.ts'
import { FAULTS } from '../read-api/faults.ts'
import { createTestClient, OPERATIONS } from '../read-api/operations.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'

const SECRET = 'S3cr-et&x'
const FORMS = [SECRET, encodeURIComponent(SECRET), Buffer.from(`ada:${SECRET}`).toString('base64')]

const AUTHENTICATIONS: readonly Authentication[] = [
  { scheme: 'bearer', token: SECRET },
  { scheme: 'basic', user: 'ada', password: SECRET },
  { scheme: 'header', name: 'x-api-key', value: SECRET },
  { scheme: 'query', name: 'key', value: SECRET },
]

/** A server that says back what it was told, wherever it can. */
const ECHOES: Readonly<Record<string, Behaviour>> = {
  body: answer({ body: FORMS.join(' ') }),
  data: answerJson({ data: SECRET }),
  record: answerJson({ data: { id: SECRET, email: 5, [SECRET]: SECRET } }),
  'broken HTTP': (socket) => socket.end(`HTTP/1.1 ${SECRET}\r\n\r\n`),
  header: answer({ status: 401, headers: { 'www-authenticate': SECRET, 'content-type': SECRET } }),
  coding: answer({ headers: { 'content-encoding': SECRET } }),
  'retry time': answer({ status: 429, headers: { 'retry-after': SECRET } }),
  'redirect within': answer({ status: 302, headers: { location: `/?${SECRET}` } }),
  'redirect elsewhere': answer({
    status: 302,
    headers: { location: `http://${SECRET.replace('&', '-and-')}.invalid/${SECRET}` },
  }),
  'next link': answerJson({ data: [] }, { link: `<http://other.invalid/${SECRET}>; rel=next` }),
}
const BEHAVIOURS = Object.entries({
  ...ECHOES,
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, { behave }]) => [name, behave])),
})

test.each(AUTHENTICATIONS)('no secret of $scheme in any error or log', async (authentication) => {
  const said = await Promise.all(
    BEHAVIOURS.map(([, behave]) => everythingSaid(behave, authentication)),
  )
  expect(said.join('\n')).toContain('AppError')
  for (const form of FORMS) expect(said.join('\n').toLowerCase()).not.toContain(form.toLowerCase())
})

test('a host name that echoes the credential is blotted out', async () => {
  const behave = answer({ status: 302, headers: { location: 'http://t0ken.invalid/' } })
  const said = await everythingSaid(behave, { scheme: 'bearer', token: 't0keN' })
  expect(said).toContain('to http://***.invalid')
  expect(said).not.toContain('t0ken')
})

async function everythingSaid(behave: Behaviour, authentication: Authentication): Promise<string> {
  const logged: unknown[] = []
  const note = (data: object, event: string): void => void logged.push([data, event])
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const server = await startMisbehavingServer(behave)
  const pagination = { style: 'link' } as const
  const client = createTestClient(server.url, { authentication, pagination }, { log })
  const errors = await Promise.allSettled(
    Object.values(OPERATIONS).map((operation) => operation(client)),
  )
  await client.close()
  await server.close()
  return inspect([logged, errors], { depth: Infinity, showHidden: true, maxStringLength: Infinity })
}

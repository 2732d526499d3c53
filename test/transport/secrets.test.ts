import { inspect } from 'node:util'

import { expect, it } from 'vitest'

import { type Authentication, everyList } from '../../src/domain/connection.ts'
import type { Log } from '../../src/domain/world.ts'
import { serverFaults } from '../read-api/faults.ts'
import { createTestClient, readOperations } from '../read-api/operations.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const secret = 'S3cr-et&x'
const forms = [secret, encodeURIComponent(secret), Buffer.from(`ada:${secret}`).toString('base64')]

const authentications: readonly Authentication[] = [
  { scheme: 'bearer', token: secret },
  { scheme: 'basic', user: 'ada', password: secret },
  { scheme: 'header', name: 'x-api-key', value: secret },
  { scheme: 'query', name: 'key', value: secret },
]

/** A server that says back what it was told, wherever it can. */
const echoes: Readonly<Record<string, Behaviour>> = {
  body: answer({ body: forms.join(' ') }),
  data: answerJson({ data: secret }),
  record: answerJson({ data: { id: secret, email: 5, [secret]: secret } }),
  'broken HTTP': (socket) => socket.end(`HTTP/1.1 ${secret}\r\n\r\n`),
  header: answer({ status: 401, headers: { 'www-authenticate': secret, 'content-type': secret } }),
  coding: answer({ headers: { 'content-encoding': secret } }),
  'retry time': answer({ status: 429, headers: { 'retry-after': secret } }),
  'redirect within': answer({ status: 302, headers: { location: `/?${secret}` } }),
  'redirect elsewhere': answer({
    status: 302,
    headers: { location: `http://${secret.replace('&', '-and-')}.invalid/${secret}` },
  }),
  'next link': answerJson({ data: [] }, { link: `<http://other.invalid/${secret}>; rel=next` }),
}
const behaviours = Object.entries({
  ...echoes,
  ...Object.fromEntries(Object.entries(serverFaults).map(([name, { behave }]) => [name, behave])),
})

it.each(authentications)(
  'no secret of $scheme appears in any error or log',
  async (authentication) => {
    const said = await Promise.all(
      behaviours.map(([, behave]) => everythingSaid(behave, authentication)),
    )
    expect(said.join('\n')).toContain('AppError')
    for (const form of forms)
      expect(said.join('\n').toLowerCase()).not.toContain(form.toLowerCase())
  },
)

it('a host name that repeats the credential is masked', async () => {
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
  const pagination = everyList({ style: 'link' })
  const client = createTestClient(server.url, { authentication, pagination }, { log })
  const errors = await Promise.allSettled(
    Object.values(readOperations).map((operation) => operation(client)),
  )
  await client.close()
  await server.close()
  return inspect([logged, errors], { depth: Infinity, showHidden: true, maxStringLength: Infinity })
}

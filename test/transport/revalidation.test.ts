import { afterEach, expect, test } from 'vitest'

import { createRevalidation } from '../../src/transport/revalidation.ts'
import { createTestClient } from '../read-api/operations.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/misbehaving-server.ts'

let server: MisbehavingServer | undefined
afterEach(() => server?.close())

const schedule = { id: 'sch_1', name: 'Day' }

/** Answers 304 to a request that knows the tag. */
const tagged: Behaviour = (socket, request) => {
  const isKnown = request.headers['if-none-match'] === 'W/"1"'
  const behave = isKnown
    ? answer({ status: 304, headers: { 'content-length': '0' } })
    : answerJson({ data: [schedule] }, { etag: 'W/"1"' })
  behave(socket, request)
}

test('an answer is asked for again by its tag, which the caller does not notice', async () => {
  server = await startMisbehavingServer(tagged)
  const client = createTestClient(server.url)
  const first = await client.list('schedules', {})
  await expect(client.list('schedules', {})).resolves.toEqual(first)
  await expect(client.list('schedules', {})).resolves.toEqual(first)
  await client.close()
  expect(tags(server)).toEqual([undefined, 'W/"1"', 'W/"1"'])
})

test('another address and another client know no tag', async () => {
  server = await startMisbehavingServer(tagged)
  const client = createTestClient(server.url)
  await client.list('schedules', {})
  await client.list('schedules', { active: true })
  await client.close()
  const other = createTestClient(server.url, { authentication: { scheme: 'bearer', token: 'b' } })
  await other.list('schedules', {})
  await other.close()
  expect(tags(server)).toEqual([undefined, undefined, undefined])
})

test.each([
  ['without a tag', {}],
  ['that may not be stored', { etag: '"1"', 'cache-control': 'private, No-Store' }],
])('an answer %s is not kept', async (_name, headers) => {
  server = await startMisbehavingServer(answerJson({ data: [schedule] }, headers))
  const client = createTestClient(server.url)
  await client.list('schedules', {})
  await client.list('schedules', {})
  await client.close()
  expect(tags(server)).toEqual([undefined, undefined])
})

test('the memory is bounded; what was not used for longest goes first', () => {
  const revalidation = createRevalidation(5_000)
  const [a, b, c] = ['a', 'b', 'c'].map((path) => new URL(`http://any/${path}`)) as [URL, URL, URL]
  const kept = { status: 200, headers: { etag: '"1"' }, body: Buffer.alloc(1_000) }
  revalidation.keep(a, kept)
  revalidation.keep(b, kept)
  revalidation.find(a)
  revalidation.keep(c, kept)
  expect([a, b, c].map((url) => revalidation.find(url)?.etag)).toEqual(['"1"', undefined, '"1"'])
  revalidation.keep(a, { ...kept, body: Buffer.alloc(10_000) })
  expect(revalidation.find(a)).toBeUndefined()
})

function tags({ requests }: MisbehavingServer): (string | undefined)[] {
  return requests.map((request) => request.headers['if-none-match'])
}

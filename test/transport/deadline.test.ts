import { once } from 'node:events'

import { expect, test } from 'vitest'

import { withinDeadline } from '../../src/transport/deadline.ts'

const url = new URL('http://127.0.0.1/api/public/v1/leaves')

async function untilEnded(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

test('what takes too long as a whole is unavailable', async () => {
  await expect(
    withinDeadline({ url, ms: 10, signal: undefined }, untilEnded),
  ).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: 'GET /api/public/v1/leaves was not answered whole within 10 ms.',
  })
})

test('what the caller ends fails with the reason of the caller', async () => {
  const abort = new AbortController()
  const ended = withinDeadline({ url, ms: 60_000, signal: abort.signal }, untilEnded)
  const reason = new Error('given up')
  abort.abort(reason)
  await expect(ended).rejects.toBe(reason)
})

test('what is done in time stands', async () => {
  await expect(withinDeadline({ url, ms: 60_000, signal: undefined }, async () => 1)).resolves.toBe(
    1,
  )
})

import { once } from 'node:events'

import { expect, it } from 'vitest'

import { withinDeadline } from '../../src/transport/requester.ts'

const url = new URL('http://127.0.0.1/api/public/v1/leaves')
const says = 'was not answered whole'

it('an operation that takes too long as a whole is unavailable', async () => {
  const ended = withinDeadline({ url, ms: 10, signal: undefined, says }, untilEnded)
  await expect(ended).rejects.toMatchObject({
    code: 'upstream_unavailable',
    message: 'GET /api/public/v1/leaves was not answered whole within 10 ms.',
  })
})

it('an operation aborted by its caller fails with the reason of the caller', async () => {
  const abort = new AbortController()
  const ended = withinDeadline({ url, ms: 60_000, signal: abort.signal, says }, untilEnded)
  const reason = new Error('given up')
  abort.abort(reason)
  await expect(ended).rejects.toBe(reason)
})

it('an operation finished in time keeps its result', async () => {
  const done = withinDeadline({ url, ms: 60_000, signal: undefined, says }, async () => 1)
  await expect(done).resolves.toBe(1)
})

async function untilEnded(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

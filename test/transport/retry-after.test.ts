import { expect, it } from 'vitest'

import { askedWaitMs } from '../../src/transport/faults.ts'
import type { HttpAnswer } from '../../src/transport/http.ts'

const now = Date.UTC(2026, 0, 5, 12)

it.each([
  ['0', 0],
  ['120', 120_000],
  ['3600', 3_600_000],
  ['3601', 3_600_000],
  ['9'.repeat(400), 3_600_000],
  ['Mon, 05 Jan 2026 12:00:30 GMT', 30_000],
  ['Monday, 05-Jan-26 12:00:30 GMT', 30_000],
  ['Mon, 05 Jan 2026 11:59:00 GMT', 0],
  ['Thu, 01 Jan 2099 00:00:00 GMT', 3_600_000],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Mon, 05 Jan 2026 12:00:30', undefined],
  ['', undefined],
])('Retry-After %s is read from a 429 and a 503', (value, ms) => {
  expect(askedWaitMs(answerOf(429, value), now)).toBe(ms)
  expect(askedWaitMs(answerOf(503, value), now)).toBe(ms)
  expect(askedWaitMs(answerOf(502, value), now)).toBeUndefined()
})

function answerOf(status: number, retryAfter: string): HttpAnswer {
  return { status, headers: { 'retry-after': retryAfter }, body: Buffer.alloc(0) }
}

import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

import { expect, it } from 'vitest'

import { LargeAnswers } from '../../src/dav/large-answers.ts'

function response(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()))
}

it('a link has 32 large answers at once, and others once those are sent or given up', async () => {
  const answers = new LargeAnswers()
  const large = 100_000
  const begun = Array.from({ length: 32 }, response)
  for (const one of begun) answers.begin('a', large, one)
  expect(() => answers.begin('a', large, response())).toThrow('Too many answers at once.')
  answers.begin('a', 1000, response())
  answers.begin('b', large, response())
  const given = once(begun[0]!, 'close')
  begun[0]!.destroy()
  await given
  answers.begin('a', large, response())
  expect(() => answers.begin('a', large, response())).toThrow('Too many answers at once.')
  // Of a client that has gone nothing is counted.
  answers.begin('a', large, begun[0]!)
})

import { once } from 'node:events'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'

import { expect, it } from 'vitest'

import { LargeAnswers } from '../../src/dav/large-answers.ts'

function response(): ServerResponse {
  return new ServerResponse(new IncomingMessage(new Socket()))
}

it('a link may have 32 large answers unsent, and another one once one of them is sent or aborted', async () => {
  const answers = new LargeAnswers()
  const large = 100_000
  const begin = (link: string, length: number, one = response()): void => {
    answers.refuseMore(link)
    answers.note(link, length, one)
  }
  const begun = Array.from({ length: 32 }, response)
  for (const one of begun) begin('a', large, one)
  expect(() => begin('a', large)).toThrow('Too many answers at once.')
  begin('b', large)
  const given = once(begun[0]!, 'close')
  begun[0]!.destroy()
  await given
  begin('a', 1000)
  // An answer to a client that has gone does not count.
  begin('a', large, begun[0])
  begin('a', large)
  expect(() => begin('a', large)).toThrow('Too many answers at once.')
})

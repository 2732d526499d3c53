/* Requests that serve everyone who asked before they were sent. */
import { beforeEach, expect, it } from 'vitest'

import { type LeavesReply, SharedRequests } from '../../src/copies/proof/replies.ts'
import { createFakeClock, type FakeClock } from '../support/bridge/fake-clock.ts'

let clock: FakeClock
let requests: SharedRequests
let sent: PromiseWithResolvers<LeavesReply>[]

beforeEach(() => {
  clock = createFakeClock()
  requests = new SharedRequests(clock)
  sent = []
})

function ask(rests: boolean): Promise<LeavesReply> {
  const send = (): Promise<LeavesReply> => {
    const reply = Promise.withResolvers<LeavesReply>()
    sent.push(reply)
    return reply.promise
  }
  return requests.ask('', send, rests, new AbortController().signal)
}

it('Requests made while one is under way share the next one', async () => {
  const first = ask(false)
  await clock.advance(20)
  const others = [ask(false), ask(false)]
  expect(sent).toHaveLength(1)
  sent[0]?.resolve('refused')
  expect(await first).toBe('refused')
  await clock.advance(0)
  expect(sent).toHaveLength(2)
  sent[1]?.resolve('unanswered')
  expect(await Promise.all(others)).toEqual(['unanswered', 'unanswered'])
})

it('A resting request is sent again after eight times its duration, for all who asked meanwhile', async () => {
  const first = ask(true)
  await clock.advance(20)
  sent[0]?.resolve('refused')
  await first
  await clock.sleepers(1)
  const others = [ask(true)]
  await clock.advance(159)
  others.push(ask(true))
  expect(sent).toHaveLength(1)
  await clock.advance(1)
  expect(sent).toHaveLength(2)
  sent[1]?.resolve('refused')
  expect(await Promise.all(others)).toEqual(['refused', 'refused'])
})

it('A failed request holds no later one back, and no rest is longer than a quarter of a second', async () => {
  const first = ask(true)
  await clock.advance(10_000)
  sent[0]?.reject(new Error('ended'))
  await expect(first).rejects.toThrow('ended')
  await clock.sleepers(1)
  const second = ask(true)
  await clock.advance(250)
  sent[1]?.resolve('refused')
  expect(await second).toBe('refused')
})

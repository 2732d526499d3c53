/* The result of a bulk act, looked at through another process behind the same port. */
import { EventEmitter } from 'node:events'

import { expect, it } from 'vitest'

import { BulkRuns, type RunLine } from '../../../src/http/console/bulk-runs.ts'
import { createFakeClock } from '../../support/bridge/fake-clock.ts'
import { silentLog } from '../../support/bridge/silent-log.ts'

const line: RunLine = { name: 'Ada', userId: 'usr_ada', outcome: 'done', note: null }

it('other processes see how far a run is and what became of it, but no new address', async () => {
  const clock = createFakeClock(0)
  const channel = new EventEmitter()
  const [here, there] = ['here', 'there'].map((name) => {
    const tell = (message: object): void =>
      void channel.emit(name === 'here' ? 'there' : 'here', structuredClone(message))
    const listen = (listener: (message: object) => void): void => void channel.on(name, listener)
    return new BulkRuns({ clock, log: silentLog, siblings: { tell, listen } })
  })
  const gate = Promise.withResolvers<void>()
  const run = here!.begin('key', 2, async (add) => {
    add({ ...line, page: 'https://calendar.example/feeds/secret' })
    await gate.promise
    await clock.advance(1000)
    add(line)
  })
  expect(there!.find('key')).toMatchObject({ state: 'running', total: 2 })
  expect(there!.begin('key', 2, () => Promise.reject(new Error('begun twice')))).toMatchObject({
    state: 'running',
  })
  gate.resolve()
  await run.ended
  expect(here!.find('key')).toMatchObject({ lines: [{ page: expect.anything() }, line] })
  expect(there!.find('key')).toMatchObject({ state: 'ended', lines: [line, line], endedAt: 1000 })
  expect(JSON.stringify(there!.find('key'))).not.toContain('secret')
})

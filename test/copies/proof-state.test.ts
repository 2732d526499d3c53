/* What is noted of a filter's proof at the same time: a disproof outlives all else that was under way. */
import { describe, expect, it, onTestFinished } from 'vitest'

import { ProofState } from '../../src/copies/proof/proof-state.ts'
import { readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { databases } from '../support/database/databases.ts'

describe.each(databases)('a disproof on $name', ({ createMigrated }) => {
  it.each(['unproven', 'proven'] as const)(
    'of a filter that was %s stands, whatever proofs under way have found meanwhile',
    async (before) => {
      const environment = {
        ...readsFrom('http://127.0.0.1:9'),
        DATABASE_URL: await createMigrated(),
      }
      const bridge = await startBridge({ environment })
      onTestFinished(() => bridge.close())
      const { store, connections, directory: people } = await bridge.node()
      const connection = connections.get('main')!
      const parts = { ...store, departed: store.departures, connection, people, log: silentLog }
      const state = new ProofState({ ...parts, clock: createFakeClock() })
      await state.set(before, null)
      const begun = await state.current()
      await Promise.all([
        state.set('disproved', 'two_employees'),
        state.passBattery(),
        state.setProven(begun),
        state.noteUnanswered(),
      ])
      expect(await state.current()).toMatchObject({ state: 'disproved', reason: 'two_employees' })
    },
  )
})

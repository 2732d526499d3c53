/* What is noted of a filter's proof at the same time: a disproof outlives all else that was under way. */
import { describe, expect, it, onTestFinished } from 'vitest'

import {
  currentProof,
  noteUnanswered,
  passBattery,
  setProof,
  setProven,
} from '../../src/copies/proof/proof-state.ts'
import { readsFrom, startBridge } from '../support/bridge/bridge.ts'
import { createFakeClock } from '../support/bridge/fake-clock.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { databases } from '../support/database/databases.ts'

describe.each(databases)('a disproof on $name', ({ createMigrated }) => {
  it.each(['unproven', 'proven'] as const)(
    'Outlasts all proofs under way for a filter that was %s',
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
      const state = { ...parts, clock: createFakeClock() }
      await setProof(state, before, null)
      const begun = await currentProof(state)
      await Promise.all([
        setProof(state, 'disproved', 'two_employees'),
        passBattery(state),
        setProven(state, begun),
        noteUnanswered(state),
      ])
      expect(await currentProof(state)).toMatchObject({
        state: 'disproved',
        reason: 'two_employees',
      })
    },
  )
})

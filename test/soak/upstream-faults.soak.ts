import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { expect, it } from 'vitest'

import { asAppError } from '../../src/domain/errors.ts'
import { serverFaults, serverStalls } from '../read-api/faults.ts'
import { createTestClient, readOperations } from '../read-api/operations.ts'
import { createSkippingClock } from '../support/bridge/fake-clock.ts'
import {
  type Behaviour,
  resetBeforeHeaders,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'

const FAULTS_MIN = 10_000
const LANES = 8
const WARM_UP = 300
/** Longer than any pause. */
const REST_MS = 3_700_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

it('ten thousand faults in a row leave nothing behind', async () => {
  await suffer(WARM_UP)
  const before = await measure()
  const sent = await suffer(FAULTS_MIN)
  const after = await measure()
  process.stdout.write(`${JSON.stringify({ faults: FAULTS_MIN, sent, before, after })}\n`)
  expect(sent).toBeGreaterThanOrEqual(FAULTS_MIN)
  expect(after.handles).toBeLessThanOrEqual(before.handles)
  expect(after.heapMegabytes).toBeLessThan(before.heapMegabytes + 10)
})

/** So many faults, in lanes side by side; gives how many requests the servers saw. */
async function suffer(count: number): Promise<number> {
  const lanes = Array.from({ length: LANES }, (_, lane) => sufferInLane(lane, count / LANES))
  return (await Promise.all(lanes)).reduce((sum, requests) => sum + requests, 0)
}

/** One client and one server, one fault after the other, each with the documented error. */
async function sufferInLane(lane: number, count: number): Promise<number> {
  const faults = Object.entries({ ...serverFaults, ...serverStalls })
  const operations = Object.values(readOperations)
  let behave: Behaviour = resetBeforeHeaders
  const server = await startMisbehavingServer((socket, request) => behave(socket, request))
  const clock = createSkippingClock()
  const client = createTestClient(server.url, { timeoutMs: 1_000 }, { clock })

  async function sufferFrom(step: number): Promise<void> {
    if (step >= count) return
    const [name, fault] = faults[(step + lane) % faults.length] ?? []
    if (fault) behave = fault.behave
    await clock.sleep(REST_MS)
    // Every operation meets every fault, since the two lists are walked at different paces.
    const operation = operations[Math.floor(step / faults.length + lane) % operations.length]
    const error = await operation?.(client).catch((reason: unknown) => reason)
    expect([name, asAppError(error)?.code]).toEqual([name, fault?.code])
    await sufferFrom(step + 1)
  }

  await sufferFrom(0)
  await client.close()
  await server.close()
  return server.requests.length
}

async function measure(): Promise<{ handles: number; heapMegabytes: number }> {
  await nextTurn()
  collectGarbage()
  await nextTurn()
  collectGarbage()
  const handles = process.getActiveResourcesInfo().length
  return { handles, heapMegabytes: Math.round(process.memoryUsage().heapUsed / 1_048_576) }
}

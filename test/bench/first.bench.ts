/*
 * The first poll of a new feed, the Read API answering in 20 ms, beside a poll of another calendar of somebody whose copies are
 * fresh in the database: the processor time of the bridge's process for each, in a company of some hundred people.
 */
import { expect, it, onTestFinished } from 'vitest'

import { noteRatio } from '../support/bench/measured-ratios.ts'
import { type BusyBridge, startBusyBridge } from '../support/bridge/busy-bridge.ts'
import { personId } from '../support/company/person-ids.ts'

const rounds = 5
const peopleOfRound = 60
/** They make the company known, and the program compiled. */
const before = 300
const rate = 15
const ratioMax = 2

it('the first poll of a new feed', { timeout: 1_200_000 }, async () => {
  const people = Array.from({ length: before + rounds * peopleOfRound }, (_, number) =>
    personId(number),
  )
  const bridge = await startBusyBridge({ people: people.length, latencyMs: 20 })
  onTestFinished(() => bridge.close())
  await polledAnew(bridge, people.slice(0, before), 'First')
  await polledAnew(bridge, people.slice(0, before), 'Second')
  const ratios: number[] = []
  for (let start = before; start < people.length; start += peopleOfRound) {
    const some = people.slice(start, start + peopleOfRound)
    const first = await polledAnew(bridge, some, 'First')
    const cold = await polledAnew(bridge, some, 'Second')
    console.log(`first ${first.toFixed(1)} ms, cold ${cold.toFixed(1)} ms of CPU a poll`)
    ratios.push(first / cold)
  }
  const measured = ratios.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN
  noteRatio({
    measure: 'first poll of a new feed, Read API answering in 20 ms, CPU',
    against: 'cold poll',
    bound: { most: ratioMax },
    measured,
    bench: 'first',
  })
})

/** The processor time of each first poll of a feed of that name of each of them, in milliseconds. */
async function polledAnew(
  bridge: BusyBridge,
  people: readonly string[],
  name: string,
): Promise<number> {
  const paths = await bridge.createFeeds(people, { name })
  await bridge.load()
  const { statuses } = await bridge.poll({ paths, rate, count: people.length, conditional: 0 })
  const { cpuMs } = await bridge.load()
  expect(statuses).toEqual({ 200: people.length })
  return cpuMs / people.length
}

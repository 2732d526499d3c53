import { setInterval as every } from 'node:timers/promises'

import { expect } from 'vitest'

import type { ExposedProgram } from './exposed-program.ts'
import { pollDuring } from './honest-client.ts'

const megabyte = 1024 * 1024
/** 20 % of 180 MB is 36 MB: 700 bytes for each of 50,000 addresses. */
const growthMax = 1.2

/** Lets honest clients poll during an attack: all must be served, and the node must live, with flat memory and no open connections. */
export async function survive(node: ExposedProgram, work: () => Promise<void>): Promise<void> {
  const resident: number[] = []
  const over = new AbortController()
  const watching = watch(node, resident, over.signal)
  const served = await pollDuring(node.calendar, work)
  over.abort()
  await watching
  const half = Math.floor(resident.length / 2)
  const first = Math.max(...resident.slice(0, half))
  const second = Math.max(...resident.slice(half))
  const { polls, wrong, longestMs } = served
  console.log(
    `${polls} polls, ${wrong.length} wrong, the longest ${longestMs.toFixed(0)} ms; ` +
      `resident at most ${inMegabytes(first)} MB in the first half, ${inMegabytes(second)} MB in the second`,
  )
  expect(node.isAlive()).toBe(true)
  expect(wrong).toEqual([])
  expect(polls).toBeGreaterThan(10)
  expect(second).toBeLessThan(first * growthMax)
  await expect.poll(() => node.connections()).toBe(0)
}

async function watch(node: ExposedProgram, resident: number[], over: AbortSignal): Promise<void> {
  for await (const _ of every(250)) {
    if (over.aborted) return
    resident.push(node.residentBytes())
  }
}

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(0)
}

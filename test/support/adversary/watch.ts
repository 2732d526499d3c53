/* Everybody polls, and nobody sees what is not theirs. */
import { expect } from 'vitest'

import { exactly, foreignLeaves, uidsOf } from './shown.ts'
import type { Polled, Subscribers } from './subscribers.ts'

/** Everybody polls from time to time; nobody ever sees another's leave, nor anything but a calendar. */
export async function watch(
  crowd: Subscribers,
  minutes: number,
  everyMinutes = 1,
): Promise<readonly Polled[]> {
  let polled: readonly Polled[] = []
  for (let minute = 0; minute < minutes; minute += everyMinutes) {
    polled = await crowd.pollFor(everyMinutes, everyMinutes)
    expect(foreignLeaves(crowd.company, polled)).toEqual([])
    expect(polled.map(({ status }) => status)).toEqual(polled.map(() => 200))
  }
  return polled
}

/** Every calendar holds its person's records and nothing else, within a quarter of an hour and a poll. */
export async function expectExact(crowd: Subscribers): Promise<void> {
  for (const one of await watch(crowd, 16, 8)) expectWhole(crowd, one)
}

/** The calendar holds its person's records and nothing else. */
export function expectWhole({ company }: Subscribers, polled: Polled): void {
  const { person, status } = polled
  expect([person, status, uidsOf(polled)]).toEqual([person, 200, exactly(company.records, person)])
}

import {
  addDays,
  type PlainDate,
  weekdayOf,
  dayNumber,
  firstOfNextMonth,
} from '../../domain/plain-date.ts'
import type { SampleWords } from './words.ts'

export function mondayOf(day: PlainDate): PlainDate {
  return addDays(day, -weekdayOf(day))
}

/** Returns the day, or the next Monday if it falls on a weekend. */
export function workdayFrom(day: PlainDate): PlainDate {
  return weekdayOf(day) < 5 ? day : addDays(mondayOf(day), 7)
}

export function midnight(day: PlainDate): string {
  return at(day, '00:00')
}

/** Returns the spec's timestamp of a time of day, `HH:MM` in UTC. */
export function at(day: PlainDate, time: string): string {
  return `${day}T${time}:00.000Z`
}

/** Returns the next European clock change at least a week ahead: the last Sunday of March or October (Directive 2000/84/EC). */
export function nextClockChange(today: PlainDate): PlainDate {
  const year = Number(today.slice(0, 4))
  const changes = [year, year + 1]
    .flatMap((it) => [`${it}-03-31`, `${it}-10-31`])
    .map((day) => addDays(day, -((weekdayOf(day) + 1) % 7)))
  return changes.find((it) => it >= addDays(today, 7)) ?? today
}

/** Returns half months, starting with the current one and going back. */
export function lastPeriods(
  today: PlainDate,
  count: number,
): { readonly first: PlainDate; readonly last: PlainDate }[] {
  let day = today
  return Array.from({ length: count }, () => {
    const month = day.slice(0, 7)
    const isFirstHalf = day <= `${month}-15`
    const first = isFirstHalf ? `${month}-01` : `${month}-16`
    const last = isFirstHalf ? `${month}-15` : addDays(firstOfNextMonth(day), -1)
    day = addDays(first, -1)
    return { first, last }
  })
}

/** Returns Mondays to Fridays between the two days, both included. */
export function workdays(first: PlainDate, last: PlainDate): PlainDate[] {
  return Array.from({ length: Math.max(0, dayNumber(last) - dayNumber(first) + 1) }, (_, index) =>
    addDays(first, index),
  ).filter((day) => weekdayOf(day) < 5)
}

/** Returns a number in [0, 1). */
export type Random = () => number

export interface Surroundings {
  readonly today: PlainDate
  readonly words: SampleWords
  readonly random: Random
}

/** Returns a generator of numbers in [0, 1), the same for the same seed (Mulberry32: 32 bits of state, full period). */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = Math.trunc(state + 0x6d2b79f5)
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns a generator for one of many things that share a seed, independent of the others. */
export function randomOf(seed: number, what: number, index: number): Random {
  return seededRandom(
    Math.imul(seed + 1, 0x9e_37_79_b1) ^
      Math.imul(index + 1, 0x85_eb_ca_6b) ^
      Math.imul(what, 0xc2_b2_ae_35),
  )
}

/** Returns one of the values, all equally likely; there must be one. */
export function pick<T>(random: Random, values: readonly T[]): T {
  return turn(values, Math.floor(random() * values.length))
}

/** Returns the value at the index, starting over after the last; there must be one. */
export function turn<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('There is nothing to take turns.')
  return value
}

/** Returns a whole number between the two, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

export function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  const left = [...values]
  return values.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

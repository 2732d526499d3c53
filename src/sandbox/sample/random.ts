/** Numbers in [0, 1). */
export type Random = () => number

/** Numbers in [0, 1), the same ones for the same seed (Mulberry32: 32 bits of state, every state once). */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = Math.trunc(state + 0x6d2b79f5)
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Those of one of many things that are made from one seed, whichever of them are made. */
export function randomOf(seed: number, what: number, index: number): Random {
  return seededRandom(
    Math.imul(seed + 1, 0x9e_37_79_b1) ^
      Math.imul(index + 1, 0x85_eb_ca_6b) ^
      Math.imul(what, 0xc2_b2_ae_35),
  )
}

/** One of the values, each as likely; there must be one. */
export function pick<T>(random: Random, values: readonly T[]): T {
  return turn(values, Math.floor(random() * values.length))
}

/** The value whose turn it is, round and round; there must be one. */
export function turn<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('There is nothing to take turns.')
  return value
}

/** A whole number between those two, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1))
}

/** The values in another order (Fisher and Yates). */
export function shuffled<T>(random: Random, values: readonly T[]): readonly T[] {
  const left = [...values]
  return values.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

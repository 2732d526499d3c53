/** Ratios between ways to do one thing, measured in one run: one after the other, round after round, so that what else the machine does meets all alike. */

/** What time is: the processor's of this process, all threads together, or the clock's. */
export type Measure = 'processor' | 'clock'

/** What took how many milliseconds, by name and round. */
export type Times<Name extends string> = Readonly<Record<Name, readonly number[]>>

interface Rounds {
  readonly rounds: number
  readonly measure?: Measure
  /** Rounds before the first that counts: the compiler and the caches are warm then. */
  readonly warmUps?: number
}

/** Each act once a round, beginning with another one in every round. */
export async function measureInterleaved<Name extends string>(
  acts: Readonly<Record<Name, () => unknown>>,
  { rounds, measure = 'processor', warmUps = 1 }: Rounds,
): Promise<Times<Name>> {
  const names = Object.keys(acts) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Name,
    number[]
  >
  for (let round = -warmUps; round < rounds; round += 1) {
    const first = (round + warmUps) % names.length
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const taken = await timeOf(acts[name], measure)
      if (round >= 0) times[name].push(taken)
    }
  }
  return times
}

/** How many milliseconds it takes, waiting for it included. */
async function timeOf(act: () => unknown, measure: Measure = 'processor'): Promise<number> {
  const begun = now(measure)
  await act()
  return now(measure) - begun
}

/** How many times as long the one takes as the other: the median of the rounds' ratios. */
export function medianRatio<Name extends string>(
  times: Times<Name>,
  one: NoInfer<Name>,
  other: NoInfer<Name>,
): number {
  return median(times[one].map((taken, round) => taken / times[other][round]!))
}

/** The middle one; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** Both in microseconds of the processor's, which it counts in, or finer. */
function now(measure: Measure): number {
  if (measure === 'clock') return performance.now()
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/* Random histories of an upstream that lies, as lists of plain commands. */
import fc from 'fast-check'

import { AdversaryModel, type Edit, type LieTold, type Stray } from './adversary-model.ts'
import { liePool } from './lie-pool.ts'

/** What happens next: exactly one of these. */
type Command =
  | { readonly poll: number | null; readonly node: number }
  | { readonly pass: number }
  | { readonly lie: LieTold }
  | { readonly stray: Stray }
  | { readonly truth: true }
  | { readonly edit: Edit; readonly person: number }
  | { readonly restart: number }
  | { readonly ahead: number }

interface History {
  /** Told from the start on, so that nothing is known; null where all was well first. */
  readonly opening: LieTold | null
  readonly commands: readonly Command[]
}

/** What all histories came to. */
export interface AdversaryCounts {
  polls: number
  exceptions: number
  readonly lies: Map<string, number>
  readonly statuses: Map<number, number>
}

const minuteMs = 60_000
const steps = [1000, 15_000, 61_000, 5 * minuteMs, 20 * minuteMs, 60 * minuteMs, 300 * minuteMs]

const person = fc.nat({ max: 7 })

const lie = fc.record({
  lie: fc.constantFrom(...Object.keys(liePool)),
  choice: fc.nat({ max: 10_000 }),
  permille: fc.constantFrom(1000, 700, 300, 100, 30),
  minutes: fc.constantFrom(1, 10, 60, 240),
})

const stray = fc.record({ choice: fc.nat({ max: 10_000 }), at: fc.nat({ max: 5 }) })

function commandOf(nodes: number): fc.Arbitrary<Command> {
  const node = fc.nat({ max: nodes - 1 })
  const edits: readonly Edit[] = ['add', 'rename', 'remove', 'move', 'task', 'timesheet']
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ poll: fc.constant(null), node }) },
    { weight: 3, arbitrary: fc.record({ poll: person, node }) },
    { weight: 7, arbitrary: fc.record({ pass: fc.constantFrom(...steps) }) },
    { weight: 5, arbitrary: fc.record({ lie }) },
    { weight: 4, arbitrary: fc.record({ stray }) },
    { weight: 1, arbitrary: fc.constant({ truth: true } as const) },
    { weight: 3, arbitrary: fc.record({ edit: fc.constantFrom(...edits), person }) },
    { weight: 1, arbitrary: fc.record({ restart: node }) },
    ...(nodes > 1
      ? [{ weight: 1, arbitrary: fc.record({ ahead: fc.constantFrom(0, 1, 26, 72) }) }]
      : []),
  )
}

interface Histories {
  readonly databaseUrl: () => Promise<string>
  readonly nodes: number
  readonly runs: number
  readonly steps: number
  /** For other histories than property tests try in this run. */
  readonly seed?: number
  /** Of one of the seed's histories, as a failure names it. */
  readonly path?: string | undefined
}

export function nothingCounted(): AdversaryCounts {
  return { polls: 0, exceptions: 0, lies: new Map(), statuses: new Map() }
}

/** Holds the oracle's rules over random histories; gives what they came to, and all before. */
export async function checkAdversaryHistories(
  settings: Histories,
  counts: AdversaryCounts = nothingCounted(),
): Promise<AdversaryCounts> {
  const histories: fc.Arbitrary<History> = fc.record({
    opening: fc.option(lie, { freq: 2 }),
    commands: fc.array(commandOf(settings.nodes), {
      minLength: Math.floor(settings.steps / 2),
      maxLength: settings.steps,
      size: 'max',
    }),
  })
  const { seed, path } = settings
  await fc.assert(
    fc.asyncProperty(histories, async ({ opening, commands }) => {
      const model = await AdversaryModel.start(
        await settings.databaseUrl(),
        settings.nodes,
        opening,
      )
      try {
        for (const command of commands) await run(model, command)
        await model.settle()
      } finally {
        count(model, counts)
        await model.close()
      }
    }),
    {
      numRuns: settings.runs,
      endOnFailure: true,
      ...(seed === undefined ? {} : { seed }),
      ...(path === undefined ? {} : { path }),
    },
  )
  return counts
}

async function run(model: AdversaryModel, command: Command): Promise<void> {
  if ('poll' in command) return model.poll(command.poll, command.node)
  if ('pass' in command) return model.pass(command.pass)
  if ('restart' in command) return model.restart(command.restart)
  if ('ahead' in command) return model.runAhead(command.ahead)
  if ('lie' in command) return model.lie(command.lie)
  if ('stray' in command) return model.stray(command.stray)
  if ('edit' in command) return model.edit(command.edit, command.person)
  return model.tellTheTruth()
}

function count({ statuses, exceptions, company }: AdversaryModel, counts: AdversaryCounts): void {
  counts.exceptions += exceptions
  for (const [status, number] of statuses) {
    counts.polls += number
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + number)
  }
  for (const [name, number] of company.lied) {
    const kind = name.replace(/^(?:leaves|timesheets|tasks|schedules|user|invoice)\..*/, 'damaged')
    counts.lies.set(kind, (counts.lies.get(kind) ?? 0) + number)
  }
}

/** The counts, in lines to be printed. */
export function describeCounts({ polls, exceptions, lies, statuses }: AdversaryCounts): string {
  const listed = (it: ReadonlyMap<unknown, number>): string =>
    [...it].map(([name, number]) => `${String(name)}: ${number}`).join(', ')
  const told = [...lies].toSorted(([, a], [, b]) => b - a)
  return [
    `${polls} polls (${listed(statuses)})`,
    `consistent lies to every comparison: ${exceptions}`,
    `lies told: ${listed(new Map(told))}`,
  ].join('\n')
}

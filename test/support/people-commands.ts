/* Random histories of people, as lists of plain commands. */
import fc from 'fast-check'

import { type Leaving, type PeopleCounts, PeopleModel } from './people-model.ts'

type Command =
  | { readonly poll: number | null; readonly node: number }
  | { readonly pass: number }
  | {
      readonly change: 'addLeave' | 'rename' | 'changeMail' | 'reuse' | 'subscribe'
      readonly person: number
    }
  | { readonly leave: Leaving; readonly person: number }
  | { readonly comeBack: number }
  | { readonly merge: number; readonly into: number }
  | { readonly mixIn: number; readonly person: number }
  | { readonly mistake: number }
  | { readonly expectNews: number; readonly node: number }
  | { readonly isRightCredential: boolean }
  | { readonly restart: number }

interface Histories {
  readonly createDatabase: () => Promise<string>
  readonly nodes: number
  readonly runs: number
  readonly steps: number
  readonly seed?: number | undefined
  /** Of one of that seed's histories, as a failure names it. */
  readonly path?: string | undefined
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const pauses = [1000, minuteMs, 6 * minuteMs, hourMs, 5 * hourMs, 13 * hourMs, 25 * hourMs]
const person = fc.nat({ max: 7 })

function commandOf(nodes: number): fc.Arbitrary<Command> {
  const node = fc.nat({ max: nodes - 1 })
  const changes = ['addLeave', 'rename', 'changeMail', 'reuse', 'subscribe'] as const
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ poll: fc.constant(null), node }) },
    { weight: 3, arbitrary: fc.record({ poll: person, node }) },
    { weight: 7, arbitrary: fc.record({ pass: fc.constantFrom(...pauses) }) },
    { weight: 6, arbitrary: fc.record({ change: fc.constantFrom(...changes), person }) },
    { weight: 2, arbitrary: fc.record({ leave: fc.constantFrom('inactive', 'missing'), person }) },
    { weight: 1, arbitrary: fc.record({ comeBack: person }) },
    { weight: 2, arbitrary: fc.record({ merge: person, into: person }) },
    { weight: 2, arbitrary: fc.record({ mixIn: fc.integer({ min: 1, max: 3 }), person }) },
    { weight: 2, arbitrary: fc.record({ mistake: person }) },
    { weight: 3, arbitrary: fc.record({ expectNews: person, node }) },
    { weight: 1, arbitrary: fc.record({ isRightCredential: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ restart: node }) },
  )
}

/** Holds what the model promises over random histories. */
export async function checkPeopleHistories(
  { createDatabase, nodes, runs, steps, seed, path }: Histories,
  counts: PeopleCounts,
): Promise<void> {
  const histories = fc.record({
    refusesUnknown: fc.boolean(),
    commands: fc.array(commandOf(nodes), {
      minLength: Math.floor(steps / 2),
      maxLength: steps,
      size: 'max',
    }),
  })
  await fc.assert(
    fc.asyncProperty(histories, async ({ refusesUnknown, commands }) => {
      const databaseUrl = await createDatabase()
      const model = await PeopleModel.start({ databaseUrl, nodes, refusesUnknown }, counts)
      try {
        for (const command of commands) await run(model, command)
        await model.settle()
      } finally {
        await model.close()
      }
    }),
    {
      numRuns: runs,
      endOnFailure: true,
      ...(seed === undefined ? {} : { seed }),
      ...(path === undefined ? {} : { path }),
    },
  )
}

async function run(model: PeopleModel, command: Command): Promise<void> {
  if ('poll' in command) {
    if (command.poll === null) return model.pollAll(command.node)
    return model.poll(command.poll, command.node)
  }
  if ('pass' in command) return model.pass(command.pass)
  if ('restart' in command) return model.restart(command.restart)
  if ('isRightCredential' in command) return model.exchangeCredential(command.isRightCredential)
  if ('merge' in command) return model.merge(command.merge, command.into)
  if ('leave' in command) return model.leave(command.person, command.leave)
  if ('comeBack' in command) return model.comeBack(command.comeBack)
  if ('mixIn' in command) return model.mixIn(command.person, command.mixIn)
  if ('expectNews' in command) return model.expectNews(command.expectNews, command.node)
  if ('mistake' in command) return model.mistake(command.mistake)
  return model[command.change](command.person)
}

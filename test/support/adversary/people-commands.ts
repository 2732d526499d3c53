/* Random histories of people, as lists of plain commands. */
import fc from 'fast-check'

import {
  type Lack,
  type Leaving,
  type PeopleCounts,
  PeopleModel,
  type Way,
} from './people-model.ts'

type Command =
  | { readonly poll: number | null; readonly node: number }
  | { readonly pass: number }
  | {
      readonly change: 'addLeave' | 'rename' | 'changeMail' | 'complete' | 'subscribe'
      readonly person: number
    }
  | { readonly lack: Lack; readonly person: number; readonly to: 'reuse' | 'lose' }
  | { readonly handOver: Lack; readonly person: number; readonly node: number }
  | { readonly failing: number | null; readonly status: number | null }
  | { readonly mended: true }
  | { readonly show: 'preview' | 'export'; readonly person: number; readonly node: number }
  | { readonly leave: Leaving; readonly person: number }
  | { readonly comeBack: number }
  | { readonly merge: number; readonly into: number }
  | { readonly mixIn: number; readonly person: number }
  | { readonly mistake: number }
  | { readonly expectNews: number; readonly node: number }
  | { readonly isRightCompany: boolean; readonly way: Way }
  | { readonly restart: number }

interface Histories {
  readonly createDatabase: () => Promise<string>
  readonly nodes: number
  readonly runs: number
  readonly steps: number
  /** Of one of the seed's histories, as a failure names it. */
  readonly path?: string | undefined
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const pauses = [1000, minuteMs, 6 * minuteMs, hourMs, 5 * hourMs, 13 * hourMs, 25 * hourMs]
const person = fc.nat({ max: 7 })
const lack: fc.Arbitrary<Lack> = fc.record({
  lacks: fc.constantFrom(null, 'email', 'name'),
  unsaid: fc.constantFrom(null, undefined, ''),
})

function commandOf(nodes: number): fc.Arbitrary<Command> {
  const node = fc.nat({ max: nodes - 1 })
  const changes = ['addLeave', 'rename', 'changeMail', 'complete', 'subscribe'] as const
  const way = fc.constantFrom('credential', 'parameters', 'address')
  const whom = fc.oneof(fc.constant(null), person)
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ poll: fc.constant(null), node }) },
    { weight: 3, arbitrary: fc.record({ poll: person, node }) },
    { weight: 7, arbitrary: fc.record({ pass: fc.constantFrom(...pauses) }) },
    { weight: 6, arbitrary: fc.record({ change: fc.constantFrom(...changes), person }) },
    { weight: 3, arbitrary: fc.record({ lack, person, to: fc.constantFrom('reuse', 'lose') }) },
    { weight: 1, arbitrary: fc.record({ handOver: lack, person, node }) },
    {
      weight: 2,
      arbitrary: fc.record({ failing: whom, status: fc.constantFrom(null, 401, 403, 404, 500) }),
    },
    { weight: 2, arbitrary: fc.constant({ mended: true }) },
    {
      weight: 2,
      arbitrary: fc.record({ show: fc.constantFrom('preview', 'export'), person, node }),
    },
    { weight: 2, arbitrary: fc.record({ leave: fc.constantFrom('inactive', 'missing'), person }) },
    { weight: 1, arbitrary: fc.record({ comeBack: person }) },
    { weight: 2, arbitrary: fc.record({ merge: person, into: person }) },
    { weight: 2, arbitrary: fc.record({ mixIn: fc.integer({ min: 1, max: 3 }), person }) },
    { weight: 2, arbitrary: fc.record({ mistake: person }) },
    { weight: 3, arbitrary: fc.record({ expectNews: person, node }) },
    { weight: 2, arbitrary: fc.record({ isRightCompany: fc.boolean(), way }) },
    { weight: 1, arbitrary: fc.record({ restart: node }) },
  )
}

/** Holds what the model promises over random histories. */
export async function checkPeopleHistories(
  { createDatabase, nodes, runs, steps, path }: Histories,
  counts: PeopleCounts,
): Promise<void> {
  const histories = fc.record({
    refusesUnknown: fc.boolean(),
    cachesPeople: fc.boolean(),
    commands: fc.array(commandOf(nodes), {
      minLength: Math.floor(steps / 2),
      maxLength: steps,
      size: 'max',
    }),
  })
  await fc.assert(
    fc.asyncProperty(histories, async ({ commands, ...company }) => {
      const databaseUrl = await createDatabase()
      const model = await PeopleModel.start({ databaseUrl, nodes, ...company }, counts)
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
  if ('isRightCompany' in command) return model.exchange(command.isRightCompany, command.way)
  if ('lack' in command) return model[command.to](command.person, command.lack)
  if ('handOver' in command) return model.handOver(command.person, command.node, command.handOver)
  if ('failing' in command) return model.failUsers(command.failing, command.status)
  if ('mended' in command) return model.mendUsers()
  if ('show' in command) return model[command.show](command.person, command.node)
  if ('merge' in command) return model.merge(command.merge, command.into)
  if ('leave' in command) return model.leave(command.person, command.leave)
  if ('comeBack' in command) return model.comeBack(command.comeBack)
  if ('mixIn' in command) return model.mixIn(command.person, command.mixIn)
  if ('expectNews' in command) return model.expectNews(command.expectNews, command.node)
  if ('mistake' in command) return model.mistake(command.mistake)
  return model[command.change](command.person)
}

import fc from 'fast-check'

import { FeedModel, type RecordKind, recordKinds } from './feed-model.ts'
import { type AnyCommand, commandOf } from './model-command.ts'

function command<T>(
  name: string,
  argument: fc.Arbitrary<T>,
  step: (model: FeedModel, argument: T) => void | Promise<void>,
): AnyCommand<FeedModel> {
  return commandOf(name, argument, step)
}

/** Everything that can happen to a feed on `nodes` bridges. */
function commands(nodes: number): AnyCommand<FeedModel>[] {
  const kind = fc.constantFrom(...recordKinds)
  const record = fc.tuple(kind, fc.integer({ min: 0, max: 5 }))
  const node = fc.integer({ min: 0, max: nodes - 1 })
  const some = fc.uniqueArray(node, { minLength: 1, maxLength: nodes })
  const poll = command('poll', some, (model, it) => model.poll(it))
  return [
    poll,
    poll,
    poll,
    command('add', record, (model, [it, day]) => model.addRecord(it, day)),
    command('add', record, (model, [it, day]) => model.addRecord(it, day)),
    command('edit', record, (model, [it, day]) => model.editRecord(it, day)),
    command('remove', record, (model, [it, day]) => model.removeRecord(it, day)),
    command('fail', kind, (model, it) => model.fail(it)),
    command('heal', kind, (model, it) => model.heal(it)),
    command('hide', fc.subarray([...recordKinds], { maxLength: 2 }), (model, it: RecordKind[]) =>
      model.hide(it),
    ),
    command('wait', fc.constantFrom(0, 500, 61_000, 3_600_000, 86_400_000), (model, ms) =>
      model.clock.advance(ms),
    ),
    command('restart', node, (model, it) => model.restart(it)),
  ]
}

/** Holds the rules of FeedModel over `runs` random histories of `steps` steps; gives the number of polls made. */
export async function checkFeedHistories(settings: {
  readonly databaseUrl: () => Promise<string>
  readonly nodes: number
  readonly runs: number
  readonly steps: number
}): Promise<number> {
  let polls = 0
  const histories = fc.commands(commands(settings.nodes), {
    maxCommands: settings.steps,
    size: 'max',
  })
  await fc.assert(
    fc.asyncProperty(histories, async (history) => {
      const model = await FeedModel.start(await settings.databaseUrl(), settings.nodes)
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: model }), history)
      } finally {
        polls += model.polls
        await model.close()
      }
    }),
    { numRuns: settings.runs, endOnFailure: true },
  )
  return polls
}

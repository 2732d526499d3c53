import fc from 'fast-check'

import { type AnyCommand, commandOf } from '../adversary/model-command.ts'
import { readings } from './sync-client.ts'
import { SyncModel } from './sync-model.ts'
import { dayMs, kinds, type WorldSettings } from './sync-world.ts'

function command<T>(
  name: string,
  argument: fc.Arbitrary<T>,
  step: (model: SyncModel, argument: T) => void | Promise<void>,
): AnyCommand<SyncModel> {
  return commandOf(name, argument, step)
}

const clients = 3
const client = fc.nat({ max: clients - 1 })
const some = fc.nat({ max: 5 })
const kind = fc.constantFrom(...kinds)
const record = fc.tuple(kind, fc.nat({ max: 3 }))
const sync = fc.record({
  client,
  node: some,
  reading: fc.constantFrom(...readings),
  limit: fc.constantFrom(null, null, 1, 2, 5),
})
const hidden = fc.subarray([...kinds]).map((hide) => ({
  options: Object.fromEntries(kinds.map((it) => [it, { show: !hide.includes(it) }])),
}))
const changes = fc.oneof(
  hidden,
  fc.constantFrom('Work', 'Away').map((name) => ({ name })),
  fc.constantFrom('en', 'de').map((locale) => ({ locale })),
)
const rotation = fc.tuple(fc.constantFrom(0, 7), fc.boolean())
const waits = fc.constantFrom(300, 1000, 61_000, 61_000, 3_600_000, dayMs)
const sets = fc.constantFrom(-dayMs, -3_600_000, 3_600_000, 3 * dayMs, 401 * dayMs)

/** Each with its weight. */
const weighted: readonly (readonly [number, AnyCommand<SyncModel>])[] = [
  [16, command('sync', sync, (model, it) => model.sync(it))],
  [3, command('syncAtOnce', fc.tuple(sync, sync), (model, it) => model.syncAtOnce(...it))],
  [8, command('readOnce', sync, (model, it) => model.readOnce(it))],
  [8, command('put', record, ({ world }, it) => world.put(...it))],
  [4, command('edit', record, ({ world }, it) => world.edit(...it))],
  [6, command('remove', record, ({ world }, it) => world.remove(...it))],
  [4, command('wait', waits, ({ world }, ms) => world.wait(ms))],
  [3, command('save', client, (model, it) => model.save(it))],
  [3, command('goBack', fc.tuple(client, some), (model, it) => model.goBack(...it))],
  [3, command('move', fc.tuple(client, some), (model, it) => model.move(...it))],
  [2, command('poll', fc.tuple(some, some), ({ world }, it) => world.pollLink(...it))],
  [1, command('removeAll', fc.constant(null), ({ world }) => world.removeAll())],
  [2, command('patch', changes, ({ world }, it) => world.patch(it))],
  [2, command('setClock', sets, ({ world }, ms) => world.setClock(ms))],
  [1, command('fail', kind, ({ world }, it) => world.fail(it))],
  [1, command('heal', fc.constant(null), ({ world }) => world.heal())],
  [1, command('addLink', fc.constant(null), ({ world }) => world.addLink())],
  [1, command('rotate', rotation, ({ world }, it) => world.rotate(...it))],
  [1, command('restart', some, ({ world }, node) => world.restart(node))],
  [1, command('publishAsBefore', fc.constant(null), ({ world }) => world.publishAsBefore())],
  [1, command('forgetHistories', fc.constant(null), ({ world }) => world.forgetHistories())],
  [1, command('backUp', fc.constant(null), ({ world }) => world.backUp())],
  [1, command('restore', fc.constant(null), ({ world }) => world.restore())],
  [1, command('closeAndReopen', fc.constant(null), ({ world }) => world.closeAndReopen())],
]
const commands = weighted.flatMap(([times, one]) => Array.from({ length: times }, () => one))

type Counts = SyncModel['counts']

/** Checks the rules of SyncModel in random histories; returns how often each outcome was seen. */
export async function checkSyncHistories(settings: {
  readonly databaseUrl: () => Promise<string>
  readonly nodes: number
  readonly runs: number
  readonly steps: number
}): Promise<Counts> {
  const counts: Counts = { syncs: 0, taken: 0, refused: 0 }
  const { nodes, runs, steps } = settings
  const histories = fc.commands(commands, { maxCommands: steps, size: 'max' })
  const freshSeconds = fc.constantFrom<WorldSettings['freshSeconds'][]>(0, 60)
  await fc.assert(
    fc.asyncProperty(freshSeconds, histories, async (fresh, history) => {
      const databaseUrl = await settings.databaseUrl()
      const world = { databaseUrl, nodes, freshSeconds: fresh }
      const model = await SyncModel.start(world, clients)
      try {
        await fc.asyncModelRun(() => ({ model: {}, real: model }), history)
        for (let one = 0; one < clients; one += 1) {
          await model.sync({ client: one, node: one, reading: 'inline', limit: null })
        }
      } finally {
        for (const name of ['syncs', 'taken', 'refused'] as const) {
          counts[name] += model.counts[name]
        }
        await model.close()
      }
    }),
    { numRuns: runs, interruptAfterTimeLimit: 900_000 },
  )
  return counts
}

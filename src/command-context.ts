import type { CommandContext } from './cli/context.ts'
import { readCsv } from './feeds/read-csv.ts'
import { sandboxTools } from './sandbox-tools.ts'
import { openServices, type Surroundings } from './services.ts'
import type { Config } from './settings/read-settings.ts'
import { httpUrl } from './web/listen.ts'

/** What a process does for its commands: where it writes, and how it goes on until it is told to end. */
export interface CommandEdge extends Pick<CommandContext, 'print' | 'warn' | 'progress' | 'serve'> {
  /** Closes what runs when the process is to end. */
  readonly untilEnd: (close: () => Promise<void>) => void
}

/** Everything that commands are given, by the same wiring as the server's. */
export function commandContext(
  config: Config,
  surroundings: Surroundings,
  { untilEnd, ...edge }: CommandEdge,
): CommandContext {
  return {
    ...edge,
    readCsv,
    workforce: sandboxTools(config, surroundings, untilEnd),
    withUseCases: async (work) => {
      const publicUrl = config.publicUrl ?? httpUrl(config.host, config.port)
      const services = await openServices(config, surroundings, publicUrl)
      const { snapshots, store, prover, administration, examiner, connections } = services
      const staleMs = config.feedStaleMs
      const { clock } = surroundings
      const exporting = { snapshots, copies: store.snapshots, prover, clock, staleMs }
      try {
        await work({ administration, examiner, connections, exporting, erasing: store })
      } finally {
        await services.close()
      }
    },
  }
}

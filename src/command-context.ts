import type { CommandContext } from './cli/context.ts'
import { sandboxTools } from './sandbox-tools.ts'
import { openServices, type Surroundings } from './services.ts'
import type { Settings } from './settings/read-settings.ts'
import { httpUrl } from './web/listen.ts'

/** What a process does for its commands: where it writes, and how it goes on until it is told to end. */
export interface CommandEdge extends Pick<CommandContext, 'print' | 'warn' | 'progress' | 'serve'> {
  /** Closes what runs when the process is to end. */
  readonly untilEnd: (close: () => Promise<void>) => void
}

/** Everything that commands are given, by the same wiring as the server's. */
export function commandContext(
  settings: Settings,
  surroundings: Surroundings,
  { untilEnd, ...edge }: CommandEdge,
): CommandContext {
  return {
    ...edge,
    workforce: sandboxTools(settings, surroundings, untilEnd),
    withUseCases: async (work) => {
      const publicUrl = settings.publicUrl ?? httpUrl(settings.host, settings.port)
      const services = await openServices(settings, surroundings, publicUrl)
      try {
        await work(services)
      } finally {
        await services.close()
      }
    },
  }
}

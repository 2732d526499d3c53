import type { CommandContext } from './cli/context.ts'
import { backUpDatabase } from './database/database.ts'
import { commandLine } from './domain/access/staff.ts'
import { AppError } from './domain/errors.ts'
import type { Log } from './domain/world.ts'
import { findPublicUrl } from './running-server.ts'
import { sandboxTools } from './sandbox-tools.ts'
import { openServices } from './services.ts'
import type { Settings } from './settings/read-settings.ts'
import type { Surroundings } from './surroundings.ts'
import { httpUrl } from './web/listen.ts'

/** What a process does for its commands: where it writes, and how it goes on until it is told to end. */
export interface CommandEdge extends Pick<
  CommandContext,
  'input' | 'stream' | 'print' | 'warn' | 'progress' | 'interruption' | 'serve' | 'versions'
> {
  /** Closes what runs when the process is to end. */
  readonly untilEnd: (close: () => Promise<void>) => void
}

/** What the environment says, and the world as this process has it. */
export interface Setup {
  readonly settings: Settings
  readonly surroundings: Surroundings
}

/** Everything that commands are given, by the same wiring as the server's; `setUp` is asked by those that need it. */
export function commandContext(
  setUp: () => Setup,
  { untilEnd, ...edge }: CommandEdge,
): CommandContext {
  return {
    ...edge,
    backUp: (file, onPages) =>
      backUpDatabase(setUp().settings.databaseUrl, file, {
        onPages,
        signal: edge.interruption(backupEnded()),
      }),
    workforce: sandboxTools(setUp, untilEnd),
    withUseCases: async (work) => {
      const { settings, surroundings } = setUp()
      const publicUrl = settings.publicUrl ?? (await findPublicUrl(settings.dataDirectory))
      const assumed = httpUrl(settings.host, settings.port)
      const world = { ...surroundings, log: withoutDeeds(surroundings.log) }
      const services = await openServices(settings, world, publicUrl ?? assumed)
      try {
        const administration = services.administrationBy(commandLine)
        await work({
          ...services,
          administration,
          assumedUrl: publicUrl === undefined ? assumed : undefined,
        })
      } finally {
        await services.close()
      }
    },
  }
}

/** Whoever runs a command sees what it does; the audit has it as well. */
function withoutDeeds(log: Log): Log {
  return {
    debug: (data, event) => log.debug(data, event),
    info: (data, event) => log['actor' in data ? 'debug' : 'info'](data, event),
    warn: (data, event) => log['actor' in data ? 'debug' : 'warn'](data, event),
    error: (data, event) => log.error(data, event),
  }
}

function backupEnded(): AppError {
  return new AppError('unavailable', 'It was ended before it was done; nothing was kept.')
}

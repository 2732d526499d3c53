import type { CommandContext } from '../cli/context.ts'
import { commandLine } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import type { Setup } from './world.ts'

type Edge = Omit<
  CommandContext,
  'backUp' | 'restore' | 'planMigration' | 'migrate' | 'workforce' | 'withUseCases'
>

const nothingKept = new AppError('unavailable', 'Stopped before the end; nothing was kept.')

/** Returns the context of commands, wired like the server. Everything is loaded on demand, so that help is instant. */
export function commandContext(setUp: () => Promise<Setup>, edge: Edge): CommandContext {
  const interruptible = <T>(onPages: T) => ({ onPages, signal: edge.interruption(nothingKept) })
  return {
    ...edge,
    backUp: async (target, onPages) => {
      const { settings, surroundings } = await setUp()
      const { backUp } = await import('./backups.ts')
      return backUp(settings, target, { ...interruptible(onPages), now: surroundings.clock.now() })
    },
    restore: async (input, onPages) => {
      const { settings, surroundings } = await setUp()
      const { restore } = await import('./backups.ts')
      return restore(settings, input, { ...interruptible(onPages), now: surroundings.clock.now() })
    },
    planMigration: async (onPages) => {
      const { settings } = await setUp()
      const { planMigration } = await import('./migration.ts')
      return planMigration(settings, interruptible(onPages))
    },
    migrate: async () => {
      const { settings } = await setUp()
      const { migrateStore } = await import('./migration.ts')
      return migrateStore(settings)
    },
    workforce: async () => {
      const setup = await setUp()
      const { sandboxTools } = await import('./sandbox.ts')
      return sandboxTools(setup)
    },
    withUseCases: async (work) => {
      const { settings, surroundings } = await setUp()
      const { findPublicUrl } = await import('./data-directory.ts')
      const { openServices } = await import('./services.ts')
      const { httpUrl } = await import('../web/listen.ts')
      const publicUrl = settings.publicUrl ?? (await findPublicUrl(settings.dataDirectory))
      const assumed = httpUrl(settings.host, settings.port)
      const world = { ...surroundings, log: withoutAuditEvents(surroundings.log) }
      const services = await openServices(settings, world, publicUrl ?? assumed)
      try {
        const administration = services.administrationBy(commandLine)
        const assumedUrl = publicUrl === undefined ? assumed : undefined
        await work({ ...services, administration, assumedUrl })
      } finally {
        await services.close()
      }
    },
  }
}

/** A command prints what it does, and the audit log records it too. */
function withoutAuditEvents(log: Log): Log {
  return {
    debug: (data, event) => log.debug(data, event),
    info: (data, event) => log['actor' in data ? 'debug' : 'info'](data, event),
    warn: (data, event) => log['actor' in data ? 'debug' : 'warn'](data, event),
    error: (data, event) => log.error(data, event),
  }
}

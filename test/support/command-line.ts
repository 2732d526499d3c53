/* The command line as `main.ts` runs it, in this process: its exit code and what it writes. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { runCommandLine } from '../../src/cli/command-line.ts'
import type { CommandContext } from '../../src/cli/context.ts'
import { createProgress } from '../../src/cli/progress.ts'
import { commandContext } from '../../src/command-context.ts'
import { readConfig } from '../../src/settings/read-settings.ts'
import { systemClock } from '../../src/system-clock.ts'
import { silentLog } from './silent-log.ts'

export interface CommandResult {
  readonly code: number
  /** What went to standard output and to standard error. */
  readonly output: string
  readonly errors: string
}

/** Runs one command in an environment, with a database of its own unless that names one. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<CommandResult> {
  const directory = await mkdtemp(path.join(tmpdir(), 'bridge-command-'))
  const written = { output: '', errors: '' }
  try {
    const context = contextOf({ ...databasesIn(directory), ...environment }, written)
    const code = await runCommandLine(words, context)
    return { code, ...written }
  } finally {
    await rm(directory, { recursive: true })
  }
}

function databasesIn(directory: string): Record<string, string> {
  return {
    DATABASE_URL: `file:${directory}/bridge.sqlite`,
    WORKFORCE_DATABASE_URL: `file:${directory}/workforce.sqlite`,
  }
}

function contextOf(
  environment: Readonly<Record<string, string>>,
  written: { output: string; errors: string },
): CommandContext {
  const surroundings = { clock: systemClock, log: silentLog, versions: 'test' }
  return commandContext(readConfig(environment), surroundings, {
    print: (text) => {
      written.output += `${text}\n`
    },
    warn: (text) => {
      written.errors += `${text}\n`
    },
    progress: createProgress({
      isTerminal: false,
      write: (text) => {
        written.errors += text
      },
    }),
    serve: () => Promise.reject(new Error('Only main.ts serves.')),
    untilEnd: () => {
      throw new Error('Only main.ts runs on.')
    },
  })
}

/* The program as a process, in a folder of its own. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

const entry = path.resolve(import.meta.dirname, '../../../src/entry.cjs')

export interface ProgramSettings {
  /** The working directory. */
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  /** Of Node, before the program. */
  readonly flags?: readonly string[]
  /** How many files it may have open; as many as this process where it is left out. */
  readonly openFilesMax?: number
  /** Where another version of the program begins. */
  readonly program?: string
}

export interface RunningProgram {
  /** Everything on standard output up to and with the page's address, line by line. */
  readonly lines: readonly string[]
  /** Ends it by SIGTERM and gives its exit code and what it wrote on standard error. */
  stop(): Promise<{ code: number | null; errors: string }>
}

export interface ProgramResult {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

type Child = ChildProcessByStdio<null, Readable, Readable>

/** Runs a command to its end. */
export function runProgram(
  words: readonly string[],
  settings: ProgramSettings,
): Promise<ProgramResult> {
  return resultOf(spawnProgram(words, settings))
}

/** What the process has written and its exit code, once it has ended. */
export async function resultOf(child: Child): Promise<ProgramResult> {
  const exited = once(child, 'exit')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await exited) as [number | null]
  return { code, output, errors }
}

/** Starts the server and waits until it has said where its sample calendar is. */
export async function serveProgram(settings: ProgramSettings): Promise<RunningProgram> {
  const child = spawnProgram(['serve'], settings)
  const errors = text(child.stderr)
  let output = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    output += part
    if (/^http\S+\/feeds\/cfb_[\w-]{43}$/m.test(output)) break
  }
  if (output === '') throw new Error(await errors)
  return {
    lines: output.split('\n'),
    stop: async () => {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      return { code, errors: await errors }
    },
  }
}

/** The process itself, which knows nothing of this one's environment. */
export function spawnProgram(
  words: readonly string[],
  { folder, environment = {}, flags = [], openFilesMax, program = entry }: ProgramSettings,
): Child {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const command = [process.execPath, ...flags, program, ...words]
  const limited = ['/bin/sh', '-c', 'ulimit -n "$0" && exec "$@"', String(openFilesMax)]
  const [file = '', ...rest] = openFilesMax === undefined ? command : [...limited, ...command]
  return spawn(file, rest, {
    cwd: folder,
    env: { PATH, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

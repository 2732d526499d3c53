/* A node of several: the program as a process of its own, on a database that it shares. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { type ProgramSettings, spawnProgram } from './program.ts'

export interface BridgeNode {
  readonly port: number
  /** Ends the process as a crash does. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Ends one of its workers by SIGTERM. */
  endWorker(): Promise<void>
}

/** Starts the server in that folder, or that of another version, and waits until it listens. */
export async function startNode(
  folder: string,
  environment: Readonly<Record<string, string>>,
  version: Pick<ProgramSettings, 'program'> = {},
): Promise<BridgeNode> {
  const port = Number(environment['PORT'])
  const child = spawnProgram(['serve', '--json'], {
    folder,
    environment: { LOG_LEVEL: 'silent', ...environment },
    ...version,
  })
  const errors = text(child.stderr)
  const exited = once(child, 'exit')
  const started = once(createInterface(child.stdout), 'line')
  await Promise.race([started, exited])
  if (child.exitCode !== null) throw new Error(await errors)
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    child.kill(signal)
    await exited
  }
  const endWorker = async (): Promise<void> => {
    const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    process.kill(Number(children.split(' ')[0]), 'SIGTERM')
  }
  return { port, kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), endWorker }
}

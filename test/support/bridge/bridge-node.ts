/* A node of several: the program as a process of its own, on a database that it shares. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { childrenOf } from './process-tree.ts'
import { type ProgramSettings, spawnProgram } from './program.ts'

export interface BridgeNode {
  readonly port: number
  /** Ends the process as a crash does. */
  kill(): Promise<void>
  stop(): Promise<void>
  /** Ends one of its workers by SIGTERM. */
  endWorker(): void
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
  const endWorker = (): void => {
    process.kill(childrenOf(child.pid)[0]!, 'SIGTERM')
  }
  return { port, kill: () => end('SIGKILL'), stop: () => end('SIGTERM'), endWorker }
}

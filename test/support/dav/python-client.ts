/* A client driven by a small Python program: one request a line on its standard input, one answer a line on its output. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { neededProgram } from '../deploy/needed-program.ts'
import type { ClientAccount, RealClient, SyncResult } from './real-client.ts'
import { openSession } from './session.ts'

/** A file that must be installed, and the Debian package that contains it. */
export interface Needed {
  readonly file: string
  readonly packageName: string
}

interface PythonClientSettings {
  readonly program: string
  readonly needed: readonly Needed[]
  /** Whether it needs a message bus. */
  readonly isOnBus: boolean
}

export function startPythonClient({ program, needed, isOnBus }: PythonClientSettings): RealClient {
  const python = { file: '/usr/bin/python3', packageName: 'python3' }
  for (const { file, packageName } of [python, ...needed]) {
    if (existsSync(file)) continue
    throw new Error(`This test needs ${file}: install the Debian package ${packageName}.`)
  }
  const session = openSession(path.basename(program, '.py'))
  const words = [python.file, path.join(import.meta.dirname, program), session.folder]
  const bus = isOnBus ? [neededProgram('dbus-run-session', 'dbus'), '--'] : []
  const [command = '', ...rest] = [...bus, ...words]
  const child = spawn(command, rest, {
    cwd: session.folder,
    env: session.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ask = async (name: string, values: object = {}): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ do: name, ...values })}\n`)
    const { value: line } = (await lines.next()) as { readonly value: string | undefined }
    if (line === undefined) throw new Error(`${program} has ended: ${said}`)
    const answer = JSON.parse(line) as { readonly value?: unknown; readonly error?: string }
    if (answer.error !== undefined) throw new Error(`${program}, ${name}: ${answer.error}`)
    return answer.value
  }
  return {
    add: async (account: ClientAccount) => void (await ask('add', account)),
    sync: async () => (await ask('sync')) as SyncResult,
    held: async () => (await ask('held')) as readonly string[],
    usePassword: async (password) => void (await ask('use_password', { password })),
    close: async () => {
      child.stdin.end()
      session.end()
      await exited
    },
  }
}

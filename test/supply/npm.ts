import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'

const root = path.resolve(import.meta.dirname, '../..')

/** What npm prints, asked in the program's folder; its own errors are passed on. */
export async function runNpm(...words: readonly string[]): Promise<string> {
  const npm = spawn('npm', words, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(npm.stdout), once(npm, 'exit')])
  return output
}

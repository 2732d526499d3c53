/* vdirsyncer, which keeps a folder with one file for each event. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { neededProgram } from '../deploy/needed-program.ts'
import type { RealClient } from './real-client.ts'
import { openSession } from './session.ts'

export function startVdirsyncer(): RealClient {
  const program = neededProgram('vdirsyncer', 'vdirsyncer')
  const session = openSession('vdirsyncer')
  const { folder, environment } = session
  const at = (name: string): string => path.join(folder, name)
  const run = async (word: string): Promise<{ readonly code: unknown; readonly said: string }> => {
    const child = spawn(program, ['--config', at('settings'), word], { env: environment })
    // It asks whether to create the folder.
    child.stdin.end('y\n')
    const exited = once(child, 'exit')
    const said = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = (await exited) as unknown[]
    return { code, said: said.join('') }
  }
  return {
    add: async ({ url, user, password }) => {
      writeFileSync(at('password'), password)
      writeFileSync(at('settings'), settingsOf(folder, url, user))
      const { code, said } = await run('discover')
      if (code !== 0) throw new Error(said)
      const first = await run('sync')
      if (first.code !== 0) throw new Error(first.said)
    },
    sync: async () => {
      const { code, said } = await run('sync')
      if (code === 0) return 'done'
      if (said.includes('Unauthorized')) return 'refused'
      throw new Error(said)
    },
    held: async () => globSync(at('calendars/*/*.ics')).map((file) => readFileSync(file, 'utf8')),
    usePassword: async (password) => {
      writeFileSync(at('password'), password)
      // It refuses to synchronise a changed configuration before `discover`.
      const { code, said } = await run('discover')
      if (code !== 0) throw new Error(said)
    },
    close: async () => session.end(),
  }
}

function settingsOf(folder: string, url: string, user: string): string {
  return `
[general]
status_path = "${folder}/status"
[pair work]
a = "bridge"
b = "here"
collections = ["from a"]
conflict_resolution = "a wins"
partial_sync = "revert"
metadata = ["displayname", "color"]
[storage bridge]
type = "caldav"
url = "${url}"
username = "${user}"
password.fetch = ["command", "cat", "${folder}/password"]
read_only = true
[storage here]
type = "filesystem"
path = "${folder}/calendars"
fileext = ".ics"
`
}

/* The systemd units as systemd reads them, and what the program needs against what they allow. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { expect, inject, it } from 'vitest'

import { childrenOf } from '../support/bridge/process-tree.ts'
import { deployed } from '../support/deploy/files.ts'
import { neededProgram } from '../support/deploy/needed-program.ts'
import { services, valuesOf } from '../support/deploy/units.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Ten times what systemd calls the exposure. */
const exposureMax = 20

it('systemd finds nothing wrong, and little that each service is exposed to', () => {
  const folder = mkdtempSync(path.join(inject('temporaryFolder'), 'units-'))
  const files = readdirSync(path.join(root, 'deploy/systemd')).map((name) => {
    const file = path.join(folder, name)
    writeFileSync(file, deployed(`systemd/${name}`).replaceAll('/opt/calendar-feed-bridge', root))
    return file
  })
  expect(analyze('verify', ...files)).toMatchObject({ status: 0, stderr: '' })
  for (const file of files.filter((name) => name.endsWith('.service'))) {
    const { status, stdout } = analyze(
      'security',
      '--offline=true',
      `--threshold=${exposureMax}`,
      file,
    )
    expect([status, stdout]).toEqual([0, expect.stringContaining('Overall exposure level')])
  }
})

it('the services may make every system call that the program makes', async () => {
  const allowed = new Set<string>()
  for (const filter of valuesOf(services[0] ?? '', 'SystemCallFilter')) {
    const calls = filter.replace(/^~/, '').split(' ').flatMap(callsOf)
    for (const call of calls) {
      if (filter.startsWith('~')) allowed.delete(call)
      else allowed.add(call)
    }
  }
  const made = await callsOfServer()
  expect(made.size).toBeGreaterThan(50)
  // SQLite gives its files to another account only as root, which the services are not.
  made.delete('fchown')
  expect([...made].filter((call) => !allowed.has(call))).toEqual([])
})

function analyze(...words: readonly string[]): {
  status: number | null
  stdout: string
  stderr: string
} {
  return spawnSync(neededProgram('systemd-analyze', 'systemd'), ['--no-pager', ...words], {
    encoding: 'utf8',
  })
}

/** The system calls of a set, those of the sets in it too. */
function callsOf(name: string): readonly string[] {
  if (!name.startsWith('@')) return [name]
  const { stdout } = analyze('syscall-filter', name)
  const listed = [...stdout.matchAll(/^ {4}([@\w-]+)$/gm)].map(([, member = '']) => member)
  return listed.flatMap(callsOf)
}

/** Every system call of a server from its start to its end, which has made, served and backed up a calendar. */
async function callsOfServer(): Promise<Set<string>> {
  const folder = mkdtempSync(path.join(inject('temporaryFolder'), 'traced-'))
  const traced = [
    neededProgram('strace', 'strace'),
    '--follow-forks',
    '--output=calls',
    process.execPath,
  ]
  const [command, ...words] = [...traced, path.join(root, 'src/entry.cjs')]
  const start = (...more: readonly string[]) =>
    spawn(command, [...words, ...more], {
      cwd: folder,
      env: { PORT: '0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const server = start('serve', '--json')
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const { calendar } = JSON.parse(line) as { readonly calendar: string }
  expect((await fetch(calendar)).status).toBe(200)
  process.kill(childrenOf(server.pid)[0]!, 'SIGTERM')
  expect(await once(server, 'exit')).toEqual([0, null])
  const calls = namesIn(path.join(folder, 'calls'))
  expect(await once(start('backup', '--directory', 'copies', '--keep', '2'), 'exit')).toEqual([
    0,
    null,
  ])
  return calls.union(namesIn(path.join(folder, 'calls')))
}

function namesIn(file: string): Set<string> {
  const lines = readFileSync(file, 'utf8').matchAll(/^\d+ +([a-z]\w*)\(/gm)
  return new Set([...lines].map(([, name = '']) => name))
}

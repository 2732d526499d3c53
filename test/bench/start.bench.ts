/*
 * The program's start once Node has compiled it, beside Node's own: the processor time of `--version`, and of a server on a
 * database that is there already, until it says where it listens.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'

import { it, onTestFinished } from 'vitest'

import { noteRatio } from '../support/bench/measured-ratios.ts'
import { median } from '../support/bench/ratios.ts'
import { processorTimeOf } from '../support/bridge/production.ts'
import { end } from '../support/web/ask.ts'

const rounds = 5
/** So many in a row, since a shell counts hundredths of a second. */
const startsOfRound = 10
const versionRatioMax = 5
const serverRatioMax = 50

const entry = path.resolve(import.meta.dirname, '../../src/entry.cjs')
const processorProcess = path.resolve(import.meta.dirname, '../support/bench/processor-process.ts')

it('the start of the program', { timeout: 300_000 }, async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bridge-start-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const from = { cwd: folder, env: { PATH, NODE_COMPILE_CACHE, PORT: '0' } }
  const nodeMs = (...words: readonly string[]): number => {
    const command = `for _ in ${Array(startsOfRound).fill('.').join(' ')}; do "$@" >&2; done; times`
    const told = execFileSync('/bin/sh', ['-c', command, 'sh', process.execPath, ...words], {
      ...from,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return millisecondsOf(told.trim().split('\n').at(-1) ?? '') / startsOfRound
  }
  const serverMs = async (): Promise<number> => {
    const words = ['--import', processorProcess, entry, 'serve', '--json']
    const child = spawn(process.execPath, words, {
      ...from,
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    })
    await once(createInterface(child.stdout!), 'line')
    const usedMs = (await processorTimeOf(child)) / 1000
    await end(child)
    return usedMs
  }
  nodeMs(entry, '--version')
  await serverMs()
  const ratios: { readonly version: number; readonly server: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const [bare, version, server] = [
      nodeMs('-e', '0'),
      nodeMs(entry, '--version'),
      await serverMs(),
    ]
    console.log(
      `node -e 0 ${bare.toFixed(0)} ms, --version ${version.toFixed(0)} ms, serve ${server.toFixed(0)} ms of CPU`,
    )
    ratios.push({ version: version / bare, server: server / bare })
  }
  const row = { against: '`node -e 0`', bench: 'start' }
  noteRatio({
    ...row,
    measure: '`--version`, once compiled: processor time',
    bound: { most: versionRatioMax },
    measured: median(ratios.map(({ version }) => version)),
  })
  noteRatio({
    ...row,
    measure: '`npm start` on a kept database until it listens, once compiled: processor time',
    bound: { most: serverRatioMax },
    measured: median(ratios.map(({ server }) => server)),
  })
})

/** Of a line such as `0m0.45s 0m0.06s`, user and system, as the shell counts its children's time. */
function millisecondsOf(line: string): number {
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  )
}

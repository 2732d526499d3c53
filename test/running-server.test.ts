/* How commands find the server that runs on their data, and know that one has crashed. */
import { once } from 'node:events'
import { mkdtemp, readdir, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'

import { afterAll, beforeAll, expect, inject, it as bareIt } from 'vitest'

import {
  findPublicUrl,
  keepRunningServer,
  type RunningServer,
} from '../src/process/data-directory.ts'
import { startBridge, type TestBridge } from './support/bridge/bridge.ts'
import { runCommand } from './support/bridge/command-line.ts'
import { type LogLine, recordedLog } from './support/bridge/recorded-log.ts'
import { silentLog } from './support/bridge/silent-log.ts'

const publicUrl = 'https://calendar.example.com/work'

let bridge: TestBridge

beforeAll(async () => {
  bridge = await startBridge()
})

afterAll(() => bridge.close())

const it = bareIt
  .extend('folder', () => mkdtemp(path.join(inject('temporaryFolder'), 'running-')))
  .extend('server', (): RunningServer => {
    const { url, instance } = bridge
    return { listensAt: url, publicUrl, instance }
  })

it('a running server is found by accounts that may read its folder', async ({ server, folder }) => {
  const data = path.join(folder, 'data')
  const forget = await keepRunningServer(data, server, silentLog)
  expect(await findPublicUrl(data)).toBe(publicUrl)
  expect(await findPublicUrl(folder)).toBeUndefined()
  expect(await readdir(data)).toEqual(['running.json'])
  expect((await stat(path.join(data, 'running.json'))).mode & 0o777).toBe(0o600)
  forget()
  expect(await readdir(data)).toEqual([])
  expect(await findPublicUrl(data)).toBeUndefined()
})

it('printed links begin with the public address of the server, unless another is set', async ({
  server,
  folder,
}) => {
  await keepRunningServer(folder, server, silentLog)
  const environment = { DATABASE_URL: `file:${folder}/bridge.sqlite`, PORT: '0' }
  const words = ['feed', 'create', '--user', 'usr_ada']
  const found = await runCommand(environment, ...words)
  expect(found.output).toMatch(/\bhttps:\/\/calendar\.example\.com\/work\/feeds\/cfb_/)
  const set = await runCommand(
    { ...environment, PUBLIC_URL: 'https://other.example.com' },
    ...words,
  )
  expect(set.output).toMatch(/\bhttps:\/\/other\.example\.com\/feeds\/cfb_/)
})

it('the file of a crashed server has no effect, even if another server uses its port', async ({
  server,
  folder,
}) => {
  await keepRunningServer(folder, { ...server, listensAt: 'http://127.0.0.1:9' }, silentLog)
  expect(await findPublicUrl(folder)).toBeUndefined()
  await keepRunningServer(folder, { ...server, instance: 'another' }, silentLog)
  expect(await findPublicUrl(folder)).toBeUndefined()
  const forget = await keepRunningServer(folder, server, silentLog)
  expect(await findPublicUrl(folder)).toBe(publicUrl)
  forget()
})

it('a server that ends keeps the file of its successor', async ({ server, folder }) => {
  const forget = await keepRunningServer(folder, { ...server, instance: 'before' }, silentLog)
  await keepRunningServer(folder, server, silentLog)
  forget()
  expect(await findPublicUrl(folder)).toBe(publicUrl)
})

it('links are printed with a note if no running server tells their address', async () => {
  const made = await runCommand({ PORT: '0' }, 'feed', 'create', '--user', 'usr_ada')
  expect([made.code, made.errors]).toEqual([
    0,
    'The bridge is not running; the addresses assume http://127.0.0.1:0. Set PUBLIC_URL, or start it first.\n',
  ])
})

it('a server too busy to answer counts as running, and only a web address is printed', async ({
  folder,
}) => {
  const busy = createServer().listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const { port } = busy.address() as AddressInfo
  const server = { listensAt: `http://127.0.0.1:${port}`, publicUrl, instance: 'busy' }
  await keepRunningServer(folder, server, silentLog)
  expect(await findPublicUrl(folder, 50)).toBe(publicUrl)
  const forged = { ...server, publicUrl: 'javascript:alert(1)' }
  await writeFile(path.join(folder, 'running.json'), JSON.stringify(forged))
  expect(await findPublicUrl(folder, 50)).toBeUndefined()
  busy.closeAllConnections()
  busy.close()
})

it.each([
  '',
  'null',
  '[]',
  '{"listensAt": 1}',
  '{"listensAt":"file:///","publicUrl":"","instance":""}',
])('a file with the text %j has no effect', async (text) => {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'running-'))
  await writeFile(path.join(folder, 'running.json'), text)
  expect(await findPublicUrl(folder)).toBeUndefined()
})

it('an unwritable folder stops no server', async ({ server, folder }) => {
  const file = path.join(folder, 'file')
  await writeFile(file, '')
  const logged: LogLine[] = []
  const forget = await keepRunningServer(file, server, recordedLog(logged))
  forget()
  expect(logged.map(({ event }) => event)).toEqual(['address_not_kept'])
})

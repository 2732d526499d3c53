/* The program on the sample company as a process of its own, seen as its operator sees it: by what /proc says of it. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

import { inject } from 'vitest'

import { adminToken } from '../bridge/bridge.ts'
import { usageOfTree } from '../bridge/process-tree.ts'
import { type ProgramSettings, spawnProgram } from '../bridge/program.ts'

export interface ExposedProgram {
  readonly url: string
  /** Of the embedded Read API. */
  readonly sandboxUrl: string
  /** Of the sample's own feed. */
  readonly calendar: string
  readonly page: string
  isAlive(): boolean
  residentBytes(): number
  /** Of all its threads. */
  processorMs(): number
  /** How many connections it holds with clients at other addresses than its own, which attackers and honest clients have. */
  connections(): number
  /** Ends it by SIGTERM; gives its exit code and the events of its log. */
  stop(): Promise<{ readonly code: number | null; readonly events: readonly string[] }>
}

/** What V8 and malloc keep in reserve grows for minutes and hides what leaks: they may keep little. */
const malloc = { MALLOC_ARENA_MAX: '1', MALLOC_TRIM_THRESHOLD_: '131072' }

/** Starts it in an empty folder, and waits until it has said all its addresses. */
export async function startExposed(
  environment: Readonly<Record<string, string>>,
  limits: Pick<ProgramSettings, 'openFilesMax'> = {},
): Promise<ExposedProgram> {
  const folder = mkdtempSync(path.join(inject('temporaryFolder'), 'exposed-'))
  const child = spawnProgram(['serve'], {
    folder,
    ...limits,
    flags: ['--max-semi-space-size=2'],
    environment: { ...malloc, PORT: '0', ADMIN_TOKEN: adminToken, ...environment },
  })
  const errors = text(child.stderr)
  const exited = once(child, 'exit')
  const said = new Map<string, string>()
  const lines = createInterface(child.stdout).on('line', (line) => {
    for (const [name, pattern] of Object.entries(addresses)) {
      const found = pattern.exec(line)?.[1]
      if (found !== undefined) said.set(name, found)
    }
  })
  while (said.size < Object.keys(addresses).length) {
    await Promise.race([once(lines, 'line'), exited])
    if (child.exitCode !== null) throw new Error(await errors)
  }
  const of = (name: keyof typeof addresses): string => said.get(name) ?? ''
  return {
    url: of('url'),
    sandboxUrl: of('sandboxUrl'),
    calendar: of('calendar'),
    page: of('page'),
    isAlive: () => child.exitCode === null && child.signalCode === null,
    residentBytes: () => usageOfTree(child.pid).residentBytes,
    processorMs: () => usageOfTree(child.pid).cpuMs,
    connections: () => connectionsOf(child.pid),
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = (await exited) as [number | null]
      return { code, events: eventsIn(await errors) }
    },
  }
}

const addresses = {
  url: /^Listens at (\S+)$/,
  calendar: /^(http\S+\.ics)$/,
  page: /^(http\S+\/feeds\/cfb_[\w-]{43})$/,
  sandboxUrl: /^The sandbox: .* (http\S+)\/sandbox\.$/,
}

/** Lines of proc_net_tcp(5): the address of the peer is the third field, the socket the tenth. */
function connectionsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}`
  const sockets = new Set(
    readdirSync(`${folder}/fd`).map((file) => targetOf(`${folder}/fd/${file}`)),
  )
  const lines = readFileSync(`${folder}/net/tcp`, 'utf8').split('\n')
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , peer = '', , , , , , , socket]) => {
      return sockets.has(`socket:[${socket}]`) && !/^(?:0100007F|00000000)/.test(peer)
    }).length
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // Closed meanwhile.
    return ''
  }
}

function eventsIn(log: string): readonly string[] {
  return log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      try {
        return (JSON.parse(line) as { readonly msg?: string }).msg ?? line
      } catch {
        return line
      }
    })
}

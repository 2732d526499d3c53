/* A sandbox over real HTTP, on a database of either kind. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { systemClock } from '../../src/process/world.ts'
import { type ControlsDeps, openControls } from '../../src/sandbox/controls/controls.ts'
import {
  openSandboxDatabase,
  type SandboxDatabase,
} from '../../src/sandbox/records/sandbox-database.ts'
import { createSandboxApp, type SandboxAppDeps } from '../../src/sandbox/sandbox-app.ts'
import { hashOfKey } from '../../src/settings/fields.ts'
import type { CompanyFile } from '../../src/wire/company-file.ts'
import { silentLog } from '../support/bridge/silent-log.ts'
import { loadCompany } from './loading/load-company.ts'

/** What came of one request. */
export interface Told {
  readonly status: number
  readonly headers: Headers
  /** JSON where it is some, else the text. */
  readonly body: unknown
}

export interface SandboxServer {
  readonly database: SandboxDatabase
  /** Below the base path, with the key of a company where one is given. */
  read(path: string, company?: string, headers?: Readonly<Record<string, string>>): Promise<Told>
  /** Of what lies below the base path. */
  address(path: string): string
  /** Any request below the base path. */
  send(path: string, request: RequestInit): Promise<Told>
  /** What lies below `/sandbox`, with a JSON body where one is given. */
  control(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Told>
  load(company: CompanyFile, companyId?: string): Promise<unknown>
  close(): Promise<void>
}

/** A sandbox with a key for each of these companies: the company's own id; none where there are none. */
export async function startSandboxServer(
  databaseUrl: string,
  companies: readonly string[] = [],
  more: Partial<ControlsDeps & Pick<SandboxAppDeps, 'log'>> = {},
): Promise<SandboxServer> {
  const database = await openSandboxDatabase(databaseUrl)
  const keys = new Map(companies.map((id) => [hashOfKey(`key-of-${id}`), id]))
  const all = { database, keys, clock: systemClock, ...more }
  const controls = openControls(all)
  const app = createSandboxApp({ log: silentLog, ...all, controls })
  const server = createServer(app)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const address = (path: string): string => `${origin}/api/public/v1${path}`
  const send: SandboxServer['send'] = async (path, request) =>
    toldBy(await fetch(address(path), request))
  return {
    database,
    address,
    send,
    read: (path, company, headers = {}) => {
      const key = company === undefined ? {} : { Authorization: `Bearer key-of-${company}` }
      return send(path, { headers: { ...key, ...headers } })
    },
    control: async (method, path, body, headers = {}) => {
      const json = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const request = { method, headers: { ...json, ...headers }, redirect: 'manual' } as const
      const sent = body === undefined ? request : { ...request, body: JSON.stringify(body) }
      return toldBy(await fetch(`${origin}/sandbox${path}`, sent))
    },
    load: (company, companyId) => loadCompany(database, company, companyId),
    close: async () => {
      controls.imitation.close()
      server.close()
      server.closeAllConnections()
      await database.close()
    },
  }
}

async function toldBy(response: Response): Promise<Told> {
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '') && text !== ''
  const body: unknown = isJson ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body }
}

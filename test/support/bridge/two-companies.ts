/* A bridge of two companies, and tokens of every scope for its API. */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'

import { inject } from 'vitest'

import type { Role } from '../../../src/domain/access/staff.ts'
import { startCompanyServer } from '../company/company-server.ts'
import { ada, twoPeople } from '../company/people.ts'
import { adminToken, startBridge, type TestBridge } from './bridge.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'

/** Somebody whom only the second company knows. */
const zoe = { ...ada, id: 'usr_zoe', firstName: 'Zoe' }

export interface TwoCompanies {
  readonly bridge: TestBridge
  readonly clock: FakeClock
  readonly environment: Readonly<Record<string, string>>
  /** Any request with that token; a text that is no JSON goes as a table. */
  readonly ask: (
    token: string,
    method: string,
    address: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Reply>
  /** A new token, by the admin token. */
  readonly token: (name: string, role: Role, companyId?: string) => Promise<string>
  readonly close: () => Promise<void>
}

interface Reply {
  readonly status: number
  readonly text: string
  /** Undefined where it is none. */
  readonly json: Readonly<Record<string, unknown>>
  readonly headers: Headers
}

/** `north` and `south`; both know Ada and Bob, and only `south` knows Zoe. */
export async function startTwoCompanies(databaseUrl?: string): Promise<TwoCompanies> {
  const servers = [await startCompanyServer(), await startCompanyServer()]
  for (const { records } of servers) Object.assign(records, twoPeople())
  const south = servers[1]!.records
  Object.assign(south, { users: [...south.users, zoe] })
  const file = path.join(inject('temporaryFolder'), `${randomBytes(8).toString('hex')}.json`)
  const companies = ['north', 'south'].map((id, index) => ({
    id,
    baseUrl: servers[index]!.url,
    timezone: 'Europe/Berlin',
    projects: ['prj_web'],
  }))
  writeFileSync(file, JSON.stringify(companies))
  const environment = {
    COMPANIES_FILE: file,
    // Nobody is there: staff are those whom these settings name.
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'bridge',
    OIDC_SUPPORT: 'groups=support',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  }
  const clock = createFakeClock()
  const bridge = await startBridge({ clock, environment })
  const ask: TwoCompanies['ask'] = async (token, method, address, body, headers = {}) => {
    const isTable = typeof body === 'string'
    const response = await fetch(new URL(address, bridge.listensAt), {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': isTable ? 'text/csv' : 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: isTable ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get('Content-Type') ?? '')
    const json = isJson ? JSON.parse(text) : {}
    return { status: response.status, text, json, headers: response.headers }
  }
  const token: TwoCompanies['token'] = async (name, role, companyId) => {
    const made = await ask(adminToken, 'POST', '/api/tokens', { name, role, companyId })
    if (made.status !== 201) throw new Error(made.text)
    return String(made.json['token'])
  }
  const close = async (): Promise<void> => {
    await bridge.close()
    for (const server of servers) await server.close()
  }
  return { bridge, clock, environment, ask, token, close }
}

/* No secret stands anywhere but in the reply that makes it: searched for in all that a run of the program leaves behind. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'

import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'

import { type CompanyServer, startCompanyServer } from './support/company-server.ts'
import { databases } from './support/databases.ts'
import { twoPeople } from './support/people.ts'
import { spawnProgram } from './support/program.ts'
import { everythingIn } from './support/search-database.ts'

const adminToken = 'admin-token-7f3a91c2d4'
const password = 'upstream-password-51b8'
const basic = Buffer.from(`service:${password}`).toString('base64')

interface Program {
  readonly url: string
  readonly child: ChildProcess
  /** All that it has written. */
  written(): string
}

let company: CompanyServer
let program: Program
/** Bodies of all answers that are errors. */
let errors: string[]
let tokens: Set<string>

async function startProgram(databaseUrl: string): Promise<Program> {
  const folder = path.join(inject('temporaryFolder'), path.basename(databaseUrl))
  await mkdir(folder, { recursive: true })
  const child = spawnProgram(['serve'], {
    folder,
    environment: {
      PORT: '0',
      LOG_LEVEL: 'trace',
      ADMIN_TOKEN: adminToken,
      DATABASE_URL: databaseUrl,
      WORKFORCE_BASE_URL: company.url,
      WORKFORCE_TIMEZONE: 'Europe/Berlin',
      WORKFORCE_AUTH: `basic:service:${password}`,
      FEED_FRESH_SECONDS: '0',
      FEED_POLLS_PER_MINUTE: '12',
    },
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text
    })
  }
  while (!/runs at (\S+)/.test(written))
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])
  const [, url = ''] = /runs at (\S+)/.exec(written) ?? []
  return { url, child, written: () => written }
}

async function ask(
  method: string,
  address: string,
  { body, ...headers }: Record<string, string> = {},
): Promise<string> {
  const response = await fetch(new URL(address, program.url), {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (response.status >= 400) errors.push(text)
  return text
}

/** A request to the admin API; the links that it makes are remembered. */
async function administer(method: string, address: string, body?: object): Promise<{ id: string }> {
  const text = await ask(method, address, {
    Authorization: `Bearer ${adminToken}`,
    'Content-Type': 'application/json',
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  for (const [token] of text.matchAll(/cfb_[\w-]{43}/g)) tokens.add(token)
  return text === '' ? { id: '' } : (JSON.parse(text) as { id: string })
}

/** Everything that is done with links in their life, and much that goes wrong with them. */
async function useEverything(): Promise<void> {
  const feed = await administer('POST', '/api/feeds', { userIds: ['usr_ada'] })
  await administer('POST', '/api/feeds', { userIds: ['usr_ada', 'usr_bob'] })
  await administer('POST', `/api/feeds/${feed.id}/links`, { label: 'phone' })
  await administer('POST', `/api/feeds/${feed.id}/rotations`, { graceDays: 3 })
  await pollAll()
  company.faults.set('/', 401)
  await pollAll()
  company.faults.clear()
  const [token = ''] = tokens
  for (const address of [
    `/feeds/${token}x/a.ics`,
    `/feeds/${token}%zz/a.ics`,
    `/feeds/${token}/a/b`,
    `/${token}`,
  ]) {
    await ask('GET', address)
  }
  await ask('POST', `/feeds/${token}/a.ics`)
  await ask('POST', `/feeds/${token}`, { 'Sec-Fetch-Site': 'cross-site' })
  await ask('GET', `/feeds/${token}/${'a'.repeat(3000)}.ics`)
  await ask('GET', '/api/feeds', { Authorization: `Bearer ${adminToken}x` })
  await ask('GET', '/api/feeds', { Authorization: `Bearer ${token}` })
  await administer('GET', `/api/feeds/${token}`)
  await administer('POST', '/api/feeds', { userIds: [token], name: 7, [token]: token })
  await administer('GET', '/api/companies/main/examination')
  await administer('DELETE', `/api/feeds/${feed.id}/links/phone`)
  await administer('DELETE', `/api/feeds/${feed.id}`)
  for (let round = 0; round < 5; round += 1) await pollAll()
}

async function pollAll(): Promise<void> {
  for (const token of tokens) {
    for (const address of [`/feeds/${token}/a.ics`, `/feeds/${token}/a.json`, `/feeds/${token}`]) {
      await ask('GET', address)
    }
  }
}

async function processTitle(): Promise<string> {
  const files = ['cmdline', 'comm', 'status'].map((name) => `/proc/${program.child.pid}/${name}`)
  return (await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))).join('\n')
}

beforeEach(async () => {
  company = await startCompanyServer()
  Object.assign(company.records, twoPeople())
  errors = []
  tokens = new Set()
})

afterEach(() => company.close())

describe.each(databases)('a run on $name, ended by kill -9', ({ create }) => {
  it('leaves no secret in database, log, metrics, error bodies or process title', async () => {
    const databaseUrl = await create()
    program = await startProgram(databaseUrl)
    await useEverything()
    const metrics = await ask('GET', '/metrics')
    const title = await processTitle()
    program.child.kill('SIGKILL')
    await once(program.child, 'exit')
    expect(tokens.size).toBe(4)
    expect(errors.length).toBeGreaterThan(20)
    const kept = await everythingIn(databaseUrl)
    expect(kept).toContain('usr_ada')
    const places = { kept, log: program.written(), errors: errors.join('\n'), metrics, title }
    const databasePassword = URL.parse(databaseUrl)?.password ?? ''
    const secrets = [...tokens, adminToken, password, basic, databasePassword].filter(
      (secret) => secret !== '',
    )
    expect(secrets.length).toBeGreaterThanOrEqual(7)
    const found = Object.entries(places).flatMap(([place, text]) =>
      secrets
        .filter((secret) => text.includes(secret.replace('cfb_', '')))
        .map((secret) => [place, secret]),
    )
    expect(found).toEqual([])
  })
})

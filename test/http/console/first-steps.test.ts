import { createServer } from 'node:http'

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { enFirstSteps } from '../../../src/http/console/words/first-steps.ts'
import { readsFrom, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'
import { type ConsoleSession, enterConsole } from '../../support/bridge/console.ts'
import { type LogLine, recordedLog } from '../../support/bridge/recorded-log.ts'
import { startCompanyServer } from '../../support/company/company-server.ts'
import { answer, stall, startMisbehavingServer } from '../../support/company/misbehaving-server.ts'
import { closeServer, listenHere } from '../../support/web/local-server.ts'

const page = '/console/first-steps'
const secret = 'tok-4f9a1c77e2'

describe('on the sample company', () => {
  const lines: LogLine[] = []
  let bridge: TestBridge
  let admin: ConsoleSession

  beforeAll(async () => {
    bridge = await startBridge({ log: recordedLog(lines) })
    admin = await enterConsole(bridge)
  })
  afterAll(() => bridge.close())

  const opened: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })
  const opening = <T extends { close(): Promise<void> }>(one: T): T => {
    opened.push(one)
    return one
  }

  const check = async (fields: Readonly<Record<string, string>>): Promise<[number, string]> => {
    const typed = { scheme: 'bearer', name: '', secret, timezone: 'Europe/Berlin', ...fields }
    const response = await admin.send(page, typed)
    return [response.status, await response.text()]
  }

  it('Leads round the sample company and to connecting an own system', async () => {
    const html = await admin.read(page)
    for (const address of ['/console/people/usr_ada', '/console/people', '/console/hand-out']) {
      expect(html).toContain(`href="${address}"`)
    }
    expect(html).toMatch(/name="address"[^>]*value=""/)
    expect(html).toContain('<option value="Africa/Johannesburg">')
  })

  it('Shows a reader the way round, but no form', async () => {
    const made = await bridge.api('POST', '/api/tokens', { name: 'looks', role: 'reader' })
    const { token } = (await made.json()) as { token: string }
    const reader = await enterConsole(bridge, token)
    const html = await reader.read(page)
    expect(html).toContain(enFirstSteps.connect.adminOnly)
    expect(html).not.toContain('name="secret"')
    expect(html).not.toContain('href="/console/hand-out"')
    expect((await reader.send(page, {})).status).toBe(403)
  })

  it('Examines the typed address as doctor does, and shows the lines for .env without the credential', async () => {
    const server = await listKeyServer()
    opening(server)
    const [status, html] = await check({ address: server.url, scheme: 'bearer' })
    expect(status).toBe(200)
    expect(html).toContain(`WORKFORCE_BASE_URL=${server.url}`)
    expect(html).toContain('WORKFORCE_TIMEZONE=Europe/Berlin')
    // The same secret is accepted in another header field.
    expect(html).toContain('WORKFORCE_AUTH=header:X-API-Key:VALUE')
    expect(html).not.toContain(secret)
    expect(html).toContain(`value="${server.url}"`)
    expect(server.seen.has(secret)).toBe(true)
  })

  it('Keeps the credential neither in the log nor in the audit log, even if the server repeats it', async () => {
    const told = { 'www-authenticate': `Bearer realm="${secret}"`, location: `/${secret}` }
    const server = opening(await startMisbehavingServer(answer({ status: 302, headers: told })))
    const [status, html] = await check({ address: server.url })
    expect([status, html.includes(secret)]).toEqual([200, false])
    const audit = await (await bridge.api('GET', '/api/audit')).text()
    expect(audit).not.toContain(secret)
    expect(audit).not.toContain(server.url)
    expect(JSON.stringify(lines)).not.toContain(secret)
  })

  it('Follows no redirect to another port, and says where it led', async () => {
    const other = opening(await startCompanyServer())
    const location = `${other.url}/api/public/v1/schedules`
    const server = opening(
      await startMisbehavingServer(answer({ status: 307, headers: { location } })),
    )
    const [status, html] = await check({ address: server.url })
    expect(status).toBe(200)
    expect(html).toContain(`a redirect to ${other.url}`)
    expect(other.requests).toEqual([])
  })

  it.each([
    ['a metadata address', { address: 'https://169.254.169.254' }, 'never'],
    ['a metadata address in other digits', { address: 'https://2852039166' }, 'never'],
    ['no address', { address: 'workforce' }, 'address'],
    ['an address with a password', { address: 'https://u:p@h.example' }, 'address'],
    ['http to another machine', { address: 'http://10.0.0.1' }, 'insecure'],
    ['no time zone', { address: 'http://127.0.0.1:9', timezone: 'Berlin' }, 'timezone'],
    ['no secret', { address: 'http://127.0.0.1:9', secret: '' }, 'secret'],
    ['no name', { address: 'http://127.0.0.1:9', scheme: 'header' }, 'name'],
  ] as const)('Says beside the field what is wrong with %s', async (_, fields, fault) => {
    const [status, html] = await check(fields)
    expect(status).toBe(400)
    expect(html).toContain(escaped(enFirstSteps.faults[fault]))
    expect(html.match(/aria-invalid/g)).toHaveLength(1)
    expect(html).toContain(`value="${fields.address}"`)
    expect(html).not.toContain(secret)
  })

  it('Makes one check at a time, and frees the turn when somebody leaves', async () => {
    const begun = Promise.withResolvers<void>()
    const server = opening(
      await startMisbehavingServer((...on) => {
        begun.resolve()
        stall(...on)
      }),
    )
    const leaving = new AbortController()
    const form = new URLSearchParams({ address: server.url, timezone: 'Europe/Berlin', secret })
    const first = fetch(bridge.url + page, {
      method: 'POST',
      headers: { Origin: new URL(bridge.url).origin, Cookie: admin.cookie },
      body: form,
      signal: leaving.signal,
    })
    await begun.promise
    const [status, html] = await check({ address: server.url })
    expect([status, html.includes(enFirstSteps.refused.busy)]).toEqual([429, true])
    leaving.abort()
    await expect(first).rejects.toThrow('aborted')
    const free = opening(await startCompanyServer())
    await expect.poll(async () => (await check({ address: free.url }))[0]).toBe(200)
  })
})

describe('on an own system', () => {
  it('Shows what is still to be done, leaves the navigation once all is, and tries no address', async () => {
    await using open = new AsyncDisposableStack()
    const company = open.adopt(await startCompanyServer(), (one) => one.close())
    company.records.users.push({
      id: 'usr_1',
      firstName: 'Ida',
      email: 'ida@example.com',
      isActive: true,
    })
    const bridge = open.adopt(await startBridge({ environment: readsFrom(company.url) }), (one) =>
      one.close(),
    )
    const admin = await enterConsole(bridge)
    const before = await admin.read(page)
    expect(before).toContain(enFirstSteps.own.examined.unknown)
    expect(before).toContain(enFirstSteps.own.calendars.none)
    expect(await admin.read('/console')).toContain(`href="${page}"`)
    const refused = await admin.send(page, { address: company.url })
    expect([refused.status, company.requests]).toEqual([409, []])
    await bridge.createFeed({ userIds: ['usr_1'] })
    await bridge.api('GET', '/api/companies/main/examination')
    expect(await admin.read(page)).toContain(enFirstSteps.own.done)
    expect(await admin.read('/console')).not.toContain(`href="${page}"`)
  })
})

function escaped(text: string): string {
  return text.replaceAll("'", '&#39;')
}

interface KeyServer {
  readonly url: string
  /** Every key that came. */
  readonly seen: ReadonlySet<string>
  close(): Promise<void>
}

/** A Read API of a company without records that takes its key in a field of its own. */
async function listKeyServer(): Promise<KeyServer> {
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    const key = String(request.headers['x-api-key'])
    seen.add(key)
    const isKnown = key === secret
    response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isKnown ? { data: [] } : {}))
  })
  return { url: await listenHere(server), seen, close: () => closeServer(server) }
}

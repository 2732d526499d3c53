/* The proxies of deploy/ as they are: real nginx and real Caddy in front of two real nodes on real PostgreSQL. */
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'

import { Agent, fetch, type RequestInit, type Response } from 'undici'
import { describe, expect, inject, it as bareIt, onTestFinished } from 'vitest'

import { type BridgeNode, startNode } from '../support/bridge/bridge-node.ts'
import { adminToken, readsFrom } from '../support/bridge/bridge.ts'
import { startCompanyServer } from '../support/company/company-server.ts'
import { ada, task } from '../support/company/people.ts'
import { createTestDatabase } from '../support/database/postgres.ts'
import { type RealProxy, startCaddy, startNginx } from '../support/deploy/proxies.ts'
import type { ApiAnswer } from '../support/web/api-answer.ts'
import { freePort } from '../support/web/free-port.ts'

const clients = 8
const unknownTokensPerMinute = 5
/** Enough to pass the limit on one of two nodes, also if a minute ends meanwhile. */
const guesses = 40

/** Two nodes behind a proxy, as people reach them. */
interface Site {
  readonly proxy: RealProxy
  readonly publicUrl: string
  readonly nodes: BridgeNode[]
  /** A request to an address below the public one, by default from 127.0.0.1. */
  ask(address: string, init?: RequestInit, from?: string): Promise<Response>
  startNode(number: number): Promise<void>
  createFeed(): Promise<Feed>
}

interface Feed {
  readonly url: string
  readonly page: string
  readonly token: string
}

/** The nodes are processes, and see the time as it is: so the company's records are of today. */
const it = bareIt
  .extend('today', { scope: 'file' }, () => new Date().toISOString().slice(0, 10))
  .extend('company', { scope: 'file' }, async ({ today }, { onCleanup }) => {
    const company = await startCompanyServer()
    onCleanup(() => company.close())
    company.records.users = [ada]
    company.records.tasks = { prj_web: [task('tsk_ada', today, [ada])] }
    return company
  })

async function openSite(start: typeof startNginx, companyUrl: string, prefix = ''): Promise<Site> {
  const folder = await mkdtemp(path.join(inject('temporaryFolder'), 'site-'))
  const ports = [await freePort(), await freePort()]
  const proxy = await start({ nodes: ports, prefix })
  const publicUrl = `https://localhost:${proxy.httpsPort}${prefix}`
  const environment = {
    ...readsFrom(companyUrl),
    ADMIN_TOKEN: adminToken,
    DATABASE_URL: await createTestDatabase(),
    PUBLIC_URL: publicUrl,
    TRUST_PROXY: '1',
    FEED_POLLS_PER_MINUTE: '1000000',
    UNKNOWN_TOKENS_PER_MINUTE: String(unknownTokensPerMinute),
    WORKFORCE_PROJECTS: 'prj_web',
  }
  const agents = new Map<string, Agent>()
  const agentOf = (from: string): Agent => {
    const agent =
      agents.get(from) ?? new Agent({ connect: { ca: proxy.certificate.cert }, localAddress: from })
    agents.set(from, agent)
    return agent
  }
  const site: Site = {
    proxy,
    publicUrl,
    nodes: [],
    ask: (address, init, from = '127.0.0.1') =>
      fetch(new URL(address, `${publicUrl}/`), {
        redirect: 'manual',
        ...init,
        dispatcher: agentOf(from),
      }),
    startNode: async (number) => {
      site.nodes[number] = await startNode(folder, { ...environment, PORT: String(ports[number]) })
    },
    createFeed: async () => {
      const response = await site.ask('api/feeds', {
        method: 'POST',
        headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ userIds: ['usr_ada'] }),
      })
      expect(response.status).toBe(201)
      const { links } = (await response.json()) as ApiAnswer
      const { url = '', page = '' } = links[0]
      return { url, page, token: /cfb_[\w-]{43}/.exec(url)?.[0] ?? '' }
    },
  }
  await Promise.all([site.startNode(0), site.startNode(1)])
  onTestFinished(async () => {
    await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    await Promise.all(site.nodes.map((node) => node.kill()))
    await proxy.stop()
  })
  return site
}

describe.each([
  ['nginx', startNginx],
  ['Caddy', startCaddy],
])('%s', (_name, start) => {
  it.for(['', '/calendar'])('serves everything over https at "%s"', async (prefix, { company }) => {
    const site = await openSite(start, company.url, prefix)
    const feed = await site.createFeed()
    expect(feed.url.startsWith(`${site.publicUrl}/feeds/`)).toBe(true)

    const calendar = await site.ask(feed.url)
    expect(calendar.status).toBe(200)
    expect(await calendar.text()).toContain('SUMMARY:Task tsk_ada')
    expect(calendar.headers.get('Strict-Transport-Security')).toBe('max-age=31536000')
    const etag = calendar.headers.get('ETag') ?? ''
    expect((await site.ask(feed.url, { headers: { 'If-None-Match': etag } })).status).toBe(304)
    expect((await site.ask(feed.url, { method: 'HEAD' })).status).toBe(200)

    const front = await site.ask(site.publicUrl)
    const ledTo = new URL(front.headers.get('Location') ?? '/', site.publicUrl)
    expect([front.status, ledTo.pathname]).toEqual([prefix === '' ? 200 : 301, `${prefix}/`])
    expect((await site.ask('')).status).toBe(200)

    const page = await site.ask(feed.page)
    const html = await page.text()
    expect(page.status).toBe(200)
    const [, style = ''] = /href="([^"]+\.css)"/.exec(html) ?? []
    expect((await site.ask(new URL(style, feed.page).href)).status).toBe(200)

    const own = { Origin: new URL(site.publicUrl).origin, 'Sec-Fetch-Site': 'same-origin' }
    const form = new URLSearchParams({ token: adminToken })
    const post = { method: 'POST', body: form }
    const foreign = {
      ...own,
      Origin: 'https://elsewhere.example',
      'Sec-Fetch-Site': 'cross-site',
    }
    expect((await site.ask('console/sign-in', { ...post, headers: foreign })).status).toBe(403)
    const signedIn = await site.ask('console/sign-in', { ...post, headers: own })
    expect(signedIn.status).toBe(303)
    const [cookie = ''] = signedIn.headers.getSetCookie()
    expect(cookie).toMatch(/; Secure/)
    const location = new URL(signedIn.headers.get('Location') ?? '', site.publicUrl)
    expect(location.pathname).toBe(`${prefix}/console`)
    const shown = await site.ask(location.href, {
      headers: { Cookie: cookie.split(';')[0] ?? '' },
    })
    expect([shown.status, (await shown.text()).includes('usr_ada')]).toEqual([200, false])

    const large = await site.ask('api/feeds', {
      method: 'POST',
      headers: { Authorization: `Bearer ${adminToken}`, 'Content-Type': 'application/json' },
      body: `[${' '.repeat(4 * 1024 * 1024)}]`,
    })
    expect([large.status, large.headers.get('Content-Type')]).toEqual([
      413,
      expect.stringContaining('application/problem+json'),
    ])
    const plain = await fetch(`http://localhost:${site.proxy.httpPort}${prefix}/feeds/x`, {
      redirect: 'manual',
    })
    expect([301, 308]).toContain(plain.status)
    expect(plain.headers.get('Location')).toMatch(/^https:\/\/localhost/)
  })

  it('tells the nodes who asks, whatever the client says of itself', async ({ company }) => {
    const site = await openSite(start, company.url)
    const guess = (number: number, from: string): Promise<Response> =>
      site.ask(
        `feeds/cfb_${String(number).padStart(43, 'x')}/a.ics`,
        { headers: { 'X-Forwarded-For': `198.51.100.${number}` } },
        from,
      )
    const statuses: number[] = []
    while (!statuses.includes(429) && statuses.length < guesses) {
      statuses.push((await guess(statuses.length, '127.0.0.1')).status)
    }
    expect(statuses.at(-1)).toBe(429)
    expect((await guess(guesses, '127.0.0.2')).status).toBe(404)
  })

  it('answers each poll while one node is killed and the other ends', async ({ company }) => {
    const site = await openSite(start, company.url)
    const feeds = [await site.createFeed(), await site.createFeed()]
    const statuses = new Map<number | string, number>()
    const over = new AbortController()
    onTestFinished(() => over.abort())
    const polls = Array.from({ length: clients }, (_, number) =>
      pollUntil(over.signal, site, feeds[number % feeds.length]!, statuses),
    )
    const answered = (): number => statuses.get(304) ?? 0
    const more = async (count = 100): Promise<void> => {
      const before = answered()
      await expect.poll(answered).toBeGreaterThan(before + count)
    }
    await more()
    await site.nodes[0]?.kill()
    await more()
    await site.startNode(0)
    await more()
    // A poll that waits for the company keeps the node from its end, and others meanwhile from its port.
    const { port } = site.nodes[1]!
    const { url } = await site.createFeed()
    const asked = company.requests.length
    company.hold()
    const running = fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`)
    await expect.poll(() => company.requests.length).toBeGreaterThan(asked)
    const ended = site.nodes[1]!.stop()
    await expect.poll(() => statusOf(`http://127.0.0.1:${port}/healthz`)).not.toBe(200)
    const refusal = await statusOf(`http://127.0.0.1:${port}/healthz`)
    // Few, since a node ends within ten seconds, whatever runs.
    await more(30)
    company.release()
    expect([refusal, (await running).status]).toEqual([503, 200])
    await ended
    await more()
    await site.startNode(1)
    await more()
    over.abort()
    await Promise.all(polls)
    console.log(Object.fromEntries(statuses))
    expect([...statuses.keys()].toSorted()).toEqual([200, 304])
  })

  it('writes no address of a calendar into any log', async ({ company }) => {
    const site = await openSite(start, company.url)
    const { token, url, page } = await site.createFeed()
    const { pathname } = new URL(url)
    await site.ask(url)
    await site.ask(`${page}?lang=de`)
    await site.ask('healthz', { headers: { Referer: page, Authorization: `Basic ${btoa(token)}` } })
    await site.ask(`sign-in/callback?code=${token}`)
    await site.ask(token)
    await site.ask('api/feeds', { method: 'POST', body: 'x'.repeat(6_000_000) }).catch(String)
    await fetch(`http://localhost:${site.proxy.httpPort}${pathname}`, { redirect: 'manual' })
    await site.ask(`${url}?${'x'.repeat(30_000)}`).catch(String)
    await speak(site, `GET https://localhost${pathname} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await speak(site, `GET ${pathname} HTTP/1.1\r\nHost: local${token}host/\r\n\r\n`)
    await speak(site, `GET ${pathname} HTTP/9\r\n\r\n`)
    await speak(site, `get ${pathname}\r\n\r\n`)
    await Promise.all(site.nodes.map((node) => node.kill()))
    expect((await site.ask(url)).status).toBeGreaterThanOrEqual(502)
    const logs = await site.proxy.logs()
    expect(logs).not.toContain(token)
    expect(logs).not.toContain(token.slice(4, 20))
    expect(logs).not.toContain(btoa(token).slice(0, 20))
    expect(await site.proxy.accessLog()).toMatch(/\/feeds\/\*\*\*/)
  })
})

async function pollUntil(
  signal: AbortSignal,
  site: Site,
  { url }: Feed,
  statuses: Map<number | string, number>,
): Promise<void> {
  let etag = ''
  while (!signal.aborted) {
    const status = await site
      .ask(url, { headers: etag === '' ? {} : { 'If-None-Match': etag } })
      .then(async (response) => {
        await response.arrayBuffer()
        etag = response.headers.get('ETag') ?? etag
        return response.status
      })
      .catch(String)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
}

async function statusOf(url: string): Promise<number | string> {
  return fetch(url).then(({ status }) => status, String)
}

/** Sends those bytes, and waits until the proxy has closed. */
async function speak({ proxy }: Site, bytes: string): Promise<void> {
  const socket = connect({
    port: proxy.httpsPort,
    ca: proxy.certificate.cert,
    servername: 'localhost',
  })
  await once(socket, 'secureConnect')
  socket.end(bytes)
  await text(socket).catch(String)
}

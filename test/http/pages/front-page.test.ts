/* What whoever opens the bare address gets to see. */
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'

import {
  calendarUrl,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../../support/bridge/bridge.ts'
import { sharedChromium } from '../../support/web/chromium.ts'
import { violations, visit } from '../../support/web/visit.ts'

let folder: string
let bridge: TestBridge
let page: string

/** On the data of an installation with the sample company. */
function startOn(environment: Record<string, string> = {}): Promise<TestBridge> {
  const databaseUrl = `file:${folder}/bridge.sqlite`
  return startBridge({ environment: { DATABASE_URL: databaseUrl, ...environment } })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('temporaryFolder'), 'front-'))
  bridge = await startOn()
  const calendar = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
  await writeFile(path.join(folder, 'demo-link'), `${calendar}\n`)
  page = new URL(calendar).pathname.replace(/\/[^/]*$/, '')
})

afterAll(() => bridge.close())

interface Answer extends Pick<IncomingMessage, 'headers'> {
  readonly status: number | undefined
  readonly body: string
}

/** `/` as somebody asks for it who says whatever they like. */
async function get(
  headers: Record<string, string> = {},
  method = 'GET',
  { listensAt } = bridge,
): Promise<Answer> {
  const asked = request(new URL('/', listensAt), { method, headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

describe('GET /', () => {
  it('the front page links to the sample employee’s page and the documentation and is not stored', async () => {
    const { status, headers, body } = await get()
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toContain(`href="${page}"`)
    expect(body).toContain('href="/docs"')
    expect(body).not.toMatch(/[\w/]cfb_.*\.ics/)
  })

  it.each([
    'evil.example.com',
    'evil.example.com:8080',
    '127.0.0.1.evil.example.com',
    'localhost.evil.example.com',
    'evil@localhost',
    '192.0.2.1',
  ])('the front page for the host %s names no link and can be revalidated', async (host) => {
    const { status, headers, body } = await get({ Host: host })
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(body).not.toContain('cfb_')
    expect(headers.vary).toMatch(/Accept-Language.*Accept-Encoding/)
    const again = await get({ Host: host, 'If-None-Match': String(headers.etag) })
    expect([again.status, again.body]).toEqual([304, ''])
    const head = await get({ Host: host }, 'HEAD')
    expect([head.status, head.headers.etag, head.body]).toEqual([200, headers.etag, ''])
  })

  it('the front page behind a proxy names no link', async () => {
    const { status, body } = await get({ 'X-Forwarded-For': '192.0.2.7' })
    expect([status, body.includes('cfb_')]).toEqual([200, false])
  })

  it('signed-in visitors are redirected to their own page, others are offered to sign in', async () => {
    const other = await startBridge({
      environment: {
        OIDC_ISSUER: 'http://127.0.0.1:9',
        OIDC_CLIENT_ID: 'bridge',
        OIDC_ADMIN: 'groups=hr',
      },
    })
    const { store, access } = await other.node()
    const user = { id: 'usr_in', firstName: 'A', lastName: 'B', email: 'in@front.example' }
    await store.people.seePeople('main', [user], 1)
    const reading = { userId: user.id, state: 'active', user, readAt: 2 } as const
    await store.people.keepReading('main', reading, Number.MAX_SAFE_INTEGER)
    const person = { companyId: 'main', userId: user.id }
    const staff = { actor: 'staff:hr', role: 'admin' } as const
    for (const [who, place] of [
      [{ person, staff: null }, '/me'],
      [{ person, staff }, '/me'],
      [{ person: null, staff }, '/console'],
    ] as const) {
      const secret = await access.sessions.begin(who)
      const { status, headers } = await get({ Cookie: `cfb_session=${secret}` }, 'GET', other)
      expect([status, headers.location, headers['cache-control']]).toEqual([303, place, 'no-store'])
      expect(headers.vary).toMatch(/Cookie/)
    }
    const { status, headers, body } = await get({ Cookie: 'cfb_session=none' }, 'GET', other)
    expect([status, body.includes('href="/sign-in"')]).toEqual([200, true])
    expect(body).toContain('href="/console"')
    expect(body).toContain('Sign in and make a new one.')
    expect(headers.vary).toMatch(/Cookie.*Accept-Language/)
    expect((await get()).body).not.toContain('"/sign-in"')
    await other.close()
  })

  it('the front page uses the language of the reader', async () => {
    for (const host of ['localhost', 'example.com']) {
      const { headers, body } = await get({ Host: host, 'Accept-Language': 'de-AT,de;q=0.9' })
      expect(headers['content-language']).toBe('de')
      expect(body).toContain('Link verloren?')
    }
  })

  it.each([
    ['a public address', { PUBLIC_URL: 'https://calendar.example.com/work' }, '/work/docs'],
    ['a Read API of one’s own', readsFrom('http://127.0.0.1:9'), '/docs'],
  ])(
    'the front page names no link in an installation with %s',
    async (_name, environment, docs) => {
      const other = await startOn(environment)
      const { body } = await get({}, 'GET', other)
      expect([body.includes('cfb_'), body.includes(`href="${docs}"`)]).toEqual([false, true])
      await other.close()
    },
  )

  it('the front page names no revoked link', async () => {
    const { token } = /(?<token>cfb_[\w-]+)/.exec(page)?.groups ?? {}
    const other = await bridge.createFeed({ userIds: ['usr_bob'] })
    const file = path.join(folder, 'demo-link')
    await writeFile(file, calendarUrl(other))
    await bridge.api('DELETE', `/api/feeds/${other.id}`)
    expect((await get()).body).not.toContain('cfb_')
    await writeFile(file, String(token))
    expect((await get()).body).toContain(`href="${page}"`)
  })

  it('the front page is accessible on a phone and a screen, in light and dark', async () => {
    const browser = await sharedChromium()
    const viewport = { width: 320, height: 700 }
    const front = await visit(browser, `${bridge.url}/`, { viewport, colorScheme: 'light' })
    expect([front.status, front.messages]).toEqual([200, []])
    expect(await violations(front.page)).toEqual([])
    expect(
      await front.page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
    ).toBe(true)
    await front.page.emulateMedia({ colorScheme: 'dark' })
    expect(await violations(front.page, 'colours')).toEqual([])
    await front.page.setViewportSize({ width: 1280, height: 900 })
    expect(await violations(front.page)).toEqual([])
    await front.page.getByRole('link', { name: 'Open Ada’s calendar' }).click()
    await front.page.waitForURL(`**${page}`)
    await front.close()
  })
})

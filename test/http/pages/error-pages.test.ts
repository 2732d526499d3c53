/* What people see when something is missing, and what programs go on getting. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { calendarUrl, startBridge, type TestBridge } from '../../support/bridge/bridge.ts'

let bridge: TestBridge
let calendar: string

beforeAll(async () => {
  bridge = await startBridge()
  calendar = calendarUrl(await bridge.createFeed({ userIds: ['usr_ada'] }))
})

afterAll(() => bridge.close())

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(new URL(path, bridge.url), { headers: { Accept: 'text/html,*/*;q=0.8' }, ...init })
}

describe('pages', () => {
  it.each([
    ['an unknown token', '/feeds/cfb_unknown', 404, 'We do not know this link'],
    ['no token', '/feeds/', 404, 'We do not know this link'],
    ['a token that is no text', '/feeds/%ff', 404, 'We do not know this link'],
    ['an unknown path', '/nothing', 404, 'There is nothing here'],
  ])('%s', async (_name, path, status, words) => {
    const response = await get(path)
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain(words)
  })

  it('a revoked link answers 410 with a page', async () => {
    const feed = await bridge.createFeed({ userIds: ['usr_bob'] })
    const revoked = await bridge.api('DELETE', `/api/feeds/${feed.id}`)
    expect(revoked.status).toBe(204)
    const response = await get(calendarUrl(feed).replace(/\/[^/]*$/, ''))
    expect(response.status).toBe(410)
    const text = await response.text()
    expect(text).toContain('This calendar link has ended')
    expect(text).toContain('If you replaced it yourself, open the page of the new address.')
    for (const program of ['Apple', 'Google', 'Outlook']) expect(text).toContain(`<li>${program}`)
  })

  it.each(['.', ')', '>', ',', '%20', '%3E', ').'])(
    'an address followed by %j redirects to the address, known or not',
    async (end) => {
      for (const token of [`cfb_${'a'.repeat(43)}`, new URL(calendar).pathname.split('/')[2]!]) {
        const response = await get(`/feeds/${token}${end}`, { redirect: 'manual' })
        expect(response.status).toBe(303)
        expect(response.headers.get('location')).toBe(`/feeds/${token}`)
        expect(response.headers.get('cache-control')).toBe('no-store')
      }
      expect((await get(`/feeds/cfb_unknown${end}x`)).status).toBe(404)
    },
  )

  it('error pages use the language of the browser', async () => {
    const headers = { Accept: 'text/html', 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }
    const text = await (await get('/nothing', { headers })).text()
    expect(text).toContain('<html lang="de">')
    expect(text).toContain('Diese Seite gibt es nicht')
  })

  it('a page that needs a token says that the visitor has no access, not that we failed', async () => {
    const other = await startBridge({ environment: { PUBLIC_URL: 'https://calendars.example' } })
    const headers = { Accept: 'text/html' }
    const response = await fetch(`${other.listensAt}/metrics`, { headers })
    expect(response.status).toBe(401)
    expect(await response.text()).toContain('You have no access to this page')
    await other.close()
  })

  it.each([
    ['/nothing', '/'],
    ['/nothing?lang=de', '/?lang=de'],
    ['/feeds/cfb_unknown', '/'],
  ])(
    '%s links to the front page and, where there is sign-in, to the visitor’s own page',
    async (path, front) => {
      const environment = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'bridge' }
      const other = await startBridge({
        environment: { ...environment, PUBLIC_URL: 'http://127.0.0.1/work' },
      })
      const plain = await (await get(path)).text()
      expect([plain.includes(`href="${front}">`), plain.includes('/me')]).toEqual([true, false])
      const headers = { Accept: 'text/html' }
      const text = await (await fetch(other.listensAt + path, { headers })).text()
      const [, language = ''] = front.split('/')
      expect(text).toContain(`href="/work/${language}">`)
      expect(text).toContain(`href="/work/me${language}">`)
      await other.close()
    },
  )

  it('the next step is one button: another link, another try, or back to the calendar', async () => {
    const { pathname } = new URL(calendar.replace(/\/[^/]*$/, ''))
    const sent = { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site' } }
    const stepOf = async (path: string, init: RequestInit = {}): Promise<readonly string[]> =>
      [
        ...(await (await get(path, init)).text()).matchAll(
          /class="button" href="([^"]*)">([^<]*)/g,
        ),
      ].map(([, address, text]) => `${text}: ${address}`)
    expect(await stepOf(`${pathname}?lang=de`, sent)).toEqual(['Zurück zum Kalender: ?lang=de'])
    expect(await stepOf('/feeds/cfb_unknown')).toEqual(['Home: /'])
    const mails = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'calendar@sample.example' }
    const other = await startBridge({ environment: mails })
    const text = await (await fetch(`${other.url}/feeds/cfb_unknown`)).text()
    expect(text).toContain('class="button" href="/#lost">Lost your link?')
    expect(text).toContain('You can get a new link yourself.')
    await other.close()
  })

  it('another method answers 405 with the allowed methods', async () => {
    const response = await get(calendar.replace(/\/[^/]*$/, ''), { method: 'PUT' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  it.each([
    ['longer than any of ours', `/${'x'.repeat(3000)}`],
    ['of a page, longer than any of ours', `/feeds/${'x'.repeat(3000)}`],
  ])('an address %s has the headers of all pages', async (_name, path) => {
    const [long, short] = await Promise.all([get(path), get('/nothing')])
    expect([long.status, short.status]).toEqual([404, 404])
    const policiesOf = ({ headers }: Response): unknown =>
      [...headers].filter(([name]) => /policy$|^x-|^referrer/.test(name))
    expect(policiesOf(long)).toEqual(policiesOf(short))
    expect(long.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  it('pages are not stored and send no referrer', async () => {
    for (const path of [new URL(calendar.replace(/\/[^/]*$/, '')).pathname, '/nothing']) {
      const { headers } = await get(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('x-robots-tag')).toBe('noindex, nofollow')
      expect(headers.get('content-security-policy')).not.toContain('unsafe')
    }
  })
})

describe('programs', () => {
  it.each([
    ['/feeds/cfb_unknown/x.ics', 'text/plain; charset=utf-8'],
    ['/feeds/cfb_unknown/x.json', 'text/plain; charset=utf-8'],
    ['/api/nothing', 'application/problem+json; charset=utf-8'],
  ])('%s does not answer with a page', async (path, type) => {
    expect((await get(path)).headers.get('content-type')).toBe(type)
  })

  it('a client that does not ask for a page gets a problem document', async () => {
    const response = await get('/nothing', { headers: { Accept: '*/*' } })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toContain('application/problem+json')
  })
})

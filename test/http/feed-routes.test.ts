/* How a calendar is served, as calendar clients ask for it. */
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import supertest from 'supertest'
import { describe, expect } from 'vitest'

import { adminToken, calendarUrl } from '../support/bridge/bridge.ts'
import { it as apiIt } from '../support/bridge/test-api.ts'
import { twoPeople } from '../support/company/people.ts'

interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: Buffer
}

/** `it` with a calendar of Ada's: where it is, and two ways to ask for it or for anything else. */
const it = apiIt
  .extend('settings', { scope: 'file' }, { FEED_FRESH_SECONDS: '0' })
  .extend('calendar', async ({ api: { company, bridge, ada } }) => {
    Object.assign(company.records, twoPeople())
    const path = new URL(calendarUrl(await ada())).pathname
    return {
      path,
      get: (address = path): supertest.Test =>
        supertest(bridge.url).get(address).set('Accept-Encoding', 'identity'),
      raw: (address: string, options: RawOptions = {}): Promise<RawAnswer> =>
        askRaw(bridge.url, { path: address, ...options }),
    }
  })

interface RawOptions {
  readonly method?: string
  readonly headers?: Record<string, string>
}

/** The bytes as they come over the wire, without any client's help. */
function askRaw(url: string, options: RawOptions & { readonly path: string }): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request(url, options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, headers, body: Buffer.concat(parts) })
      })
    })
    asked.on('error', reject).end()
  })
}

describe('GET and HEAD', () => {
  it('GET and HEAD answer 200 with the same headers, type and exact length', async ({
    calendar: { path, raw },
  }) => {
    const got = await raw(path)
    const head = await raw(path, { method: 'HEAD' })
    const { date: _got, ...gotHeaders } = got.headers
    const { date: _head, ...headHeaders } = head.headers
    expect([got.status, head.status]).toEqual([200, 200])
    expect(headHeaders).toEqual(gotHeaders)
    expect(got.headers['content-type']).toBe('text/calendar; charset=utf-8')
    expect(got.headers['content-length']).toBe(String(got.body.length))
    expect(head.body).toHaveLength(0)
  })
})

describe('the address', () => {
  it('an address ends in .ics, needs no query, does not redirect and sets no cookie', async ({
    calendar: { path, get },
  }) => {
    expect(path).toMatch(/^\/feeds\/cfb_[\w-]{43}\/adas-work-calendar\.ics$/)
    const response = await get().redirects(0)
    expect(response.status).toBe(200)
    expect(response.headers['set-cookie']).toBeUndefined()
  })

  it('an address works with any file name, which is only for people', async ({
    calendar: { path, get },
  }) => {
    const other = path.replace('adas-work-calendar', 'x')
    expect((await get(other)).text).toBe((await get()).text)
  })
})

describe('Accept and Authorization', () => {
  it.for([
    { Accept: 'text/html' },
    { Accept: 'image/png;q=0.1' },
    { Authorization: 'Basic dTpw' },
    { Authorization: 'Bearer wrong' },
  ])('the header %o is ignored', async (headers, { calendar: { get } }) => {
    expect((await get().set(headers)).status).toBe(200)
  })
})

describe('the entity tag', () => {
  it.for([
    ['the tag itself', (etag: string) => etag],
    ['the strong form of it', (etag: string) => etag.replace('W/', '')],
    ['a list with it', (etag: string) => `"other", ${etag}, W/"more"`],
    ['any', () => '*'],
  ] as const)(
    'If-None-Match with %s answers 304, also under no-cache',
    async ([, noneMatch], { calendar: { get } }) => {
      const first = await get()
      const again = await get()
        .set('If-None-Match', noneMatch(first.headers['etag'] ?? ''))
        .set('Cache-Control', 'no-cache')
      expect([again.status, again.text]).toEqual([304, ''])
      for (const name of ['etag', 'last-modified', 'cache-control', 'vary']) {
        expect(again.headers[name]).toBe(first.headers[name])
      }
    },
  )

  it('the entity tag is weak and the same for every encoding', async ({
    calendar: { path, raw },
  }) => {
    const etags = await Promise.all(
      ['identity', 'gzip', 'br', 'zstd'].map(async (encoding) => {
        const { headers } = await raw(path, { headers: { 'Accept-Encoding': encoding } })
        return headers['etag']
      }),
    )
    expect(new Set(etags).size).toBe(1)
    expect(etags[0]).toMatch(/^W\/"[\w-]+"$/)
  })

  it('If-None-Match takes precedence over If-Modified-Since', async ({ calendar: { get } }) => {
    const first = await get()
    const changed = await get()
      .set('If-None-Match', '"other"')
      .set('If-Modified-Since', first.headers['last-modified'] ?? '')
    expect(changed.status).toBe(200)
  })

  it.for([
    ['Mon, 05 Jan 2026 12:00:00 GMT', 304],
    ['Monday, 05-Jan-26 12:00:00 GMT', 304],
    ['Mon Jan  5 12:00:00 2026', 304],
    ['Tue, 06 Jan 2026 12:00:00 GMT', 304],
    ['Mon, 05 Jan 2026 11:59:59 GMT', 200],
    ['2026-01-06', 200],
    ['soon', 200],
    ['', 200],
  ] as const)(
    'If-Modified-Since: %s answers %i',
    async ([since, status], { calendar: { get } }) => {
      expect((await get().set('If-Modified-Since', since)).status).toBe(status)
    },
  )
})

describe('Last-Modified', () => {
  it('Last-Modified moves by at least a second with every change or deletion, and only then', async ({
    calendar: { get },
    api: { company, clock },
  }) => {
    const first = await get()
    company.records.leaves['usr_ada']?.pop()
    const second = await get()
    company.records.tasks['prj_web']?.pop()
    const third = await get()
    const times = [first, second, third].map(({ headers }) =>
      Date.parse(headers['last-modified'] ?? ''),
    )
    expect(times).toEqual([times[0], times[0]! + 1000, times[0]! + 2000])
    await clock.advance(3_600_000)
    expect((await get()).headers['last-modified']).toBe(third.headers['last-modified'])
  })

  it('each link has its own Last-Modified', async ({
    calendar: { get },
    api: { clock, bridge },
  }) => {
    const first = await get()
    await clock.advance(60_000)
    const other = await bridge.createFeed({ userIds: ['usr_ada'] })
    const second = await get(new URL(calendarUrl(other)).pathname)
    expect(second.headers['last-modified']).not.toBe(first.headers['last-modified'])
  })
})

describe('the headers of every answer', () => {
  it('the headers keep a secret address secret', async ({ calendar: { get } }) => {
    expect((await get()).headers).toMatchObject({
      'cache-control': 'private, max-age=300',
      vary: 'Accept-Encoding',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    })
  })

  it.for([
    ['.ics', 'GET', {}, 200],
    ['.ics', 'GET', { 'If-None-Match': '*' }, 304],
    ['.ics', 'GET', { 'Sec-Fetch-Dest': 'document' }, 303],
    ['.ics', 'POST', {}, 405],
    ['.json', 'GET', {}, 200],
    ['.json', 'GET', { 'If-None-Match': '*' }, 304],
    ['x.ics', 'GET', {}, 404],
    ['x.json', 'GET', {}, 404],
  ] as const)(
    'the headers keep out other origins and forbid scripts: %s, %s, %o answers %i',
    async ([end, method, headers, status], { calendar: { path, raw } }) => {
      const known = path.replace('.ics', end)
      const address = end.startsWith('x') ? `/feeds/cfb_unknown/${end}` : known
      const answer = await raw(address, { method, headers })
      expect(answer.status).toBe(status)
      expect(answer.headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': 'sandbox',
        'x-content-type-options': 'nosniff',
      })
    },
  )
})

describe('a browser that opens the address as a document', () => {
  const navigation = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Mode': 'navigate' }

  it.for(['GET', 'HEAD'])(
    'a browser is redirected to the page: %s',
    async (method, { calendar }) => {
      const { path, raw } = calendar
      const { status, headers, body } = await raw(path, { method, headers: navigation })
      expect([status, body.length]).toEqual([303, 0])
      expect(headers).toMatchObject({
        location: path.replace(/\/[^/]*$/, ''),
        'cache-control': 'no-store',
        vary: 'Sec-Fetch-Dest',
        'referrer-policy': 'no-referrer',
      })
      expect(headers).not.toHaveProperty('etag')
    },
  )

  it('a redirect never leaves this host, whatever is in the place of the token', async ({
    calendar,
  }) => {
    const { headers } = await calendar.raw('/feeds/%2F%2Fevil.example%0D%0Ax/y.ics', {
      headers: navigation,
    })
    expect(headers['location']).toBe('/feeds/%2F%2Fevil.example%0D%0Ax')
  })

  it.for([
    ['a download', '?download', navigation],
    ['what the page itself fetches', '', { 'Sec-Fetch-Dest': 'empty', 'Sec-Fetch-Mode': 'cors' }],
    ['a frame', '', { 'Sec-Fetch-Dest': 'iframe' }],
    ['a program', '', {}],
  ] as const)('%s is not redirected', async ([, query, headers], { calendar: { path, raw } }) => {
    expect((await raw(path + query, { headers })).status).toBe(200)
  })

  it('the events for programs are not redirected', async ({ calendar: { path, raw } }) => {
    const json = path.replace('.ics', '.json')
    expect((await raw(json, { headers: navigation })).status).toBe(200)
  })
})

describe('encodings', () => {
  const decoders = {
    gzip: gunzipSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  } as const

  it.for(['gzip', 'br', 'zstd'] as const)(
    'the encoding %s is used on request',
    async (encoding, { calendar: { path, raw } }) => {
      const plain = await raw(path)
      const coded = await raw(path, { headers: { 'Accept-Encoding': encoding } })
      expect(coded.headers['content-encoding']).toBe(encoding)
      expect(coded.headers['content-length']).toBe(String(coded.body.length))
      expect(decoders[encoding](coded.body)).toEqual(plain.body)
    },
  )

  it.for([undefined, 'identity', 'compress', 'identity;q=0'])(
    'the answer is not encoded for %s',
    async (asked, { calendar: { path, raw } }) => {
      const headers = asked === undefined ? {} : { 'Accept-Encoding': asked }
      const { status, headers: answered, body } = await raw(path, { headers })
      expect([status, answered['content-encoding']]).toEqual([200, undefined])
      expect(body.toString()).toMatch(/^BEGIN:VCALENDAR\r\n/)
    },
  )
})

describe('unknown addresses and methods', () => {
  it.for([
    '/feeds/cfb_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/x.ics',
    '/feeds/x/x.ics',
    '/feeds/cfb_/x.ics',
    '/feeds/%00/x.ics',
    '/feeds/%E0%A4%A/x.ics',
    `/feeds/${'x'.repeat(5000)}/x.ics`,
  ])('%s answers 404 with the same bytes', async (address, { calendar: { raw } }) => {
    const { status, headers, body } = await raw(address)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body.toString()).toBe('There is no such calendar.\n')
  })

  it.for(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'OPTIONS'])(
    '%s answers 405 with Allow',
    async (method, { calendar: { path, raw } }) => {
      const { status, headers } = await raw(path, { method })
      expect([status, headers['allow']]).toEqual([405, 'GET, HEAD'])
    },
  )
})

describe('the name of the file', () => {
  it.for([
    ['', 'inline; filename="adas-work-calendar.ics"'],
    ['?download', 'attachment; filename="adas-work-calendar.ics"'],
  ] as const)(
    'Content-Disposition names the file for the query "%s"',
    async ([query, disposition], { calendar: { path, get } }) => {
      expect((await get(path + query)).headers['content-disposition']).toBe(disposition)
    },
  )

  it('the file name is safe whatever the address contains', async ({ calendar: { path, raw } }) => {
    const named = path.replace('adas-work-calendar', 'a=b%2F..%2Fc%22.exe%E2%80%AE')
    const { status, headers } = await raw(`${named}?download`)
    expect([status, headers['content-disposition']]).toEqual([
      200,
      'attachment; filename="a-b-c-exe.ics"',
    ])
  })

  it('a file name outside ASCII is also sent as filename*', async ({ calendar: { path, get } }) => {
    const named = path.replace('adas-work-calendar', encodeURIComponent('Jörgs Kalender 🗓'))
    const disposition = String((await get(named)).headers['content-disposition'])
    expect(disposition).toContain(`filename*=UTF-8''J%C3%B6rgs%20Kalender%20%F0%9F%97%93.ics`)
    expect(disposition).toMatch(/filename="[\x20-\x7eö]+"/)
  })
})

describe('robots.txt', () => {
  it('robots.txt answers 200 and disallows nothing', async ({ calendar: { get } }) => {
    const { status, text } = await get('/robots.txt')
    expect(status).toBe(200)
    expect(text).toMatch(/^Disallow:\s*$/m)
  })
})

describe('the events as JSON', () => {
  it('the JSON contains the events of the calendar', async ({ calendar: { path, get } }) => {
    const { body, headers } = await get(path.replace('.ics', '.json'))
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toMatchObject({ name: "Ada's work calendar", timezone: 'Europe/Berlin' })
    expect(body.events).toContainEqual({
      uid: 'leave-lv_ada1@main.calendar-feed-bridge',
      kind: 'leave',
      title: 'Leave lv_ada1',
      description: null,
      start: '2026-01-12',
      end: '2026-01-13',
      allDay: true,
      status: 'CONFIRMED',
      busy: 'OOF',
      sequence: 0,
      lastModified: expect.stringMatching(/^2026-01-05T/),
    })
  })
})

describe('the events as JSON, revalidated', () => {
  it('the JSON has its own ETag, which also changes with what only the JSON contains', async ({
    calendar: { get },
    api: { bridge },
  }) => {
    const { id, links } = await bridge.createFeed({ userIds: ['usr_ada'] })
    const json = new URL(links[0]!.url).pathname.replace('.ics', '.json')
    const first = await get(json)
    const tag = first.headers['etag'] ?? ''
    expect((await get(json).set('If-None-Match', tag)).status).toBe(304)
    await bridge.api('PATCH', `/api/feeds/${id}`, { timezone: 'Europe/Paris' })
    const second = await get(json).set('If-None-Match', tag)
    expect([second.status, second.body.timezone]).toEqual([200, 'Europe/Paris'])
  })

  it('the JSON events keep the order of the calendar, notices included', async ({
    calendar: { get },
    api: { bridge },
  }) => {
    const { id, links } = await bridge.createFeed({ userIds: ['usr_ada'] })
    const rotated = await bridge.api('POST', `/api/feeds/${id}/rotations`, { graceDays: 14 })
    expect(rotated.status).toBe(201)
    const json = new URL(links[0]!.url).pathname.replace('.ics', '.json')
    const { body } = await get(json)
    const starts: string[] = body.events.map(({ start }: { start: string }) => start.slice(0, 10))
    expect(starts).toEqual(starts.toSorted())
    expect(body.events.filter(({ kind }: { kind: string }) => kind === 'notice')).toHaveLength(1)
  })
})

describe('the notice that a link ends', () => {
  it('the notice gets a new SEQUENCE and date when its words change', async ({
    calendar: { get },
    api: { clock, bridge },
  }) => {
    const { id, links } = await bridge.createFeed({ userIds: ['usr_ada'] })
    await clock.advance(60_000)
    await bridge.api('POST', `/api/feeds/${id}/rotations`, { graceDays: 14 })
    const json = new URL(links[0]!.url).pathname.replace('.ics', '.json')
    const noticeOf = async (): Promise<{ sequence: number; lastModified: string }> => {
      const { body } = await get(json)
      return body.events.find(({ kind }: { kind: string }) => kind === 'notice')
    }
    const english = await noticeOf()
    await clock.advance(60_000)
    await bridge.api('PATCH', `/api/feeds/${id}`, { locale: 'de' })
    const german = await noticeOf()
    expect(german.sequence).toBe(english.sequence + 1)
    expect(Date.parse(german.lastModified)).toBe(Date.parse(english.lastModified) + 60_000)
  })
})

describe('limits', () => {
  it.for([
    ['a missing token', undefined, 401],
    ['a wrong token', 'wrong', 401],
    ['the right token', adminToken, 400],
  ] as const)(
    '%s at POST /api/feeds answers with a problem document',
    async ([, token, status], { api: { bridge } }) => {
      const response = await supertest(bridge.url)
        .post('/api/feeds')
        .set(token === undefined ? {} : { Authorization: `Bearer ${token}` })
        .send({})
      expect(response.status).toBe(status)
      expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    },
  )

  it('an oversized body answers 413, invalid JSON 400 and another type 415', async ({
    api: { bridge },
  }) => {
    const post = (type: string, body: string): supertest.Test =>
      supertest(bridge.url)
        .post('/api/feeds')
        .set({ Authorization: `Bearer ${adminToken}`, 'Content-Type': type })
        .send(body)
    expect((await post('application/json', `"${'x'.repeat(17_000_000)}"`)).status).toBe(413)
    expect((await post('application/json', '{')).status).toBe(400)
    expect((await post('text/plain', '{}')).status).toBe(415)
  })

  it('an overlong address answers 404', async ({ calendar: { raw } }) => {
    expect((await raw(`/feeds/${'x'.repeat(5000)}/x.ics`)).status).toBe(404)
  })
})

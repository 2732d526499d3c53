/* Bodies that are too large, too long or wrong in thousands of places: a short answer, nothing made, and the node goes on. */
import { gzipSync } from 'node:zlib'

import fc from 'fast-check'
import { describe, expect, inject } from 'vitest'

import { it, type TestApi } from '../../support/bridge/test-api.ts'
import type { ApiAnswer } from '../../support/web/api-answer.ts'

const singleBytes = 256 * 1024
const tableBytes = 4 * 1024 * 1024
const answerBytesMax = 64 * 1024

type Body = NonNullable<RequestInit['body']>

interface Refusal {
  readonly status: number
  readonly problem: ApiAnswer & { readonly detail: string }
}

interface Door {
  readonly type?: string
  readonly method?: string
  readonly address?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the API says of the body; nothing may have come of it. */
async function refusalOf(
  { send }: Pick<TestApi, 'send'>,
  body: Body,
  { type = 'application/json', method = 'POST', address = '/api/feeds', headers = {} }: Door = {},
): Promise<Refusal> {
  const before = await feedsIn({ send })
  const stream = body instanceof ReadableStream ? { duplex: 'half' as const } : {}
  const request = { method, body, ...stream, headers: { 'Content-Type': type, ...headers } }
  const response = await send(address, request)
  const text = await response.text()
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(answerBytesMax)
  expect(response.headers.get('content-type')).toContain('application/problem+json')
  const problem = JSON.parse(text)
  expect((problem.errors ?? []).length).toBeLessThanOrEqual(100)
  expect(await feedsIn({ send })).toEqual(before)
  return { status: response.status, problem }
}

async function feedsIn({ send }: Pick<TestApi, 'send'>): Promise<unknown> {
  return (await send('/api/feeds?limit=1000', {})).json()
}

const times = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join(',')
const unknownMembers = (count: number): string =>
  `{"userIds":["usr_ada"],${times(count, (index) => `"k${index}":1`)}}`
const unknownWords = (count: number): string => times(count, (index) => `"w${index}"`)
const csv = { type: 'text/csv' }
/** So many feeds or rows have faults, far more than are told. */
const faulty = inject('isThorough') ? 10_000 : 1000

describe('a single object', () => {
  it('an object with 250,000 unknown members is too large', async ({ api }) => {
    const { status, problem } = await refusalOf(api, unknownMembers(250_000))
    expect([status, problem.detail]).toEqual([
      413,
      'The body is too large for one feed: at most 262144 bytes.',
    ])
  })

  it('an object with 20,000 unknown members reports a hundred faults and how many more there are', async ({
    api,
  }) => {
    const { status, problem } = await refusalOf(api, unknownMembers(20_000))
    expect([status, problem.detail, problem.errors.length]).toEqual([
      400,
      'The feed is not valid. 19900 more faults are not told.',
      100,
    ])
    expect(problem.errors[99]?.pointer).toBe('/k99')
  })

  it.for([
    ['statuses', '"timesheets":{"statuses":[', ']}', '/options/timesheets/statuses', 100],
    ['scheduleIds', '"shifts":{"scheduleIds":[', ']}', '/options/shifts/scheduleIds', 1000],
    ['projectIds', '"tasks":{"projectIds":[', ']}', '/options/tasks/projectIds', 1000],
    [
      'weeks',
      '"shifts":{"rotation":{"from":"2026-01-05","weeks":[',
      ']}}',
      '/options/shifts/rotation/weeks',
      520,
    ],
  ] as const)(
    '%s with 20,000 words are refused by their number, not checked one by one',
    async ([, begin, end, place, most], { api }) => {
      const body = `{"userIds":["usr_ada"],"options":{${begin}${unknownWords(20_000)}${end}}}`
      const { status, problem } = await refusalOf(api, body)
      expect(status).toBe(400)
      expect(problem.errors.find(({ pointer }) => pointer === place)?.detail).toBe(
        `Must have at most ${most} entries.`,
      )
    },
  )

  it('a time zone of 200,000 letters is refused without comparing it to the known ones', async ({
    api,
  }) => {
    const feed = await api.ada()
    const body = JSON.stringify({ timezone: 'x'.repeat(200_000) })
    const address = `/api/feeds/${feed.id}`
    const { status, problem } = await refusalOf(api, body, { method: 'PATCH', address })
    expect([status, problem.errors]).toEqual([
      400,
      [{ pointer: '/timezone', detail: 'Must have at most 100 characters.' }],
    ])
  })

  it('an object with 20,000 people reports that fault once', async ({ api }) => {
    const asked = api.company.requests.length
    const { problem } = await refusalOf(api, `{"userIds":[${unknownWords(20_000)}]}`)
    expect(problem.errors).toEqual([
      { pointer: '/userIds', detail: 'Must have at most 500 entries.' },
    ])
    expect(api.company.requests.length - asked).toBeLessThan(5)
  })

  it.for([
    ['a name of a member', `{"userIds":["usr_ada"],"${'k'.repeat(200_000)}":1}`],
    ['a dotted name', `{"userIds":["usr_ada"],"options":{"${'leaves.'.repeat(30_000)}":1}}`],
    ['members of control characters', `{${times(8000, (index) => `"\\u0001\\u0002${index}":1`)}}`],
    [
      'an id of a schedule',
      `{"userIds":["usr_ada"],"options":{"shifts":{"scheduleIds":["${'s'.repeat(200_000)}"]}}}`,
    ],
    ['a zone', `{"userIds":["usr_ada"],"timezone":"${'z'.repeat(200_000)}"}`],
    ['a company', `{"userIds":["usr_ada"],"companyId":"${'c'.repeat(200_000)}"}`],
    ['a number', `{"userIds":["usr_ada"],"options":{"reminderMinutes":${'9'.repeat(200_000)}}}`],
    ['__proto__', `{"userIds":["usr_ada"],"__proto__":{"name":"x"},"options":{"__proto__":1}}`],
    ['the same member again and again', `{${times(8000, () => '"userIds":["usr_ada"]')},"x":1}`],
  ] as const)(
    'an object that goes too far in %s gets a short answer',
    async ([, body], { api }) => {
      const { status, problem } = await refusalOf(api, body)
      expect([status, problem.errors.length > 0]).toEqual([400, true])
    },
  )
})

describe('a list', () => {
  it('a list of 10,001 feeds is refused, however small the feeds are', async ({ api }) => {
    for (const element of ['{}', '1', '[]', '{"userIds":["usr_ada"]}']) {
      const { status, problem } = await refusalOf(api, `[${times(10_001, () => element)}]`)
      expect([status, problem.detail]).toEqual([
        400,
        'The list is too long: at most 10000 feeds in one request; send it in parts.',
      ])
    }
  })

  it('a list with more than ten thousand people is refused before the Read API is asked', async ({
    api,
  }) => {
    const asked = api.company.requests.length
    const feed = (index: number): string =>
      `{"userIds":[${times(500, (person) => `"p${index}-${person}"`)}]}`
    const { status, problem } = await refusalOf(api, `[${times(21, feed)}]`)
    expect([status, problem.detail]).toEqual([
      400,
      'The feeds show more than 10000 people: send them in parts.',
    ])
    expect(api.company.requests.length).toBe(asked)
  })

  it('a list with many faults in each feed reports the first hundred', async ({ api }) => {
    const feed = `{"userIds":["usr_ada"],${times(10, (index) => `"k${index}":1`)}}`
    const { problem } = await refusalOf(api, `[${times(faulty / 2, () => feed)}]`)
    expect(problem.detail).toBe(
      `Some of the feeds are not valid, none was made. ${5 * faulty - 100} more faults are not told.`,
    )
    expect(problem.errors.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 100 }, (_, index) => `/${Math.floor(index / 10)}/k${index % 10}`),
    )
    expect(problem.errors[0]?.detail).toContain('There is no such member; there are ')
  })

  it('a list for another company answers 404, even if it has very many faults', async ({ api }) => {
    const made = await api.ask('POST', '/api/tokens', {
      name: 'of-main',
      role: 'support',
      companyId: 'main',
    })
    const headers = { Authorization: `Bearer ${Object(made[1]).token}` }
    const feed = `{"userIds":["usr_ada"],"companyId":"other",${times(300, (index) => `"k${index}":1`)}}`
    const { status } = await refusalOf(api, `[${times(1000, () => feed)}]`, { headers })
    expect(status).toBe(404)
  })

  it('a list with hundreds of thousands of empty lists is refused before any feed is checked', async ({
    api,
  }) => {
    const { problem } = await refusalOf(api, `[{"x":[${times(800_000, () => '[]')}]}]`)
    expect(problem.detail).toContain('at most 500000 objects and lists')
  })

  it('a list with one feed that is too large says which one', async ({ api }) => {
    const { status, problem } = await refusalOf(api, `[{},${unknownMembers(40_000)}]`)
    expect([status, problem.detail]).toEqual([
      413,
      'The feed at 1 of the list is too large for one feed: at most 262144 bytes.',
    ])
  })
})

describe('a table', () => {
  it.for([
    ['two million rows', `userId\n${'a\n'.repeat(2_000_000)}`],
    ['10,001 rows', `userId\n${'usr_ada\n'.repeat(10_001)}`],
    ['empty rows', `userId\n${'\n'.repeat(4_000_000)}`],
    ['nothing but empty rows', '\n'.repeat(4_000_000)],
  ] as const)(
    'a table with %s is read no further than ten thousand rows',
    async ([, table], { api }) => {
      const { status, problem } = await refusalOf(api, table, csv)
      expect([status, problem.detail]).toEqual([
        400,
        'The table has more than 10000 rows, empty ones included: split it.',
      ])
    },
  )

  it.for([
    ['100,000 columns', `userId,${times(100_000, (index) => `c${index}`)}\nusr_ada\n`, 'line 1'],
    ['a row of 4 million cells', `userId\nusr_ada\n${','.repeat(4_000_000)}\n`, 'row 3'],
    ['other line breaks in it', `userId\r\nusr_ada,${',\n,\r'.repeat(900_000)}`, 'line 2'],
  ] as const)(
    'a table with %s is refused with the place of the fault',
    async ([, table, place], { api }) => {
      const { status, problem } = await refusalOf(api, table, csv)
      expect(status).toBe(400)
      expect(problem.detail).toMatch(
        /^The table has more than 100 columns|^The table is not valid CSV/,
      )
      expect(problem.detail).toContain(` in ${place}`)
    },
  )

  it.for([
    ['one enormous cell', `userId\n${'x'.repeat(4_000_000)}`],
    ['a quote that is never closed', `userId\n"${'x\n'.repeat(2_000_000)}`],
  ] as const)('a table with %s is refused', async ([, table], { api }) => {
    const { status, problem } = await refusalOf(api, table, csv)
    expect(status).toBe(400)
    expect(problem.detail).toMatch(/begins in line 2 has an unclosed quote or more than/)
  })

  it('a large table with a few faults reports all of them with their row numbers', async ({
    api,
  }) => {
    const rows = Array.from({ length: faulty }, (_, index) => `usr_ada,Table ${index},en`)
    for (const wrong of [4, faulty / 2, faulty - 1]) rows[wrong] = `usr_ada,Table ${wrong},fr`
    const { problem } = await refusalOf(api, `userId,name,locale\n${rows.join('\n')}\n`, csv)
    expect(problem).toMatchObject({
      detail: 'Some rows of the table are not valid. No calendar was made.',
      errors: [6, faulty / 2 + 2, faulty + 1].map((row) => ({
        pointer: `/${row - 2}/locale`,
        detail: `Row ${row} (usr_ada), locale "fr": Must be en or de.`,
      })),
    })
  })

  it('a large table with a fault in each row reports a hundred', async ({ api }) => {
    const rows = Array.from({ length: faulty }, () => 'usr_ada,Europe/Belrin')
    const { problem } = await refusalOf(api, `userId,timezone\n${rows.join('\n')}\n`, csv)
    expect(problem.detail).toBe(
      `Some rows of the table are not valid. No calendar was made. ${faulty - 100} more faults are not told.`,
    )
    expect(problem.errors).toHaveLength(100)
  })

  it.for([
    ['nested', '['.repeat(30_000)],
    ['beside each other', '[],'.repeat(20_000)],
  ] as const)(
    'a table with a million lists in its options, %s, is refused before they are parsed',
    async ([, options], { api }) => {
      const rows = Array.from({ length: 50 }, () => `usr_ada,"${options}"`)
      const { status, problem } = await refusalOf(api, `userId,options\n${rows.join('\n')}\n`, csv)
      expect([status, problem.detail]).toEqual([
        400,
        'The options in the table are too long: at most 500000 objects and lists in one request; send it in parts.',
      ])
    },
  )
})

describe('every route that takes input', () => {
  it.for([
    ['POST', ''],
    ['PATCH', '/FEED'],
    ['POST', '/FEED/links'],
    ['POST', '/FEED/rotations'],
    ['POST', '../tokens'],
    ['POST', '../erasures'],
  ] as const)('%s /api/feeds%s limits its body', async ([method, place], { api }) => {
    const { id } = await api.ada()
    const address = new URL(`/api/feeds/${place.replace('/FEED', id)}`, 'http://x').pathname
    const door = { method, address: address.replace(/\/$/, '') }
    const large = await refusalOf(api, unknownMembers(250_000), door)
    expect(large.status).toBe(413)
    const wrong = await refusalOf(api, unknownMembers(20_000), door)
    expect([wrong.status, wrong.problem.errors.length]).toEqual([400, 100])
    expect(wrong.problem.detail).toMatch(/ \d+ more faults are not told\.$/)
  })

  it('a compressed body is refused', async ({ api }) => {
    const body = new Uint8Array(gzipSync('x'.repeat(20_000_000)))
    for (const type of ['application/json', 'text/csv']) {
      const { status } = await refusalOf(api, body, {
        type,
        headers: { 'Content-Encoding': 'gzip' },
      })
      expect(status).toBe(415)
    }
  })

  it.for(['application/json', 'text/csv'])(
    'an endless body of type %s is answered before it ends',
    async (type, { api }) => {
      let isAnswered = false
      const body = new ReadableStream({
        pull: (stream) => {
          if (isAnswered) stream.close()
          else stream.enqueue(Buffer.alloc(65_536, ' '))
        },
      })
      const { status, problem } = await refusalOf(api, body, { type })
      isAnswered = true
      expect([status, problem.detail]).toEqual([
        413,
        `The body is too large: at most ${tableBytes} bytes.`,
      ])
    },
  )

  it.for([
    ['application/x-ndjson', '{"userIds":["usr_ada"]}\n{"userIds":["usr_ada"]}\n', 415],
    ['application/json', '{"userIds":["usr_ada"]}\n{"userIds":["usr_ada"]}\n', 400],
    ['application/json', '["usr_ada"', 400],
    ['application/json', '7', 400],
    ['application/json', Buffer.from('{"userIds":["\xE9"]}', 'latin1'), 400],
    ['application/json; charset=utf-16', Buffer.from('{}', 'utf16le'), 415],
  ] as const)('refuses the %s body %j', async ([type, body, status], { api }) => {
    const sent = typeof body === 'string' ? body : new Uint8Array(body)
    expect((await refusalOf(api, sent, { type })).status).toBe(status)
  })

  it('JSON with a byte order mark is accepted', async ({ api: { send } }) => {
    for (const text of ['{"userIds":["usr_ada"]}', ' [{"userIds":["usr_ada"]}]']) {
      const headers = { 'Content-Type': 'application/json' }
      const response = await send('/api/feeds', { method: 'POST', body: `\uFEFF${text}`, headers })
      expect(response.status).toBe(201)
    }
  })

  it('a query with hundreds of wrong parameters reports a hundred of them', async ({
    api: { send },
  }) => {
    const query = Array.from({ length: 900 }, (_, index) => index.toString(36)).join('&')
    const response = await send(`/api/feeds?${query.slice(0, 2000)}`, {})
    const text = await response.text()
    expect([response.status, JSON.parse(text).errors.length]).toEqual([400, 100])
    expect(text.length).toBeLessThan(answerBytesMax)
  })
})

/** Of any shape, as large as is let in. */
const hostile = fc
  .record({
    begin: fc.constantFrom(
      '',
      '[',
      '{"userIds":["usr_ada"],"options":',
      '{"a":',
      '"',
      'userId\n',
      'userId,',
    ),
    part: fc.oneof(
      fc.constantFrom(
        '{},',
        '[],',
        '[',
        '{"a":',
        '"",',
        '\n',
        ',',
        '"',
        '""',
        '\\u0000',
        '1e',
        'usr_ada\n',
        ';',
        '\t',
        '\0',
      ),
      fc.json({ maxDepth: 3 }).map((text) => `${text},`),
      fc.string({ minLength: 1, unit: 'binary' }),
    ),
    end: fc.constantFrom('', ']', '}', '{}]', '1}', '"', '\n'),
    bytes: fc.constantFrom(1000, singleBytes - 100, singleBytes + 100, tableBytes - 100),
    type: fc.constantFrom(
      'application/json',
      'application/merge-patch+json',
      'text/csv',
      'text/csv; charset=utf-16',
    ),
  })
  .map(({ begin, part, end, bytes, type }) => {
    const count = Math.ceil((bytes - begin.length - end.length) / Buffer.byteLength(part))
    return { text: begin + part.repeat(Math.max(1, count)) + end, type }
  })

it('any hostile body gets a short refusal, creates nothing, and the node keeps answering', async ({
  api,
}) => {
  await fc.assert(
    fc.asyncProperty(hostile, async ({ text, type }) => {
      const { status } = await refusalOf(api, text, { type })
      expect([400, 404, 413, 415]).toContain(status)
      expect(await (await api.send('/healthz', {})).text()).toBe('ok\n')
    }),
    { numRuns: inject('isThorough') ? 500 : 10 },
  )
})

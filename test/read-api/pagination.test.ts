import { afterEach, describe, expect, it } from 'vitest'

import { everyList, type Pagination } from '../../src/domain/connection.ts'
import { nextLink } from '../../src/transport/http.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  inTurn,
  type MisbehavingServer,
  type SeenRequest,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { createTestClient, listOperations, recordOperations } from './operations.ts'

const byPageNumber: Pagination = {
  style: 'page',
  pageParameter: 'page',
  sizeParameter: 'size',
  size: 3,
  first: 1,
}
const byOffsetNumber: Pagination = {
  style: 'offset',
  offsetParameter: 'offset',
  limitParameter: 'limit',
  limit: 3,
}
const byNextLink: Pagination = { style: 'link' }

const schedules = Array.from({ length: 7 }, (_, index) => ({ id: `sch_${index}` }))

const servers: MisbehavingServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

describe('whole lists, in order', () => {
  it.each([
    ['pages', { ...byPageNumber }, byPage(3, 1), ['1', '2', '3', '4']],
    ['pages from 0', { ...byPageNumber, first: 0 }, byPage(3, 0), ['0', '1', '2', '3']],
    ['pages that the server caps', byPageNumber, byPage(2, 1), ['1', '2', '3', '4', '5']],
    ['offsets', byOffsetNumber, byOffset(3), ['0', '3', '6', '7']],
    ['offsets, pages that the server caps', byOffsetNumber, byOffset(2), ['0', '2', '4', '6', '7']],
  ] as const)('%s', async (_name, pagination, behave, places) => {
    const server = await serve(behave)
    await expect(list(server, pagination)).resolves.toEqual(schedules)
    const name = pagination.style === 'page' ? 'page' : 'offset'
    expect(server.requests.map((request) => query(request).get(name))).toEqual(places)
    const size = pagination.style === 'page' ? 'size' : 'limit'
    expect(server.requests.map((request) => query(request).get(size))).toEqual(
      places.map(() => '3'),
    )
  })

  it('next links, also relative ones, always keep the filters of the list', async () => {
    const server = await serve(byLink((at) => `</api/public/v1/schedules?at=${at}>; rel="next"`))
    await expect(list(server, byNextLink)).resolves.toEqual(schedules)
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/api/public/v1/schedules?isActive=true',
      '/api/public/v1/schedules?at=3&isActive=true',
      '/api/public/v1/schedules?at=6&isActive=true',
    ])
  })

  it('a next link with another filter is rejected: it would return records of other people', async () => {
    const server = await serve(
      byLink((at) => `</api/public/v1/schedules?at=${at}&isActive=false>; rel="next"`),
    )
    await expect(list(server, byNextLink)).rejects.toMatchObject({ code: 'upstream_invalid' })
  })

  describe('a next link that writes a date bound in its own way', () => {
    const from = Date.parse('2025-10-01T00:00:00.000Z')
    const to = Date.parse('2026-12-31T22:30:00.000Z')

    async function next(bounds: string): Promise<string[]> {
      const link = `<?at=1&userId=usr_1&${bounds}>; rel="next"`
      const server = await serve(
        inTurn(answerJson({ data: [{ id: 'a' }] }, { link }), answerJson({ data: [{ id: 'b' }] })),
      )
      const client = createTestClient(server.url, { pagination: everyList(byNextLink) })
      await client.list('timesheets', { employee: 'usr_1', from, to })
      await client.close()
      const asked = query(server.requests[1]!)
      return ['startDate', 'endDate'].flatMap((name) => asked.getAll(name))
    }

    it.each([
      'startDate=2025-10-01',
      'startDate=2025-10-01&startDate=2025-10-01T00:00:00Z',
      'startDate=2025-10-01T02:00:00%2B02:00&endDate=2026-12-31T22:30Z',
      'endDate=2027-01-01T00:30:00.000%2B02:00',
    ])('is followed if the instant is the same, and requested as before: %s', async (bounds) => {
      await expect(next(bounds)).resolves.toEqual([
        '2025-10-01T00:00:00.000Z',
        '2026-12-31T22:30:00.000Z',
      ])
    })

    it.each([
      'startDate=2025-10-02',
      'startDate=2025-10-01T00:00:00%2B02:00',
      'startDate=2025-10-01T00:00:00',
      'startDate=2025-10',
      'startDate=1759276800000',
      'startDate=',
      'startDate=2025-10-01&startDate=2025-09-01',
      'endDate=2026-12-31',
    ])('is rejected if the instant differs or may differ: %s', async (bounds) => {
      await expect(next(bounds)).rejects.toMatchObject({
        code: 'upstream_invalid',
        message: expect.stringContaining('a next page with another filter'),
      })
    })

    it('is rejected if the value is not a date bound of the request', async () => {
      const link = '<?at=1&userId=2025-10-01T00:00:00Z>; rel="next"'
      const server = await serve(answerJson({ data: [{ id: 'a' }] }, { link }))
      const client = createTestClient(server.url, { pagination: everyList(byNextLink) })
      const listed = client.list('leaves', { employee: '2025-10-01' })
      await expect(listed).rejects.toMatchObject({ code: 'upstream_invalid' })
      await client.close()
    })
  })

  it('a 404 for a page number after the last ends the list', async () => {
    const pages = byPage(3, 1)
    const server = await serve((socket, request) => {
      const isPast = Number(query(request).get('page')) > 3
      return isPast ? answer({ status: 404 })(socket, request) : pages(socket, request)
    })
    await expect(list(server, byPageNumber)).resolves.toEqual(schedules)
  })

  it('a 404 for an offset is a failed page, never a missing list', async () => {
    const offsets = byOffset(3)
    const server = await serve((socket, request) => {
      const isPast = Number(query(request).get('offset')) > 0
      return isPast ? answer({ status: 404 })(socket, request) : offsets(socket, request)
    })
    await expect(list(server, byOffsetNumber)).rejects.toMatchObject({ code: 'upstream_invalid' })
  })

  it('an empty page in the middle does not end a list of next links', async () => {
    const server = await serve((socket, request) => {
      const at = Number(query(request).get('at') ?? 0)
      const headers = at < 3 ? { link: `<?at=${at + 1}>; rel=next` } : {}
      answerJson({ data: at === 1 ? [] : [schedules[at]] }, headers)(socket, request)
    })
    await expect(list(server, byNextLink)).resolves.toEqual([
      schedules[0],
      schedules[2],
      schedules[3],
    ])
  })

  it('an empty list is a valid answer', async () => {
    const server = await serve(answerJson({ data: [] }))
    await expect(list(server, byPageNumber)).resolves.toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('a single answer is the list without paging, whatever its links', async () => {
    const server = await serve(answerJson({ data: schedules }, { link: '<?page=2>; rel="next"' }))
    await expect(list(server, { style: 'none' })).resolves.toEqual(schedules)
    expect(server.requests).toHaveLength(1)
  })
})

describe.each(Object.entries(listOperations))(
  '%s never returns a partial list',
  (_name, operation) => {
    const full = { data: [{ id: 'a' }, { id: 'b' }] }
    const faults: [string, Pagination, Behaviour, string, number][] = [
      [
        'a later page that repeats',
        byPageNumber,
        inTurn(answerJson(full), answerJson({ data: [{ id: 'c' }] }), answerJson(full)),
        'answered the same records again as page 3',
        3,
      ],
      [
        'an offset that repeats some of the first page',
        byOffsetNumber,
        inTurn(answerJson(full), answerJson({ data: [{ id: 'b' }] })),
        'answered the same records again as page 2',
        2,
      ],
      ['a next link to itself', byNextLink, selfLink(full), 'a next page that was read already', 1],
      ['next links in a circle', byNextLink, circle, 'a next page that was read already', 3],
      ['linked pages that repeat', byNextLink, endless(full), 'answered the same records again', 2],
      [
        'empty pages without end',
        byNextLink,
        endless({ data: [] }),
        'answered more than 1000 pages',
        1000,
      ],
      [
        'a next link elsewhere',
        byNextLink,
        answerJson(full, { link: '<https://other.invalid/?page=2>; rel="next"' }),
        'answered a next page that lies elsewhere',
        1,
      ],
      [
        'pages too large together',
        byPageNumber,
        large,
        'answered more than 800000 bytes in all its pages',
        9,
      ],
    ]
    it.each(faults)('%s', async (_fault, pagination, behave, says, requests) => {
      const server = await serve(behave)
      const client = createTestClient(server.url, { pagination: everyList(pagination) })
      await expect(operation(client)).rejects.toMatchObject({
        code: 'upstream_invalid',
        message: expect.stringContaining(says),
      })
      expect(server.requests).toHaveLength(requests)
      await client.close()
    })

    it('a failing page fails the list', async () => {
      const server = await serve((socket, request) => {
        const isFirst = query(request).get('page') === '1'
        const behave = isFirst ? answerJson(full) : answer({ status: 403 })
        behave(socket, request)
      })
      const client = createTestClient(server.url, { pagination: everyList(byPageNumber) })
      await expect(operation(client)).rejects.toMatchObject({
        code: 'upstream_rejected',
        status: 403,
      })
      await client.close()
    })
  },
)

it.each(Object.entries(recordOperations))(
  '%s does not follow a next link',
  async (_name, operation) => {
    const server = await serve((socket, request) => {
      const id = request.path.split('/').at(-1)
      answerJson({ data: { id } }, { link: '<?page=2>; rel="next"' })(socket, request)
    })
    const client = createTestClient(server.url, { pagination: everyList(byNextLink) })
    await expect(operation(client)).resolves.toHaveProperty('id')
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]?.path).not.toContain('?')
    await client.close()
  },
)

it.each([
  ['<a>; rel="next"', 'a'],
  ['<a>; rel=next', 'a'],
  ['<a>;rel=NEXT', 'a'],
  ['<a> ; REL = "next"', 'a'],
  ['<a>; rel="last next"', 'a'],
  ['<a>; rel="prev", <b>; rel="next"', 'b'],
  ['<a,b;c>; rel=prev,<d,e>; title="x, <y>; rel=next"; rel=next', 'd,e'],
  ['<a>; title="\\"quoted\\", rel=next"; rel=prev, <b>; rel=next', 'b'],
  ['<a>; rel=prev; rel=next, <b>; rel=next', 'b'],
  ['<a>; rel=next; anchor="#x", <b>; rel=next', 'b'],
  ['<a>; title*=UTF-8\'\'x; rel="next"', 'a'],
  ['<>; rel=next', ''],
  ['<a>; rel=nextpage', undefined],
  ['<a>', undefined],
  ['<a; rel=next', undefined],
  ['a; rel=next', undefined],
  ['<a>; title="open; rel=next', undefined],
  ['', undefined],
])('the next link of %s is %s', (field, target) => {
  expect(nextLink(field)).toBe(target)
})

async function serve(behave: Behaviour): Promise<MisbehavingServer> {
  const server = await startMisbehavingServer(behave)
  servers.push(server)
  return server
}

async function list(server: MisbehavingServer, pagination: Pagination): Promise<unknown> {
  const client = createTestClient(server.url, { pagination: everyList(pagination) })
  const { records } = await client.list('schedules', { active: true })
  await client.close()
  return records
}

function query({ path }: SeenRequest): URLSearchParams {
  return new URL(path, 'http://any').searchParams
}

function byPage(cap: number, first: number): Behaviour {
  return (socket, request) => {
    const start = (Number(query(request).get('page')) - first) * cap
    answerJson({ data: schedules.slice(start, start + cap) })(socket, request)
  }
}

function byOffset(cap: number): Behaviour {
  return (socket, request) => {
    const start = Number(query(request).get('offset'))
    answerJson({ data: schedules.slice(start, start + cap) })(socket, request)
  }
}

function byLink(link: (at: number) => string): Behaviour {
  return (socket, request) => {
    const at = Number(query(request).get('at') ?? 0)
    const headers = at + 3 < schedules.length ? { link: link(at + 3) } : {}
    answerJson({ data: schedules.slice(at, at + 3) }, headers)(socket, request)
  }
}

function selfLink(body: unknown): Behaviour {
  return (socket, request) => {
    answerJson(body, { link: `<${request.path}>; rel="next"` })(socket, request)
  }
}

function circle(...[socket, request]: Parameters<Behaviour>): void {
  const isOdd = query(request).get('odd') !== null
  const link = isOdd ? '<?even>; rel=next' : '<?odd>; rel=next'
  const at = isOdd ? 'b' : 'a'
  const isBack = query(request).get('even') !== null
  answerJson({ data: [{ id: isBack ? 'c' : at }] }, { link })(socket, request)
}

function endless(body: unknown): Behaviour {
  let page = 0
  return (socket, request) => {
    page += 1
    answerJson(body, { link: `<?page=${page}>; rel=next` })(socket, request)
  }
}

function large(...[socket, request]: Parameters<Behaviour>): void {
  const id = query(request).get('page')
  answerJson({ data: [{ id, notes: 'x'.repeat(99_000) }] })(socket, request)
}

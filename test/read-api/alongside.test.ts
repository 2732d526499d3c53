/* Of a list whose first page alone is filtered, somebody else's further pages bring what the first one hides. */
import { afterEach, describe, expect, it } from 'vitest'

import { type ConnectionSettings, everyList, type Pagination } from '../../src/domain/connection.ts'
import type { Leave } from '../../src/domain/leave.ts'
import type { Answer } from '../../src/domain/read-api.ts'
import type { ReadApiClient } from '../../src/read-api/client.ts'
import {
  answer,
  answerJson,
  type Behaviour,
  type MisbehavingServer,
  startMisbehavingServer,
} from '../support/company/misbehaving-server.ts'
import { byOffset, byPage, createTestClient } from './operations.ts'

const day = '2026-01-05T00:00:00.000Z'
const leaves = [1, 2, 3, 4, 5].map((number) => ({
  id: `lv_${number}`,
  startDate: day,
  endDate: day,
  status: 'APPROVED',
}))
const allIds = leaves.map(({ id }) => id)

let server: MisbehavingServer | undefined
let client: ReadApiClient | undefined
afterEach(async () => {
  await client?.close()
  await server?.close()
})

describe.each<[string, Pagination, string, string[]]>([
  ['page', byPage, 'page', ['1', '2', '3']],
  ['offset', byOffset, 'offset', ['0', '2', '4']],
  ['link', { style: 'link' }, 'page', ['', '2', '3']],
])('pages of style %s', (_style, pagination, name, places) => {
  it('known pages of others are also requested, with the own filter and beyond the own end', async () => {
    const ofAda = await ask(onlyFirstFiltered, pagination)
    expect(idsIn(ofAda)).toEqual(allIds)
    expect(placesIn(ofAda.pages, name)).toEqual(places)
    const before = server?.requests.length ?? 0
    const ofNobody = await listOf('usr_nobody', ofAda)
    expect(idsIn(ofNobody)).toEqual(['lv_3', 'lv_4', 'lv_5'])
    const asked = (server?.requests ?? []).slice(before).map(({ path }) => path)
    expect(placesIn(asked, name)).toEqual(places)
    expect(asked.every((path) => path.includes('userId=usr_nobody'))).toBe(true)
    expect(asked.some((path) => path.includes('usr_ada'))).toBe(false)
  })

  it('are also requested without an employee', async () => {
    const ofAda = await ask(onlyFirstFiltered, pagination)
    const ofAll = await listOf(undefined, ofAda)
    expect(idsIn(ofAll)).toEqual(allIds)
    expect(server?.requests.at(-1)?.path).not.toContain('userId')
  })

  it('have no effect if missing or empty', async () => {
    const ofAda = await ask(onlyFirstFiltered, pagination)
    await server?.close()
    const others = await ask(nothingBehindTheFirst, pagination)
    expect(idsIn(others)).toEqual(['lv_1', 'lv_2'])
    const pages = ofAda.pages.map((page) => page.replace(/:\d+/, `:${portOf(server)}`))
    const ofNobody = await listOf('usr_nobody', { pages })
    expect(idsIn(ofNobody)).toEqual([])
    expect(ofNobody.pages).toEqual([])
  })

  it('fail the whole list if one fails', async () => {
    const ofAda = await ask(onlyFirstFiltered, pagination)
    await server?.close()
    await ask(answerJson({ data: [] }), pagination)
    const pages = ofAda.pages.map((page) => page.replace(/:\d+/, `:${portOf(server)}`))
    await server?.close()
    await expect(listOf('usr_nobody', { pages })).rejects.toMatchObject({
      code: 'upstream_unavailable',
    })
  })
})

it('a page named only by a cursor is left out', async () => {
  const ofAda = await ask(byCursor, { style: 'link' })
  expect(idsIn(ofAda)).toEqual(['lv_1', 'lv_2', 'lv_3', 'lv_4'])
  const before = server?.requests.length ?? 0
  await listOf('usr_nobody', ofAda)
  expect(server?.requests).toHaveLength(before + 1)
})

it('without paging no further pages are requested', async () => {
  const ofAda = await ask(answerJson({ data: leaves }), { style: 'none' })
  await listOf('usr_bob', { pages: [...ofAda.pages, `${ofAda.pages[0]}&page=2`] })
  expect(server?.requests).toHaveLength(2)
})

it('a credential repeated in a link is kept in no address', async () => {
  const authentication = { scheme: 'query', name: 'key', value: 's3cret' } as const
  const ofAda = await ask(echoingLinks, { style: 'link' }, { authentication })
  expect(idsIn(ofAda)).toEqual(allIds)
  expect(ofAda.pages.join(' ')).not.toContain('s3cret')
  const ofNobody = await listOf('usr_nobody', ofAda)
  expect(idsIn(ofNobody)).toEqual(['lv_3', 'lv_4', 'lv_5'])
  expect(server?.requests.every(({ path }) => path.includes('key=s3cret'))).toBe(true)
})

/** Ada's leaves, asked for from a server that behaves so. */
async function ask(
  behave: Behaviour,
  pagination: Pagination,
  settings: Partial<ConnectionSettings> = {},
): Promise<Answer<Leave>> {
  await client?.close()
  server = await startMisbehavingServer(behave)
  client = createTestClient(server.url, { pagination: everyList(pagination), ...settings })
  return listOf('usr_ada')
}

async function listOf(
  employee: string | undefined,
  { pages: alongside }: Pick<Answer<Leave>, 'pages'> = { pages: [] },
): Promise<Answer<Leave>> {
  if (!client) throw new Error('There is a client once something was asked for.')
  return client.list('leaves', employee === undefined ? {} : { employee }, { alongside })
}

function idsIn({ records }: Answer<Leave>): readonly string[] {
  return records.map(({ id }) => id)
}

function placesIn(addresses: readonly string[], name: string): readonly string[] {
  return addresses.map((address) => new URL(address, 'http://any').searchParams.get(name) ?? '')
}

function portOf(running: MisbehavingServer | undefined): string {
  return new URL(running?.url ?? '').port
}

interface AskedPage {
  readonly query: URLSearchParams
  readonly number: number
}

function pageOf(path: string): AskedPage {
  const query = new URL(path, 'http://any').searchParams
  const offset = query.get('offset')
  return {
    query,
    number: offset === null ? Number(query.get('page') ?? 1) : Number(offset) / 2 + 1,
  }
}

/** Only on page 1 the employee counts: everybody else has nothing there, and everything behind it. */
function onlyFirstFiltered(...[socket, request]: Parameters<Behaviour>): void {
  const { query, number } = pageOf(request.path)
  const isNobodys = number === 1 && (query.get('userId') ?? 'usr_ada') !== 'usr_ada'
  const start = Math.ceil(number - 1) * 2
  const next =
    number < 3 && !isNobodys ? { link: `<?userId=usr_ada&page=${number + 1}>; rel=next` } : {}
  const headers = query.has('userId') ? next : linkWithout(number)
  answerJson({ data: isNobodys ? [] : leaves.slice(start, start + 2) }, headers)(socket, request)
}

function linkWithout(number: number): Record<string, string> {
  return number < 3 ? { link: `<?page=${number + 1}>; rel=next` } : {}
}

function nothingBehindTheFirst(...[socket, request]: Parameters<Behaviour>): void {
  const { query, number } = pageOf(request.path)
  if (number === 3) return answer({ status: 404 })(socket, request)
  const isAdas = number === 1 && query.get('userId') === 'usr_ada'
  answerJson({ data: isAdas ? leaves.slice(0, 2) : [] })(socket, request)
}

function byCursor(...[socket, request]: Parameters<Behaviour>): void {
  const { query } = pageOf(request.path)
  const isFirst = !query.has('cursor')
  const data = isFirst ? leaves.slice(0, 2) : leaves.slice(2, 4)
  const isAdas = query.get('userId') === 'usr_ada'
  const headers = isFirst && isAdas ? { link: '<?cursor=eyJhIjoxfQ&page=2>; rel=next' } : {}
  answerJson({ data: isAdas ? data : [] }, headers)(socket, request)
}

function echoingLinks(...[socket, request]: Parameters<Behaviour>): void {
  const { query, number } = pageOf(request.path)
  const isNobodys = number === 1 && query.get('userId') !== 'usr_ada'
  const start = (number - 1) * 2
  const headers =
    number < 3 && !isNobodys ? { link: `<?page=${number + 1}&key=s3cret>; rel=next` } : {}
  const data = isNobodys ? [] : leaves.slice(start, start + 2)
  answerJson({ data }, headers)(socket, request)
}

/* A Read API of somebody else's over real HTTP: the sample company behind whatever the spec leaves open. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

import { onTestFinished } from 'vitest'

import { defaultParameters, type ParameterNames } from '../../../src/domain/read-api.ts'
import type { CompanyFile } from '../../../src/wire/company-file.ts'
import { closeServer, listenHere } from '../web/local-server.ts'
import { foreignCompany } from './foreign-company.ts'
import type { ForeignPaging, ForeignStyle } from './foreign-style.ts'

export interface ForeignApi {
  /** `{base_url}` of the spec. */
  readonly url: string
  /** Path and query of every request, in order of arrival. */
  readonly requests: string[]
  close(): Promise<void>
}

type JsonRecord = Readonly<Record<string, unknown>>

/** Starts a Read API of that style that ends with the test. */
export async function foreignApi(style: ForeignStyle = {}): Promise<ForeignApi> {
  const api = await startForeignApi(style)
  onTestFinished(() => api.close())
  return api
}

/** Starts a Read API of that style on a free port. */
export async function startForeignApi(style: ForeignStyle = {}): Promise<ForeignApi> {
  const company = foreignCompany(style)
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response, { style, company })
  })
  const origin = await listenHere(server)
  const url = `${origin}${style.basePath ?? ''}`
  return { url, requests, close: () => closeServer(server) }
}

interface Serving {
  readonly style: ForeignStyle
  readonly company: CompanyFile
}

function answer(request: IncomingMessage, response: ServerResponse, serving: Serving): void {
  const url = new URL(request.url ?? '', 'http://localhost')
  const { style } = serving
  if (!isAuthorized(request, url, style)) {
    if (style.challenge !== undefined) response.setHeader('WWW-Authenticate', style.challenge)
    return send(response, 401, { error: 'unauthorized' })
  }
  const prefix = `${style.basePath ?? ''}/api/public/v1/`
  if (!url.pathname.startsWith(prefix)) return sendPage(response)
  const steps = url.pathname.slice(prefix.length).split('/').map(decodeURIComponent)
  if (style.strict && hasUnknownParameter(url, steps[0] ?? '', style)) {
    return send(response, 400, { error: 'unknown parameter' })
  }
  if (style.leavesByEmployeeOnly && steps[0] === 'leaves' && lacksEmployee(url, style)) {
    return send(response, 400, { error: 'an employee is required' })
  }
  const list = listOf(steps, url.searchParams, serving)
  if (list) return sendList(response, url, list, style.paging ?? { style: 'none' })
  const record = recordOf(steps, serving)
  return record
    ? send(response, 200, { data: record })
    : send(response, 404, { error: 'not found' })
}

function isAuthorized({ headers }: IncomingMessage, url: URL, style: ForeignStyle): boolean {
  const wanted = style.authentication ?? { scheme: 'none' }
  const { scheme } = wanted
  if (scheme === 'none') return true
  if (scheme === 'bearer') return headers.authorization === `Bearer ${wanted.token}`
  if (scheme === 'header') return headers[wanted.name.toLowerCase()] === wanted.value
  if (scheme === 'query') return url.searchParams.get(wanted.name) === wanted.value
  const pair = Buffer.from(`${wanted.user}:${wanted.password}`).toString('base64')
  return headers.authorization === `Basic ${pair}`
}

function hasUnknownParameter(url: URL, resource: string, style: ForeignStyle): boolean {
  const names = new Map(Object.entries(style.parameters ?? defaultParameters)).get(resource) ?? {}
  const { paging } = style
  const named = paging ? Object.values(paging).filter((it) => typeof it === 'string') : []
  const paged = paging?.style === 'link' ? ['cursor'] : named
  const query = style.authentication?.scheme === 'query' ? [style.authentication.name] : []
  const known = new Set([...Object.values(names), ...paged, ...query])
  return [...url.searchParams.keys()].some((name) => !known.has(name))
}

function lacksEmployee(
  { searchParams }: URL,
  { parameters = defaultParameters }: ForeignStyle,
): boolean {
  const { employee } = parameters.leaves
  return employee === null || !searchParams.has(employee)
}

function listOf(
  [noun, id, tasks]: readonly string[],
  query: URLSearchParams,
  { style, company }: Serving,
): readonly JsonRecord[] | undefined {
  const names = style.parameters ?? defaultParameters
  const given = (name: string | null): string | null => (name === null ? null : query.get(name))
  if (noun === 'leaves') {
    const [wanted, status] = [given(names.leaves.employee), given(names.leaves.status)]
    return (company.leaves ?? [])
      .filter((it) => isWanted(wanted, it.userId) && isWanted(status, it.status))
      .map(({ userId: _, ...leave }) => leave)
  }
  if (noun === 'timesheets') return timesheetsOf(company, names, given)
  if (noun === 'schedules') return company.schedules?.filter(({ isActive }) => isActive !== false)
  if (noun !== 'projects' || tasks !== 'tasks') return undefined
  const project = company.projects?.find((it) => it.id === id)
  return project?.tasks.filter(({ archived }) => !archived).map(({ archived: _, ...task }) => task)
}

/** Whether it passes a filter that may not have been asked for. */
function isWanted(wanted: string | null, value: unknown): boolean {
  return wanted === null || value === wanted
}

function timesheetsOf(
  company: CompanyFile,
  { timesheets: names }: ParameterNames,
  given: (name: string | null) => string | null,
): readonly JsonRecord[] {
  const [employee, from, to] = [given(names.employee), given(names.from), given(names.to)]
  return (company.timesheets ?? []).filter(
    ({ userId, periodStart, periodEnd }) =>
      (employee === null || userId === employee) &&
      (from === null || periodStart >= from) &&
      (to === null || periodEnd <= to),
  )
}

function recordOf([noun, id]: readonly string[], { company }: Serving): JsonRecord | undefined {
  if (noun === 'users') return company.users?.find((user) => user.id === id)
  return noun === 'invoices' ? company.invoices?.find((invoice) => invoice.id === id) : undefined
}

function sendList(
  response: ServerResponse,
  url: URL,
  list: readonly JsonRecord[],
  paging: ForeignPaging,
): void {
  const { start, end } = pageOf(url.searchParams, paging)
  if (paging.style === 'link' && end < list.length) {
    const next = new URL(url)
    next.searchParams.set('cursor', String(end))
    response.setHeader('Link', `<${next.pathname}${next.search}>; rel="next"`)
  }
  send(response, 200, { data: list.slice(start, end) })
}

function pageOf(query: URLSearchParams, paging: ForeignPaging): { start: number; end: number } {
  const numberOf = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise)
  if (paging.style === 'none') return { start: 0, end: Infinity }
  const { most } = paging
  if (paging.style === 'cut') return { start: 0, end: most }
  if (paging.style === 'link') {
    const start = numberOf('cursor', 0)
    return { start, end: start + most }
  }
  const size = Math.min(most, numberOf(paging.style === 'page' ? paging.size : paging.limit, most))
  const start =
    paging.style === 'page'
      ? (numberOf(paging.page, paging.first) - paging.first) * size
      : numberOf(paging.offset, 0)
  return start < 0 ? { start: 0, end: size } : { start, end: start + size }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

/** What a web server says of an address that it does not know. */
function sendPage(response: ServerResponse): void {
  response.writeHead(404, { 'Content-Type': 'text/html' }).end('<!doctype html><h1>Not found</h1>')
}

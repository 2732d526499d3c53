/* A Read API over real HTTP whose records, faults and filters the test holds in its hands. */
import { createServer } from 'node:http'

import { closeServer, listenHere } from '../web/local-server.ts'

export type Json = Readonly<Record<string, unknown>> & { readonly id: string }

/** What the company knows, in the wire's own shape. */
export interface CompanyRecords {
  users: Json[]
  /** By employee. */
  leaves: Record<string, Json[]>
  timesheets: (Json & { readonly userId: string })[]
  /** By project. */
  tasks: Record<string, Json[]>
  schedules: Json[]
  invoices: Json[]
}

export interface CompanyServer {
  readonly url: string
  readonly records: CompanyRecords
  /** Path and query of every request, in order of arrival. */
  readonly requests: string[]
  /** What each request is answered with instead, by a part of its path and query. */
  readonly faults: Map<string, number | 'stall'>
  /** Whether the employee filter of leaves, or every filter, is taken for something unknown and left alone. */
  ignores: 'nothing' | 'employee of leaves' | 'all filters'
  /** Which ids it takes for one; each for itself alone as it starts. */
  isSame: (one: string, other: string) => boolean
  /** The status for an employee nobody knows; null is an empty list. */
  unknownEmployee: number | null
  /** Whether a cache answers for people as it first did, unless a request says `no-cache`. */
  cachesUsers: boolean
  /** Answers for which the test has said `hold()` wait until it says `release()`. */
  hold(): void
  release(): void
  close(): Promise<void>
}

/** Starts a company that knows nobody; on a free port where none is given. */
export async function startCompanyServer(port = 0): Promise<CompanyServer> {
  const records: CompanyRecords = {
    users: [],
    leaves: {},
    timesheets: [],
    tasks: {},
    schedules: [],
    invoices: [],
  }
  const requests: string[] = []
  const faults = new Map<string, number | 'stall'>()
  const cache = new Map<string, unknown>()
  let gate = Promise.withResolvers<void>()
  gate.resolve()
  const server = createServer((request, response) => {
    const address = request.url ?? ''
    requests.push(address)
    const fault = faultOf(company, address)
    if (fault === 'stall') return
    void gate.promise.then(() => {
      const isCached = company.cachesUsers && request.headers['cache-control'] !== 'no-cache'
      const cached = isCached ? cache.get(address) : undefined
      const body = fault === undefined ? (cached ?? answer(company, address)) : undefined
      if (address.includes('/users/')) cache.set(address, body)
      const status = fault ?? (body === undefined ? 404 : 200)
      response.writeHead(status, {
        'Content-Type': 'application/json',
        ...(status === 429 || status === 503 ? { 'Retry-After': '300' } : {}),
      })
      response.end(JSON.stringify(body === undefined ? { error: {} } : { data: body }))
    })
  })
  const company: CompanyServer = {
    url: await listenHere(server, port),
    records,
    requests,
    faults,
    ignores: 'nothing',
    isSame: (one, other) => one === other,
    unknownEmployee: null,
    cachesUsers: false,
    hold: () => {
      gate = Promise.withResolvers()
    },
    release: () => gate.resolve(),
    close: () => closeServer(server),
  }
  return company
}

function faultOf(
  { faults, records, unknownEmployee, isSame }: CompanyServer,
  address: string,
): number | 'stall' | undefined {
  const fault = [...faults].find(([part]) => address.includes(part))?.[1]
  const employee = new URL(address, 'http://localhost').searchParams.get('userId')
  const isKnown = employee === null || records.users.some(({ id }) => isSame(id, employee))
  return fault ?? (isKnown ? undefined : (unknownEmployee ?? undefined))
}

function answer({ records, ignores, isSame }: CompanyServer, address: string): unknown {
  const { pathname, searchParams } = new URL(address, 'http://localhost')
  const path = pathname.replace('/api/public/v1', '')
  const parameter = (name: string): string | undefined =>
    ignores === 'all filters' ? undefined : (searchParams.get(name) ?? undefined)
  if (path === '/leaves') {
    const employee = ignores === 'nothing' ? parameter('userId') : undefined
    return Object.entries(records.leaves)
      .filter(([id]) => employee === undefined || isSame(id, employee))
      .flatMap(([, leaves]) => leaves)
  }
  if (path === '/timesheets') {
    const employee = parameter('userId')
    return records.timesheets.filter(({ userId }) => employee === undefined || userId === employee)
  }
  if (path === '/schedules') return records.schedules
  const [, noun, id = '', tasks] = path.split('/').map(decodeURIComponent)
  if (noun === 'projects' && tasks === 'tasks') return records.tasks[id]
  if (noun === 'users') return records.users.find((user) => isSame(user.id, id))
  return noun === 'invoices' ? records.invoices.find((invoice) => invoice.id === id) : undefined
}

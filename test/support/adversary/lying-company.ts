/* A Read API over real HTTP that lies as it is told to: it pages, keeps true entity tags, counts what it is asked. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import type { CompanyRecords, Json } from '../company/company-server.ts'
import {
  type Asked,
  dataReply,
  isList,
  type Lie,
  type Operation,
  operations,
  type Reply,
} from './lie.ts'
import { honestRecords, readQuestion } from './question.ts'
import { isEnvelope, missing, revalidated, send } from './reply-on-wire.ts'

/** When a lie is told. */
export interface Occasion {
  readonly of?: readonly Operation[]
  /** How often, at most. */
  readonly times?: number
  readonly when?: (asked: Asked) => boolean
}

export interface PagingStyle {
  readonly style: 'page' | 'offset' | 'link'
  readonly most: number
  /** Those of which it holds; the others are whole, and know no pages. */
  readonly of: readonly Operation[]
}

/** An answer that was sent, as far as it can be read: null where it says nothing of any record. */
export interface Told {
  readonly at: number
  readonly operation: Operation
  readonly subject: string
  readonly status: number
  readonly ids: readonly unknown[] | null
  readonly query: URLSearchParams
}

interface Telling extends Occasion {
  readonly lie: Lie
  left: number
}

/** Starts a company of these records, on a port of its own unless one is named; `now` is its clock. */
export async function startLyingCompany(
  records: CompanyRecords,
  now: () => number,
  port = 0,
): Promise<LyingCompany> {
  const company = new LyingCompany(records, now)
  await company.open(port)
  return company
}

export class LyingCompany {
  records: CompanyRecords
  before: CompanyRecords
  paging: PagingStyle | null = null
  /** Every answer to be read, in order; anyone who reads it may empty it. */
  readonly told: Told[] = []
  /** For how long a cache in front of it answers for people as it did last, unless a request says `no-cache`. */
  cacheMs = 0
  /** How often each lie was told. */
  readonly lied = new Map<string, number>()
  readonly #asked = new Map<Operation, number>()
  readonly #numbers = new Map<Operation, number>()
  readonly #now: () => number
  readonly #server: Server
  readonly #idsByTag = new Map<string, readonly unknown[]>()
  readonly #cached = new Map<string, { readonly at: number; readonly reply: Reply }>()
  #held: { readonly when: (asked: Asked) => boolean; readonly gate: Promise<void> } | undefined
  #tellings: Telling[] = []
  #lastSubject = ''
  #number = 0
  #underWay = 0
  url = ''
  port = 0

  constructor(records: CompanyRecords, now: () => number) {
    this.records = records
    this.before = structuredClone(records)
    this.#now = now
    this.#server = createServer((request, response) => this.#serve(request, response))
  }

  /** From now on that lie is told on that occasion; the first that fits is. */
  tell(lie: Lie, occasion: Occasion = {}): void {
    this.#tellings.push({ ...occasion, lie, left: occasion.times ?? Infinity })
  }

  /** Ends all lies. */
  tellTheTruth(): void {
    this.#tellings = []
  }

  /** Has such requests wait until the function that is returned lets them go: what is true then is answered. */
  hold(when: (asked: Asked) => boolean): () => void {
    const { promise: gate, resolve } = Promise.withResolvers<void>()
    this.#held = { when, gate }
    return () => {
      this.#held = undefined
      resolve()
    }
  }

  /** Empties the cache, as where another credential is sent. */
  forgetCached(): void {
    this.#cached.clear()
  }

  /** What is true now will be what an old answer says. */
  remember(): void {
    this.before = structuredClone(this.records)
  }

  /** Requests since the last count, in all and of each operation. */
  takeCounts(): Readonly<Record<Operation | 'all', number>> {
    const counts = operations.map((it) => [it, this.#asked.get(it) ?? 0] as const)
    const all = counts.reduce((sum, [, count]) => sum + count, 0)
    this.#asked.clear()
    return { ...(Object.fromEntries(counts) as Record<Operation, number>), all }
  }

  /** Resolves once nothing has been asked for so many milliseconds, but for what is held or never answered. */
  async quiet(calmMs = 3): Promise<void> {
    for (let calm = 0; calm < calmMs;) {
      const before = this.#number
      await sleep(1)
      calm = this.#underWay === 0 && this.#number === before ? calm + 1 : 0
    }
  }

  async open(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject).listen(port, '127.0.0.1', resolve)
    })
    this.port = (this.#server.address() as AddressInfo).port
    this.url = `http://127.0.0.1:${this.port}`
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://localhost')
    const asked = readQuestion(url, this.paging, this.#numbers, this.#now())
    this.#number += 1
    if (!asked) return void response.writeHead(404).end()
    this.#numbers.set(asked.operation, asked.number + 1)
    this.#asked.set(asked.operation, (this.#asked.get(asked.operation) ?? 0) + 1)
    if (this.#held?.when(asked)) {
      return void this.#held.gate.then(() => this.#reply(asked, url, request, response))
    }
    this.#reply(asked, url, request, response)
  }

  #reply(asked: Asked, url: URL, request: IncomingMessage, response: ServerResponse): void {
    const reply = revalidated(this.#throughCache(asked, url, request), request)
    if (reply.status === 304) this.#noteUnmodified(request.headers['if-none-match'])
    if (asked.operation === 'leaves') this.#lastSubject = asked.subject
    if (reply.ends !== 'never') {
      this.#underWay += 1
      response.on('close', () => (this.#underWay -= 1))
    }
    send(response, reply)
  }

  #throughCache(asked: Asked, url: URL, { headers }: IncomingMessage): Reply {
    if (this.cacheMs === 0 || asked.operation !== 'user') return this.#answer(asked, url)
    const cached = this.#cached.get(asked.subject)
    const mayAnswer = headers['cache-control'] !== 'no-cache'
    if (cached && mayAnswer && asked.at - cached.at < this.cacheMs) return cached.reply
    const reply = this.#answer(asked, url)
    if (reply.status === 200) this.#cached.set(asked.subject, { at: asked.at, reply })
    return reply
  }

  #answer(asked: Asked, url: URL): Reply {
    const { alter, pick, reply } = this.#lieFor(asked) ?? {}
    const { records, before } = this
    const known = { records, before, lastSubject: this.#lastSubject }
    const all = pick?.(asked, known) ?? honestRecords(asked, this.records)
    if (!all) return this.#note(asked, reply?.(missing, asked, known) ?? missing, null)
    const page = all.slice(asked.page.start, asked.page.end)
    const told = alter?.(page, asked) ?? page
    const headers = this.#linkHeader(asked, url, all)
    const honest = dataReply(isList(asked) ? told : told[0], headers)
    return this.#note(asked, reply?.(honest, asked, known) ?? honest, told)
  }

  /** Whatever changes the bytes themselves is taken to say nothing. */
  #note(
    { at, operation, subject, query }: Asked,
    reply: Reply,
    records: readonly unknown[] | null,
  ): Reply {
    const isWhole = reply.status === 200 && reply.ends === 'whole' && isEnvelope(reply.body)
    const ids = isWhole ? (records?.map((it) => (it as Json | null)?.id) ?? null) : null
    this.told.push({ at, operation, subject, status: reply.status, ids, query })
    const { etag } = reply.headers
    if (etag !== undefined && ids) this.#idsByTag.set(etag, ids)
    return reply
  }

  /** A lie that nothing has changed says what the answer of that tag said. */
  #noteUnmodified(tag = ''): void {
    const last = this.told.at(-1)
    if (last?.status === 304)
      this.told[this.told.length - 1] = { ...last, ids: this.#idsByTag.get(tag) ?? null }
  }

  #lieFor(asked: Asked): Lie | undefined {
    const telling = this.#tellings.find(
      ({ lie, left, of = lie.of, when }) =>
        left > 0 && (of?.includes(asked.operation) ?? true) && (when?.(asked) ?? true),
    )
    if (!telling) return undefined
    telling.left -= 1
    this.lied.set(telling.lie.name, (this.lied.get(telling.lie.name) ?? 0) + 1)
    return telling.lie
  }

  #linkHeader({ operation, page }: Asked, url: URL, all: readonly Json[]): Record<string, string> {
    const isLinked = this.paging?.style === 'link' && this.paging.of.includes(operation)
    if (!isLinked || page.end >= all.length) return {}
    const next = new URL(url)
    next.searchParams.set('cursor', String(page.end))
    return { link: `<${next.pathname}${next.search}>; rel="next"` }
  }
}

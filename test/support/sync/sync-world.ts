/* A feed with several links on several nodes, and everything that can happen to it. */
import { sql } from 'kysely'
import { expect } from 'vitest'

import { type Database, openDatabase } from '../../../src/database/database.ts'
import type { Clock } from '../../../src/domain/world.ts'
import { decodeEntries } from '../../../src/store/ledgers.ts'
import { calendarUrl, readsFrom, startBridge, type TestBridge } from '../bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../bridge/fake-clock.ts'
import { type CompanyServer, type Json, startCompanyServer } from '../company/company-server.ts'
import { ada, leave, task, timesheet } from '../company/people.ts'
import type { Account } from './sync-client.ts'

const minuteMs = 60_000
export const dayMs = 86_400_000

export const kinds = ['tasks', 'leaves', 'timesheets'] as const
type Kind = (typeof kinds)[number]

export interface Link extends Account {
  readonly label: string
  /** The link that it replaced, and after how many acts. */
  readonly from: Link | null
  readonly madeAfter: number
}

export interface WorldSettings {
  readonly databaseUrl: string
  readonly nodes: number
  readonly freshSeconds: 0 | 60
}

interface LedgerRow {
  readonly token_hash: Uint8Array
  readonly version: number
  readonly entries: Uint8Array
  readonly history: Uint8Array | null
}

interface PublicationRow {
  readonly token_hash: Uint8Array
  readonly fingerprint: string | null
  readonly etag: string | null
  readonly last_modified: number | null
}

interface Backup {
  readonly ledgers: readonly LedgerRow[]
  readonly publications: readonly PublicationRow[]
}

export class SyncWorld {
  readonly #company: CompanyServer
  readonly #fake: FakeClock
  readonly #clock: Clock
  readonly #ahead: { ms: number }
  readonly #environment: Readonly<Record<string, string>>
  readonly #nodes: TestBridge[]
  readonly #database: Database<unknown>
  readonly #records = new Map<string, Json>()
  #backup: Backup | undefined
  #nowMin = -Infinity
  #edits = 0
  readonly links: Link[]
  /** How many changes there may have been so far. */
  acts = 0
  /** Rises whenever tokens may become invalid. */
  epoch = 0

  private constructor(
    parts: readonly [CompanyServer, FakeClock, Clock, { ms: number }],
    environment: Readonly<Record<string, string>>,
    nodes: TestBridge[],
    database: Database<unknown>,
    link: Link,
  ) {
    ;[this.#company, this.#fake, this.#clock, this.#ahead] = parts
    this.#environment = environment
    this.#nodes = nodes
    this.#database = database
    this.links = [link]
  }

  static async start({ databaseUrl, nodes, freshSeconds }: WorldSettings): Promise<SyncWorld> {
    const fake = createFakeClock()
    const ahead = { ms: 0 }
    const clock = { ...fake, now: () => fake.now() + ahead.ms }
    const company = await startCompanyServer()
    company.records.users = [ada]
    company.records.tasks = { prj_web: [] }
    const environment = {
      ...readsFrom(company.url),
      DATABASE_URL: databaseUrl,
      WORKFORCE_PROJECTS: 'prj_web',
      WORKFORCE_SHRINK_GUARD: 'off',
      FEED_FRESH_SECONDS: String(freshSeconds),
    }
    const started = await Promise.all(
      Array.from({ length: nodes }, () => startBridge({ clock, environment })),
    )
    const feed = await started[0]!.createFeed({ userIds: ['usr_ada'] })
    const account = { feedId: feed.id, secret: secretIn(calendarUrl(feed)) }
    const link = { ...account, label: 'default', from: null, madeAfter: 0 }
    const database = await openDatabase(databaseUrl)
    return new SyncWorld([company, fake, clock, ahead], environment, started, database, link)
  }

  url(node: number): string {
    return this.#nodes[node % this.#nodes.length]!.url
  }

  link(index: number): Link {
    return this.links[index % this.links.length]!
  }

  /** The calendar as a subscription gets it; undefined unless it is served. */
  async poll(node: number, { secret }: Account): Promise<string | undefined> {
    const response = await fetch(`${this.url(node)}/feeds/${secret}/calendar.ics`)
    const text = await response.text()
    return response.status === 200 ? text : undefined
  }

  async pollLink(node: number, index: number): Promise<void> {
    await this.poll(node, this.link(index))
  }

  /* What changes the calendar. */

  put(kind: Kind, day: number): void {
    this.acts += 1
    const id = `${kind}${day}`
    this.#place(kind, this.#records.get(id) ?? recordOf(kind, id, day))
  }

  edit(kind: Kind, day: number): void {
    this.acts += 1
    const id = `${kind}${day}`
    const record = this.#list(kind).find((it) => it.id === id)
    if (!record) return
    this.#edits += 1
    const title = `Version ${this.#edits}`
    const changes = { tasks: { title }, leaves: { leaveType: { name: title } } }
    const entries = [{ hoursWorked: this.#edits, expectedHours: 40 }]
    this.#place(kind, { ...record, ...(kind === 'timesheets' ? { entries } : changes[kind]) })
  }

  /** A record that comes back later is unchanged. */
  remove(kind: Kind, day: number): void {
    this.acts += 1
    const id = `${kind}${day}`
    this.#set(
      kind,
      this.#list(kind).filter((it) => it.id !== id),
    )
  }

  removeAll(): void {
    this.acts += 1
    for (const kind of kinds) this.#set(kind, [])
  }

  async patch(changes: object): Promise<void> {
    this.acts += 1
    const changed = await this.#nodes[0]!.api(
      'PATCH',
      `/api/feeds/${this.links[0]!.feedId}`,
      changes,
    )
    expect(changed.status).toBe(200)
  }

  async wait(ms: number): Promise<void> {
    this.acts += 1
    await this.#fake.advance(ms)
  }

  /** Moves the clock of all nodes, but not to before a restore. */
  setClock(byMs: number): void {
    this.acts += 1
    if (byMs > 100 * dayMs) this.epoch += 1
    this.#ahead.ms += Math.max(byMs, this.#nowMin - this.#clock.now())
  }

  fail(kind: Kind): void {
    this.#company.faults.set(kind, 500)
  }

  async heal(): Promise<void> {
    if (this.#company.faults.size === 0) return
    this.acts += 1
    this.#company.faults.clear()
    await this.#fake.advance(10 * minuteMs)
  }

  async addLink(): Promise<void> {
    const label = `phone${this.links.length}`
    this.links.push(await this.#newLink('links', { label }, null))
  }

  /** `isOld`: by a node of the release before. */
  async rotate(graceDays: number, isOld: boolean): Promise<void> {
    this.acts += 1
    const from = this.links.findLast(({ label }) => label === 'default')!
    const link = await this.#newLink('rotations', { label: 'default', graceDays }, from)
    this.links.push(link)
    // Without a history, tokens of one link are not valid for the next.
    if (isOld || this.epoch > 0) this.epoch += 1
    if (!isOld) return
    const before = await this.#ledgers()
    for (const { token_hash: hash, history } of before) {
      if (history === null) continue
      const made = await sql<{ created_at: number }>`select created_at from links
        where token_hash = ${hash} and label = 'default' and ends_at is null`.execute(
        this.#database.queries,
      )
      if (made.rows.length > 0) await this.#forget(hash)
    }
  }

  /* What must make no difference. */

  async restart(node: number): Promise<void> {
    const index = node % this.#nodes.length
    await this.#nodes[index]!.close()
    this.#nodes[index] = await startBridge({ clock: this.#clock, environment: this.#environment })
  }

  /** A node of the release before publishes: it leaves histories as they are, and ledgers unless an event has changed. */
  async publishAsBefore(): Promise<void> {
    if (this.epoch > 0) this.epoch += 1
    const before = new Map((await this.#ledgers()).map((row) => [hexOf(row), row]))
    for (const link of this.links) await this.poll(0, link)
    for (const row of await this.#ledgers()) {
      const earlier = before.get(hexOf(row))
      if (earlier?.version === row.version) continue
      this.epoch += 1
      const kept = earlier && (await isSameLedger(earlier, row)) ? earlier : row
      const { version, entries } = kept
      const history = earlier?.history ?? null
      await sql`update ledgers set version = ${version}, entries = ${entries},
        history = ${history} where token_hash = ${row.token_hash}`.execute(this.#database.queries)
    }
  }

  /** As a restore does. */
  async forgetHistories(): Promise<void> {
    this.acts += 1
    this.epoch += 1
    await Promise.all(this.#nodes.map((node) => node.close()))
    for (const { token_hash: hash } of await this.#ledgers()) await this.#forget(hash)
    await this.#startAll()
  }

  async backUp(): Promise<void> {
    const { rows } = await sql<PublicationRow>`select token_hash, fingerprint, etag, last_modified
      from links`.execute(this.#database.queries)
    this.#backup = { ledgers: await this.#ledgers(), publications: rows }
  }

  /** Restores what links had published by the backup; the time is later than every publication. */
  async restore(): Promise<void> {
    const backup = this.#backup
    if (!backup) return
    this.acts += 1
    this.epoch += 1
    const { queries } = this.#database
    await Promise.all(this.#nodes.map((node) => node.close()))
    const { rows } = await sql<{ last: number | null }>`select max(last_modified) as last
      from links`.execute(queries)
    this.#ahead.ms += Math.max(0, (rows[0]?.last ?? 0) + 5000 - this.#clock.now())
    this.#nowMin = this.#clock.now()
    for (const row of backup.publications) {
      await sql`update links set fingerprint = ${row.fingerprint}, etag = ${row.etag},
        last_modified = ${row.last_modified} where token_hash = ${row.token_hash}`.execute(queries)
      await sql`delete from ledgers where token_hash = ${row.token_hash}`.execute(queries)
    }
    for (const row of backup.ledgers) {
      await sql`insert into ledgers (token_hash, version, entries) values
        (${row.token_hash}, ${row.version}, ${row.entries})`.execute(queries)
    }
    await sql`update ledgers set history = null`.execute(queries)
    await this.#startAll()
  }

  /** The feed closes because its person leaves, and reopens; a clock set back far may prevent both. */
  async closeAndReopen(): Promise<void> {
    this.acts += 1
    await this.#say(false)
    await this.#say(true)
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()))
    await this.#database.close()
    await this.#company.close()
  }

  async #startAll(): Promise<void> {
    for (const index of this.#nodes.keys()) {
      this.#nodes[index] = await startBridge({ clock: this.#clock, environment: this.#environment })
    }
  }

  async #say(isActive: boolean): Promise<void> {
    this.#company.records.users = [{ ...ada, isActive }]
    await this.#fake.advance(dayMs)
    const { departures } = await this.#nodes[0]!.node()
    await departures.readAgain(new AbortController().signal)
    for (const link of this.links) await this.poll(0, link)
    await this.#nodes[0]!.settled()
  }

  async #newLink(
    what: string,
    input: { label: string; graceDays?: number },
    from: Link | null,
  ): Promise<Link> {
    const { feedId } = this.links[0]!
    const made = await this.#nodes[0]!.api('POST', `/api/feeds/${feedId}/${what}`, input)
    expect(made.status).toBe(201)
    const { url } = (await made.json()) as { url: string }
    return { feedId, secret: secretIn(url), label: input.label, from, madeAfter: this.acts }
  }

  async #ledgers(): Promise<readonly LedgerRow[]> {
    const rows = sql<LedgerRow>`select token_hash, version, entries, history from ledgers`
    return (await rows.execute(this.#database.queries)).rows
  }

  async #forget(hash: Uint8Array): Promise<void> {
    const { queries } = this.#database
    await sql`update ledgers set history = null where token_hash = ${hash}`.execute(queries)
  }

  #list(kind: Kind): readonly Json[] {
    const { leaves, timesheets, tasks } = this.#company.records
    if (kind === 'timesheets') return timesheets
    return (kind === 'leaves' ? leaves['usr_ada'] : tasks['prj_web']) ?? []
  }

  #place(kind: Kind, record: Json): void {
    this.#records.set(record.id, record)
    const others = this.#list(kind).filter(({ id }) => id !== record.id)
    this.#set(kind, [...others, record])
  }

  #set(kind: Kind, records: readonly Json[]): void {
    const { leaves, tasks } = this.#company.records
    if (kind === 'leaves') leaves['usr_ada'] = [...records]
    else if (kind === 'tasks') tasks['prj_web'] = [...records]
    else this.#company.records.timesheets = records.map((it) => ({ ...it, userId: 'usr_ada' }))
  }
}

function recordOf(kind: Kind, id: string, day: number): Json {
  const date = `2026-01-${String(10 + day).padStart(2, '0')}`
  if (kind === 'tasks') return task(id, date, [ada])
  return kind === 'leaves' ? leave(id, date) : timesheet(id, 'usr_ada', date, date)
}

function secretIn(url: string): string {
  return /cfb_[\w-]{43}/.exec(url)?.[0] ?? ''
}

function hexOf({ token_hash: hash }: LedgerRow): string {
  return Buffer.from(hash).toString('hex')
}

async function isSameLedger(one: LedgerRow, other: LedgerRow): Promise<boolean> {
  const [before, after] = await Promise.all([one, other].map((row) => decodeEntries(row.entries)))
  const textOf = (entries = new Map() as typeof before): string =>
    JSON.stringify([...(entries ?? [])].toSorted())
  return textOf(before) === textOf(after)
}

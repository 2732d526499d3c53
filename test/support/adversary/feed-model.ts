/*
 * A feed as its reader sees it over time: what must be in it follows from the records that the bridge last had an
 * answer for, and every event's revision from what the same feed showed before.
 */
import { expect } from 'vitest'

import {
  calendarUrl,
  type FeedAnswer,
  readsFrom,
  startBridge,
  type TestBridge,
} from '../bridge/bridge.ts'
import { createFakeClock, type FakeClock } from '../bridge/fake-clock.ts'
import { type ReadEvent, readCalendar } from '../calendar/read-calendar.ts'
import { type CompanyServer, type Json, startCompanyServer } from '../company/company-server.ts'
import { ada, leave, task, timesheet } from '../company/people.ts'

const minuteMs = 60_000
const staleMs = 7 * 86_400_000

export type RecordKind = 'leaves' | 'timesheets' | 'tasks'
export const recordKinds: readonly RecordKind[] = ['leaves', 'timesheets', 'tasks']

interface Accepted {
  readonly ids: readonly string[]
  readonly at: number
}

interface Shown {
  readonly body: string
  readonly etag: string
  readonly lastModified: number
}

/** Bridges on one database, the company they read, and what their reader has seen so far. */
export class FeedModel {
  readonly company: CompanyServer
  readonly clock: FakeClock
  readonly #environment: Readonly<Record<string, string>>
  readonly #nodes: TestBridge[]
  readonly #feed: FeedAnswer
  readonly #failing = new Set<RecordKind>()
  readonly #accepted = new Map<RecordKind, Accepted>()
  readonly #removed = new Map<string, Json>()
  readonly #events = new Map<string, ReadEvent>()
  #hidden: ReadonlySet<RecordKind> = new Set()
  #shown: Shown | null = null
  #edits = 0
  #wasServed = false
  polls = 0

  private constructor(
    company: CompanyServer,
    clock: FakeClock,
    environment: Readonly<Record<string, string>>,
    nodes: TestBridge[],
    feed: FeedAnswer,
  ) {
    this.company = company
    this.clock = clock
    this.#environment = environment
    this.#nodes = nodes
    this.#feed = feed
  }

  /** Starts as many bridges as asked for on that database, and Ada's feed. */
  static async start(databaseUrl: string, nodeCount: number): Promise<FeedModel> {
    const clock = createFakeClock()
    const company = await startCompanyServer()
    company.records.users = [ada]
    company.records.tasks = { prj_web: [] }
    const environment = {
      ...readsFrom(company.url),
      DATABASE_URL: databaseUrl,
      WORKFORCE_PROJECTS: 'prj_web',
      WORKFORCE_SHRINK_GUARD: 'off',
      FEED_FRESH_SECONDS: '0',
    }
    const nodes = await Promise.all(
      Array.from({ length: nodeCount }, () => startBridge({ clock, environment })),
    )
    const feed = await nodes[0]!.createFeed({ userIds: ['usr_ada'] })
    return new FeedModel(company, clock, environment, nodes, feed)
  }

  addRecord(kind: RecordKind, day: number): void {
    const date = `2026-01-${String(10 + day).padStart(2, '0')}`
    const id = `${kind}${day}`
    const record = {
      leaves: () => leave(id, date),
      timesheets: () => timesheet(id, 'usr_ada', date, date),
      tasks: () => task(id, date, [ada]),
    }[kind]()
    this.#put(kind, this.#removed.get(id) ?? record)
  }

  removeRecord(kind: RecordKind, day: number): void {
    const id = `${kind}${day}`
    const record = this.#list(kind).find((it) => it.id === id)
    if (!record) return
    this.#removed.set(id, record)
    this.#replace(
      kind,
      this.#list(kind).filter((it) => it !== record),
    )
  }

  editRecord(kind: RecordKind, day: number): void {
    const record = this.#list(kind).find(({ id }) => id === `${kind}${day}`)
    if (!record) return
    this.#edits += 1
    const status = this.#edits % 2 === 0 ? 'APPROVED' : 'SUBMITTED'
    const change = {
      leaves: { leaveType: { name: `Leave ${this.#edits}` } },
      timesheets: { status, entries: [{ hoursWorked: this.#edits, expectedHours: 40 }] },
      tasks: { title: `Task ${this.#edits}` },
    }[kind]
    this.#put(kind, { ...record, ...change })
  }

  fail(kind: RecordKind): void {
    this.#failing.add(kind)
    this.company.faults.set(kind, 500)
  }

  /** Also lets a client that has given up for a while try again. */
  async heal(kind: RecordKind): Promise<void> {
    this.#failing.delete(kind)
    this.company.faults.delete(kind)
    await this.clock.advance(10 * minuteMs)
  }

  async hide(kinds: readonly RecordKind[]): Promise<void> {
    this.#hidden = new Set(kinds)
    const options = Object.fromEntries(
      recordKinds.map((kind) => [kind, { show: !this.#hidden.has(kind) }]),
    )
    const changed = await this.#nodes[0]!.api('PATCH', `/api/feeds/${this.#feed.id}`, { options })
    expect(changed.status).toBe(200)
  }

  async restart(node: number): Promise<void> {
    await this.#nodes[node]!.close()
    const { clock } = this
    this.#nodes[node] = await startBridge({ clock, environment: this.#environment })
  }

  /** Polls through these nodes at the same moment and holds the answers against everything seen before. */
  async poll(nodes: readonly number[]): Promise<void> {
    this.polls += nodes.length
    this.#accept()
    const path = new URL(calendarUrl(this.#feed)).pathname
    const urls = nodes.map((node) => this.#nodes[node]!.url + path)
    const answers = await Promise.all(urls.map(ask))
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const [answer] = answers
    if (this.#isUnavailable()) {
      expect([answer?.status, answer?.type]).toEqual([503, 'text/plain; charset=utf-8'])
      return
    }
    const { status, body = '', etag = '', lastModified = '' } = answer ?? {}
    expect([status, body]).toEqual([200, body])
    this.#wasServed = true
    this.#holdAgainstRecords(body)
    this.#holdAgainstRevisions(body)
    this.#holdAgainstValidators({ body, etag, lastModified: Date.parse(lastModified) })
    const again = await fetch(urls[0]!, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.close()))
    await this.company.close()
  }

  #shownKinds(): readonly RecordKind[] {
    return recordKinds.filter((kind) => !this.#hidden.has(kind))
  }

  #accept(): void {
    for (const kind of this.#shownKinds()) {
      if (this.#failing.has(kind)) continue
      this.#accepted.set(kind, { ids: this.#list(kind).map(({ id }) => id), at: this.clock.now() })
    }
  }

  /** A calendar that was served goes on without the leaves that have never been answered. */
  #isUnavailable(): boolean {
    const isLeftOut = (kind: RecordKind): boolean =>
      kind === 'leaves' && this.#wasServed && !this.#accepted.has(kind)
    const needed = this.#shownKinds().filter((kind) => !isLeftOut(kind))
    const accepted = needed.map((kind) => this.#accepted.get(kind))
    if (accepted.length === 0) return false
    const now = this.clock.now()
    return accepted.includes(undefined) || accepted.every((it) => it && now - it.at > staleMs)
  }

  #holdAgainstRecords(body: string): void {
    const nouns = { leaves: 'leave', timesheets: 'timesheet', tasks: 'task' }
    const expected = this.#shownKinds().flatMap((kind) =>
      (this.#accepted.get(kind)?.ids ?? []).map(
        (id) => `${nouns[kind]}-${id}@main.calendar-feed-bridge`,
      ),
    )
    expect([...readCalendar(body).keys()].toSorted()).toEqual(expected.toSorted())
  }

  #holdAgainstRevisions(body: string): void {
    for (const [uid, event] of readCalendar(body)) {
      const before = this.#events.get(uid)
      const isSame = before?.content === event.content
      if (before) expect(event.sequence).toBe(before.sequence + (isSame ? 0 : 1))
      else expect(event.sequence).toBe(0)
      if (before && isSame) expect(event.lastModified).toBe(before.lastModified)
      if (before) expect(event.lastModified >= before.lastModified).toBe(true)
      this.#events.set(uid, event)
    }
  }

  #holdAgainstValidators(now: Shown): void {
    const before = this.#shown
    this.#shown = now
    if (!before) return
    const isSame = before.body === now.body
    expect(now.etag === before.etag).toBe(isSame)
    if (isSame) expect(now.lastModified).toBe(before.lastModified)
    else expect(now.lastModified).toBeGreaterThan(before.lastModified)
  }

  #list(kind: RecordKind): readonly Json[] {
    const { leaves, timesheets, tasks } = this.company.records
    if (kind === 'timesheets') return timesheets
    return (kind === 'leaves' ? leaves['usr_ada'] : tasks['prj_web']) ?? []
  }

  #put(kind: RecordKind, record: Json): void {
    const others = this.#list(kind).filter(({ id }) => id !== record.id)
    this.#replace(kind, [...others, record])
  }

  #replace(kind: RecordKind, records: readonly Json[]): void {
    const { leaves, tasks } = this.company.records
    if (kind === 'leaves') leaves['usr_ada'] = [...records]
    else if (kind === 'tasks') tasks['prj_web'] = [...records]
    else this.company.records.timesheets = records.map((it) => ({ ...it, userId: 'usr_ada' }))
  }
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly etag: string
  readonly lastModified: string
  readonly body: string
}

async function ask(url: string): Promise<Answer> {
  const response = await fetch(url)
  const field = (name: string): string => response.headers.get(name) ?? ''
  return {
    status: response.status,
    type: field('Content-Type'),
    etag: field('ETag'),
    lastModified: field('Last-Modified'),
    body: await response.text(),
  }
}

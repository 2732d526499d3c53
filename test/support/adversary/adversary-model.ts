/* Eight people's feeds, on one or two bridges, and what a random history does to them. */
import { createHash } from 'node:crypto'

import { aheadOf, createFakeClock, type FakeClock } from '../bridge/fake-clock.ts'
import type { Json } from '../company/company-server.ts'
import { adversaryEnvironment, impatient } from './adversary-fixture.ts'
import { AdversaryOracle } from './adversary-oracle.ts'
import { addStranger, alikeIds, companyOf, newLeave } from './eight-people.ts'
import { liePool, mixOf } from './lie-pool.ts'
import type { Asked } from './lie.ts'
import { mixed } from './lies-about-people.ts'
import { type LyingCompany, startLyingCompany } from './lying-company.ts'
import { type Polled, Subscribers } from './subscribers.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** A lie, which one of those of its name, how often it is told in a thousand times, and for how long. */
export interface LieTold {
  readonly lie: string
  readonly choice: number
  readonly permille: number
  readonly minutes: number
}

/** Which answer goes astray, and the how-manieth of those of which it can be told. */
export interface Stray {
  readonly choice: number
  readonly at: number
}

export type Edit = 'add' | 'rename' | 'remove' | 'move' | 'task' | 'timesheet'

export class AdversaryModel {
  readonly company: LyingCompany
  readonly clock: FakeClock
  readonly crowd: Subscribers
  readonly #oracle: AdversaryOracle
  readonly #statuses = new Map<number, number>()
  #bareRefusalsUntil = -Infinity
  #edits = 0
  #lies = 0

  private constructor(company: LyingCompany, clock: FakeClock, databaseUrl: string) {
    const environment = adversaryEnvironment(company.url, impatient, databaseUrl)
    this.company = company
    this.clock = clock
    this.crowd = new Subscribers({ company, clock, environment })
    this.#oracle = new AdversaryOracle(company)
  }

  /** With as many bridges, that have known the company honest or never so. */
  static async start(
    databaseUrl: string,
    nodes: number,
    opening: LieTold | null,
  ): Promise<AdversaryModel> {
    const clock = createFakeClock()
    const records = companyOf()
    addStranger(records)
    const company = await startLyingCompany(records, () => clock.now())
    const model = new AdversaryModel(company, clock, databaseUrl)
    for (let node = 0; node < nodes; node += 1) await model.crowd.addNode()
    await company.quiet()
    await model.crowd.subscribeAll(alikeIds)
    // Nothing is kept of anybody before there are feeds.
    company.told.length = 0
    // Feeds are made while the truth is told: who is denied then gets none.
    if (opening) model.lie(opening)
    else await model.poll(null, 0)
    return model
  }

  get exceptions(): number {
    return this.#oracle.exceptions
  }

  /** How many polls were answered with which status. */
  get statuses(): ReadonlyMap<number, number> {
    return this.#statuses
  }

  lie({ lie, choice, permille, minutes }: LieTold): void {
    const until = this.clock.now() + minutes * minuteMs
    const seed = `${(this.#lies += 1)}`
    this.company.remember()
    this.company.tell(liePool[lie]!(choice), {
      when: (asked) => this.clock.now() < until && chanceOf(asked, seed) < permille,
    })
    if (lie === '429 without Retry-After') this.#bareRefusalsUntil = until
  }

  /** One of the next answers of leaves goes astray in part. */
  stray({ choice, at }: Stray): void {
    let answers = 0
    const mix = mixOf(choice)
    const isMeant = ({ operation, subject }: Asked): boolean =>
      operation === 'leaves' && alikeIds.includes(subject) && (mix.person ?? subject) === subject
    this.company.tell(mixed(mix), { when: (asked) => isMeant(asked) && answers++ === at })
  }

  tellTheTruth(): void {
    this.company.tellTheTruth()
  }

  /** One person polls, or everybody. */
  async poll(person: number | null, node: number): Promise<void> {
    const through = node % this.crowd.nodes.length
    const { subscriptions } = this.crowd
    const some = person === null ? subscriptions : [subscriptions[person % subscriptions.length]!]
    for (const subscription of some) this.#hold(await this.crowd.poll(subscription, through))
  }

  pass(ms: number): Promise<void> {
    return this.crowd.pass(ms, ms > hourMs ? hourMs : 10 * minuteMs)
  }

  edit(edit: Edit, person: number): void {
    const { records } = this.company
    const id = alikeIds[person % alikeIds.length]!
    const leaves = records.leaves[id] ?? []
    this.#edits += 1
    const number = this.#edits
    if (edit === 'add') leaves.push(newLeave(`lv_n${number}`, number))
    if (edit === 'rename' && leaves[0]) leaves[0] = renamed(leaves[0], number)
    if (edit === 'remove' && leaves.length > 2) leaves.pop()
    if (edit === 'move' && leaves.length > 2) {
      records.leaves[alikeIds[(person + 1) % alikeIds.length]!]?.push(leaves.pop()!)
    }
    if (edit === 'task') this.#editTask(number)
    if (edit === 'timesheet') {
      const status = number % 2 === 0 ? 'SUBMITTED' : 'APPROVED'
      records.timesheets = records.timesheets.map((it) =>
        it.userId === id ? { ...it, status } : it,
      )
    }
    this.#oracle.noteOwners()
  }

  restart(node: number): Promise<void> {
    return this.crowd.replaceNode(node % this.crowd.nodes.length)
  }

  /** The last node's clock runs ahead by so many hours from now on. */
  async runAhead(hours: number): Promise<void> {
    const { crowd, clock } = this
    if (crowd.nodes.length < 2) return
    await crowd.nodes.pop()?.close()
    await crowd.addNode({}, { clock: aheadOf(clock, hours * hourMs), common: clock })
  }

  /** The lies end, clocks are right, and every feed is exact in time. */
  async settle(): Promise<void> {
    const { clock, crowd } = this
    this.tellTheTruth()
    await this.runAhead(0)
    // Anyone who has been refused without a word how long to wait may wait for an hour.
    if (clock.now() - this.#bareRefusalsUntil < 2 * hourMs) await crowd.pollFor(70, 10)
    const polled = await crowd.pollFor(16, 4)
    for (const it of polled) this.#hold(it)
    refuse(polled.flatMap((it) => this.#oracle.inexact(it, false)))
    if (polled.every((it) => this.#oracle.inexact(it, true).length === 0)) return
    const later = await crowd.pollFor(26 * 60, 60)
    refuse(later.flatMap((it) => this.#oracle.inexact(it, true)))
  }

  async close(): Promise<void> {
    await this.crowd.close()
    await this.company.close()
  }

  #hold(polled: Polled): void {
    this.#statuses.set(polled.status, (this.#statuses.get(polled.status) ?? 0) + 1)
    refuse(this.#oracle.faultsOf(polled))
  }

  #editTask(number: number): void {
    const { tasks } = this.company.records
    const [first, ...others] = tasks['prj_web'] ?? []
    tasks['prj_web'] = [...others, { ...first!, title: `Task of edit ${number}` }]
  }
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

function renamed(leave: Json, number: number): Json {
  return { ...leave, leaveType: { name: `Leave of edit ${number}`, category: 'ANNUAL' } }
}

/** From 0 to 999; the same for the same question asked as often. */
function chanceOf({ operation, subject, number }: Asked, seed: string): number {
  const text = `${seed} ${operation} ${subject} ${number}`
  return createHash('sha1').update(text).digest().readUInt32BE(0) % 1000
}

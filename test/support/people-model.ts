/*
 * What becomes of people and of the ids they are known by: they are renamed, leave and return, their accounts are merged, their
 * ids are given to others, and the bridge is handed another company's credential. Every record of a person carries their key in
 * its id, so that a calendar shows by itself whose records are in it.
 */
import { Temporal } from 'temporal-polyfill'

import { adversaryEnvironment } from './adversary-fixture.ts'
import type { CompanyRecords, Json } from './company-server.ts'
import { createFakeClock, type FakeClock } from './fake-clock.ts'
import { statusReply } from './lie.ts'
import { type LyingCompany, startLyingCompany } from './lying-company.ts'
import { leave, task, timesheet } from './people.ts'
import { type Polled, Subscribers, type Subscription } from './subscribers.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ourCredential = 'ours'
const theirCredential = 'theirs'

/** Ids of which some begin others. */
const userIds = [
  'usr_1',
  'usr_10',
  'usr_2',
  'usr_20',
  'usr_3',
  'usr_30',
  'usr_4',
  'usr_40',
] as const

/** Somebody in the real world. */
interface Human {
  /** Stands in the id of every record of theirs. */
  readonly key: string
  firstName: string
  email: string
  /** Which of the two has changed; never both, or nobody could tell them from a newcomer. */
  changes: 'name' | 'email' | null
  leaveCount: number
}

/** What the company knows an employee by. */
interface Account {
  readonly userId: string
  human: Human
  state: 'active' | 'inactive' | 'missing'
  /** Which leaves of the human are booked here; those of a merged account stand in another. */
  leaves: string[]
  /** The account into which this one was merged. */
  mergedInto: Account | null
}

/** A calendar, and for whom it was made. */
interface Link {
  readonly subscription: Subscription
  readonly account: Account
  readonly human: Human
  hasEnded: boolean
  /** Whether its person has come back since it ended. */
  mayReturn: boolean
}

export type Leaving = 'inactive' | 'missing'

export interface PeopleSettings {
  readonly databaseUrl: string
  readonly nodes: number
  /** Whether leaves of an employee whom nobody knows are 404. */
  readonly refusesUnknown: boolean
}

export interface PeopleCounts {
  polls: number
  readonly statuses: Map<number, number>
}

export class PeopleModel {
  readonly company: LyingCompany
  readonly crowd: Subscribers
  readonly #ours: Account[]
  readonly #theirs: Account[]
  readonly #links: Link[] = []
  readonly #counts: PeopleCounts
  /** Those who are one and the same, since their accounts were merged. */
  readonly #same: Set<Human>[] = []
  #credential = ourCredential
  readonly #refusesUnknown: boolean
  readonly #clock: FakeClock
  #exchangedAt = -Infinity
  #humans = 0
  #records = 0

  private constructor(
    company: LyingCompany,
    clock: FakeClock,
    { databaseUrl, refusesUnknown }: PeopleSettings,
    counts: PeopleCounts,
  ) {
    const settings = { WORKFORCE_AUTH: `bearer:${ourCredential}`, FEED_FRESH_SECONDS: '300' }
    const environment = adversaryEnvironment(company.url, settings, databaseUrl)
    this.company = company
    this.crowd = new Subscribers({ company, clock, environment })
    this.#counts = counts
    this.#ours = userIds.map((userId) => this.#accountOf(userId, this.#newHuman('h')))
    this.#theirs = userIds.map((userId) => this.#accountOf(userId, this.#newHuman('k')))
    this.#refusesUnknown = refusesUnknown
    this.#clock = clock
    this.#tell()
    this.#refuseUnknown()
  }

  /** Everybody has a calendar that has been polled. */
  static async start(settings: PeopleSettings, counts: PeopleCounts): Promise<PeopleModel> {
    const clock = createFakeClock()
    const company = await startLyingCompany(emptyCompany(), () => clock.now())
    const model = new PeopleModel(company, clock, settings, counts)
    for (let node = 0; node < settings.nodes; node += 1) await model.crowd.addNode()
    await company.quiet()
    for (const account of model.#ours) await model.#subscribe(account)
    await model.pollAll(0)
    await model.pass(10 * minuteMs)
    await model.pollAll(0)
    return model
  }

  async pollAll(node: number): Promise<void> {
    for (const link of this.#links) await this.#poll(link, node)
    await this.company.quiet()
  }

  async poll(place: number, node: number): Promise<void> {
    await this.#poll(this.#links[place % this.#links.length]!, node)
  }

  pass(ms: number): Promise<void> {
    return this.crowd.pass(ms, ms > hourMs ? hourMs : 10 * minuteMs)
  }

  /** A leave that nobody has had before. */
  addLeave(place: number): void {
    const account = this.#account(place)
    this.#giveLeave(account)
    this.#tell()
  }

  /** A wedding. */
  rename(place: number): void {
    const { human } = this.#account(place)
    if (human.changes === 'email') return
    human.changes = 'name'
    human.firstName = `Renamed${(this.#records += 1)}`
    this.#tell()
  }

  /** A new mail domain. */
  changeMail(place: number): void {
    const { human } = this.#account(place)
    if (human.changes === 'name') return
    human.changes = 'email'
    human.email = `new${(this.#records += 1)}@example.com`
    this.#tell()
  }

  leave(place: number, how: Leaving): void {
    const account = this.#account(place)
    if (account.state !== 'active') return
    account.state = how
    this.#tell()
  }

  comeBack(place: number): void {
    const account = this.#account(place)
    if (account.state === 'active' || account.mergedInto) return
    account.state = 'active'
    for (const link of this.#links) {
      if (link.account === account && link.human === account.human) link.mayReturn = true
    }
    this.#tell()
  }

  /** The id is given to somebody who has just been hired. */
  reuse(place: number): void {
    const account = this.#account(place)
    account.human = this.#newHuman('h')
    account.state = 'active'
    account.leaves = []
    account.mergedInto = null
    for (let number = 0; number < 3; number += 1) this.#giveLeave(account)
    this.#tell()
  }

  /** The first account ends, and all that was booked on it is now booked on the second, which is the same human's. */
  merge(from: number, into: number): void {
    const [old, kept] = [this.#account(from), this.#account(into)]
    if (old === kept || old.state !== 'active' || kept.state !== 'active' || kept.mergedInto) return
    this.#same.push(new Set([old.human, kept.human]))
    kept.leaves.push(...old.leaves)
    old.leaves = []
    old.state = 'missing'
    old.mergedInto = kept
    this.#tell()
  }

  /** A calendar for whom the id belongs to now; the bridge may refuse it. */
  async subscribe(place: number): Promise<void> {
    const account = this.#account(place)
    if (account.state === 'active' && this.#credential === ourCredential) {
      await this.#subscribe(account).catch(() => undefined)
    }
  }

  /** For once an answer holds leaves of somebody else, who may be in no feed. */
  mixIn(place: number, count: number): void {
    const { userId } = this.#account(place)
    const foreign = Array.from({ length: count }, () => {
      this.#records += 1
      return leaveRecord(`lv_x${this.#records}_0`)
    })
    this.company.tell(
      { name: 'mixed', of: ['leaves'], alter: (records) => [...records, ...foreign] },
      { times: 1, when: ({ subject }) => subject === userId },
    )
  }

  /** For once the user is told as somebody else. */
  mistake(place: number): void {
    const { userId } = this.#account(place)
    const other = { firstName: 'Mistaken', lastName: 'Identity', email: 'mistaken@example.com' }
    this.company.tell(
      {
        name: 'mistaken',
        of: ['user'],
        alter: (records) => records.map((it) => ({ ...it, ...other })),
      },
      { times: 1, when: ({ subject }) => subject === userId },
    )
  }

  /** A new leave of somebody honest is shown half an hour later, whatever a single answer has said of them meanwhile. */
  async expectNews(place: number, node: number): Promise<void> {
    const account = this.#account(place)
    const link = this.#links.find((it) => it.account === account && it.human === account.human)
    const isCalm = this.#clock.now() - this.#exchangedAt > hourMs
    if (!link || link.hasEnded || account.state !== 'active' || !isCalm) return
    if (this.#credential !== ourCredential) return
    this.addLeave(place)
    for (let poll = 0; poll < 5; poll += 1) {
      await this.pass(6 * minuteMs)
      await this.#poll(link, node)
    }
    refuse(await this.#incomplete(link, account.leaves.slice(-1)))
  }

  /** The bridge is started with the credential of another company whose people have the same ids, or with the right one again. */
  async exchangeCredential(isRight: boolean): Promise<void> {
    const credential = isRight ? ourCredential : theirCredential
    if (credential === this.#credential) return
    const count = this.crowd.nodes.length
    await this.crowd.close()
    this.crowd.nodes.length = 0
    this.#credential = credential
    this.#exchangedAt = this.#clock.now()
    this.#tell()
    for (let node = 0; node < count; node += 1) await this.crowd.addNode(this.#settings())
    await this.company.quiet()
  }

  restart(node: number): Promise<void> {
    return this.crowd.replaceNode(node % this.crowd.nodes.length, this.#settings())
  }

  /** All is true and stays so: within three days every honest person's calendar is whole. */
  async settle(): Promise<void> {
    this.company.tellTheTruth()
    this.#refuseUnknown()
    await this.exchangeCredential(true)
    for (let hour = 0; hour < 60; hour += 1) {
      await this.pass(hourMs + minuteMs)
      await this.pollAll(hour)
    }
    const faults: string[] = []
    for (const link of this.#links) faults.push(...(await this.#incomplete(link)))
    refuse(faults)
  }

  async close(): Promise<void> {
    await this.crowd.close()
    await this.company.close()
  }

  async #subscribe(account: Account): Promise<void> {
    const { human } = account
    const work = this.crowd.subscribe(account.userId, {
      name: `${human.key} ${this.#links.length}`,
    })
    const subscription = await this.crowd.whileTimePasses(work)
    this.#links.push({ subscription, account, human, hasEnded: false, mayReturn: false })
  }

  async #poll(link: Link, node: number): Promise<void> {
    const polled = await this.crowd.poll(link.subscription, node % this.crowd.nodes.length)
    const { status } = polled
    this.#counts.polls += 1
    this.#counts.statuses.set(status, (this.#counts.statuses.get(status) ?? 0) + 1)
    refuse([...this.#foreign(link, polled), ...returned(link, polled)])
    if (status === 410) {
      link.hasEnded = true
      link.mayReturn = link.human === link.account.human && link.account.state === 'active'
    }
  }

  /** Records in the calendar that are of nobody it was made for. */
  #foreign(link: Link, { status, uids }: Polled): readonly string[] {
    if (status !== 200) return []
    const keys = this.#keysOf(link.human)
    return [...uids]
      .filter((uid) => !uid.startsWith('shift-'))
      .filter((uid) => !keys.has(/_(\w+?)_/.exec(uid)?.[1] ?? ''))
      .map((uid) => `${link.human.key}'s calendar (${link.account.userId}) shows ${uid}`)
  }

  /** Keys of all that is theirs: of accounts that were merged both humans are one. */
  #keysOf(human: Human): ReadonlySet<string> {
    const found = new Set([human])
    for (let before = 0; before < found.size;) {
      before = found.size
      const joined = this.#same.filter((same) => !same.isDisjointFrom(found))
      for (const one of joined.flatMap((same) => [...same])) found.add(one)
    }
    return new Set([...found].map(({ key }) => key))
  }

  /** What an honest person's calendar lacks once all has settled. */
  async #incomplete(
    link: Link,
    leaves: readonly string[] = link.account.leaves,
  ): Promise<readonly string[]> {
    const { account, human } = link
    if (account.human !== human || account.state !== 'active') return []
    const polled = await this.crowd.poll(link.subscription, 0)
    const who = `${human.key}'s calendar (${account.userId})`
    if (polled.status !== 200) return [`${who} answers ${polled.status}`]
    return leaves
      .filter((id) => ![...polled.uids].some((uid) => uid.startsWith(`leave-${id}@`)))
      .map((id) => `${who} lacks ${id}`)
  }

  /** Has the company say what is so. */
  #tell(): void {
    this.company.records = recordsOf(this.#credential === ourCredential ? this.#ours : this.#theirs)
  }

  #account(place: number): Account {
    return this.#ours[place % this.#ours.length]!
  }

  #newHuman(kind: 'h' | 'k'): Human {
    const key = `${kind}${(this.#humans += 1)}`
    const email = `${key}@example.com`
    return { key, firstName: `First ${key}`, email, changes: null, leaveCount: 0 }
  }

  #accountOf(userId: string, human: Human): Account {
    const account: Account = { userId, human, state: 'active', leaves: [], mergedInto: null }
    for (let number = 0; number < 3; number += 1) this.#giveLeave(account)
    return account
  }

  #giveLeave({ human, leaves }: Account): void {
    leaves.push(`lv_${human.key}_${(human.leaveCount += 1)}`)
  }

  #settings(): Readonly<Record<string, string>> {
    return { WORKFORCE_AUTH: `bearer:${this.#credential}` }
  }

  /** Some companies answer 404 for the leaves of an employee they do not know, others an empty list. */
  #refuseUnknown(): void {
    if (!this.#refusesUnknown) return
    this.company.tell(
      { name: 'unknown employee', of: ['leaves'], reply: () => statusReply(404) },
      { when: ({ subject }) => !this.company.records.users.some(({ id }) => id === subject) },
    )
  }
}

/** What the company answers while those are its accounts. */
function recordsOf(accounts: readonly Account[]): CompanyRecords {
  const there = accounts.filter(({ state }) => state !== 'missing')
  const named = ({ userId, human: { firstName } }: Account): Json => ({
    id: userId,
    firstName,
    lastName: 'Last',
  })
  return {
    ...emptyCompany(),
    users: there.map((account) => ({
      ...named(account),
      email: account.human.email,
      isActive: account.state === 'active',
    })),
    leaves: Object.fromEntries(
      there.map(({ userId, leaves }) => [userId, leaves.map((id) => leaveRecord(id))]),
    ),
    timesheets: there.map(({ userId, human: { key } }) =>
      timesheet(`clq_${key}_1`, userId, '2026-01-01', '2026-01-15'),
    ),
    tasks: {
      prj_web: there.map((account) =>
        task(`tsk_${account.human.key}_1`, '2026-02-20', [named(account)]),
      ),
    },
  }
}

function emptyCompany(): CompanyRecords {
  const monday = { start: '09:00', end: '17:00' }
  return {
    users: [],
    leaves: {},
    timesheets: [],
    tasks: { prj_web: [] },
    schedules: [
      { id: 'sch_day', name: 'Day shift', type: 'FIXED', isActive: true, pattern: { monday } },
    ],
    invoices: [],
  }
}

/** On a day that follows from its id, within the window of every calendar for as long as a history takes. */
function leaveRecord(id: string): Json {
  const days = Array.from(id).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 25
  return leave(id, Temporal.PlainDate.from('2026-02-27').add({ days }).toString())
}

/** A calendar that has ended stays ended, unless its person has come back. */
function returned(link: Link, { status }: Polled): readonly string[] {
  if (!link.hasEnded || link.mayReturn || status === 410) return []
  return [`${link.human.key}'s calendar (${link.account.userId}) had ended and answers ${status}`]
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

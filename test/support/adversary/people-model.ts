/*
 * What becomes of people and of the ids they are known by: they are renamed, leave and return, their accounts are merged, their
 * ids are given to others, and the bridge is led to another company. Their records lack a name or an address for a while, Get
 * user fails, a cache answers for it, and leaves come slowly. Every record of a person carries their key in its id, so that a
 * calendar shows by itself whose records are in it.
 */
import { Temporal } from 'temporal-polyfill'

import { asAppError } from '../../../src/domain/errors.ts'
import { exportCalendar } from '../../../src/publishing/written-once.ts'
import { createFakeClock, type FakeClock } from '../bridge/fake-clock.ts'
import type { CompanyRecords, Json } from '../company/company-server.ts'
import { leave, task, timesheet } from '../company/people.ts'
import { adversaryEnvironment, impatient } from './adversary-fixture.ts'
import { type Asked, statusReply } from './lie.ts'
import { type LyingCompany, startLyingCompany } from './lying-company.ts'
import { options, type Polled, sequencesIn, Subscribers, type Subscription } from './subscribers.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const ourCredential = 'ours'
const theirCredential = 'theirs'
const theirShift = 'Shift of the others'
/** Who is refused is watched for two days after the last good answer, which the directory notes once an hour at most. */
const watchedMs = 46 * hourMs

/** Everything is said. */
const whole: Lack = { lacks: null, unsaid: null }

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
  timesheetCount: number
  /** What their record does not say. */
  lacks: Part | null
  /** How it does not. */
  unsaid: Unsaid
  /** Whether it has never lacked anything: who was last read without an address cannot be told from a newcomer without one. */
  isWhole: boolean
  /** Whether it lacked something at first: they cannot be told from anybody. */
  readonly isBornWhole: boolean
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
  /** Of a calendar about several people, the first of them. */
  readonly account: Account
  readonly human: Human
  /** The others whom it is about. */
  readonly others: readonly Pick<Link, 'account' | 'human'>[]
  /** Whether it shows anything but shifts. */
  readonly showsRecords: boolean
  hasEnded: boolean
  /** Whether its person has come back since it ended. */
  mayReturn: boolean
}

export type Leaving = 'inactive' | 'missing'
export type Part = 'name' | 'email'
export type Unsaid = null | undefined | ''
/** What leads to the other company. */
export type Way = 'credential' | 'parameters' | 'address'

/** What a new record does not say, and how. */
export interface Lack {
  readonly lacks: Part | null
  readonly unsaid: Unsaid
}

interface UserFault {
  /** Whom it is told of; of all where it is null. */
  readonly userId: string | null
  /** Null where nothing is answered. */
  readonly status: number | null
}

export interface PeopleSettings {
  readonly databaseUrl: string
  readonly nodes: number
  /** Whether leaves of an employee whom nobody knows are 404. */
  readonly refusesUnknown: boolean
  /** Whether a cache answers for people for an hour. */
  readonly cachesPeople: boolean
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
  #way: Way = 'credential'
  readonly #refusesUnknown: boolean
  readonly #clock: FakeClock
  #userFault: UserFault | null = null
  /** When Get user last answered for each id. */
  readonly #shownAt = new Map<string, number>()
  /** When the Read API was last as it should be again. */
  #calmSince = -Infinity
  #humans = 0
  #records = 0

  private constructor(
    company: LyingCompany,
    clock: FakeClock,
    { databaseUrl, refusesUnknown, cachesPeople }: PeopleSettings,
    counts: PeopleCounts,
  ) {
    const bearer = `bearer:${ourCredential}`
    const settings = { ...impatient, WORKFORCE_AUTH: bearer, FEED_FRESH_SECONDS: '300' }
    const environment = adversaryEnvironment(company.url, settings, databaseUrl)
    this.company = company
    this.crowd = new Subscribers({ company, clock, environment })
    this.#counts = counts
    this.#ours = userIds.map((userId) => this.#accountOf(userId, this.#newHuman('h')))
    this.#theirs = userIds.map((userId) => this.#accountOf(userId, this.#newHuman('k')))
    this.#refusesUnknown = refusesUnknown
    this.#clock = clock
    company.cacheMs = cachesPeople ? hourMs : 0
    this.#tell()
    this.#tellRefusals()
  }

  /** Everybody has a calendar that has been polled. */
  static async start(settings: PeopleSettings, counts: PeopleCounts): Promise<PeopleModel> {
    const clock = createFakeClock()
    const company = await startLyingCompany(emptyCompany(), () => clock.now())
    const model = new PeopleModel(company, clock, settings, counts)
    for (let node = 0; node < settings.nodes; node += 1) await model.crowd.addNode()
    await company.quiet()
    for (const account of model.#ours) await model.#subscribe(account)
    for (const place of [0, 4]) await model.#subscribeSeveral(model.#ours.slice(place, place + 4))
    await model.#subscribeToShifts(model.#account(2))
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
    if (!maySay(human, 'name')) return
    human.firstName = `Renamed${(this.#records += 1)}`
    this.#tell()
  }

  /** A new mail domain. */
  changeMail(place: number): void {
    const { human } = this.#account(place)
    if (!maySay(human, 'email')) return
    human.email = `new${(this.#records += 1)}@example.com`
    this.#tell()
  }

  /** The record says no longer how they are called, or where they get mail. */
  lose(place: number, { lacks, unsaid }: Lack): void {
    const { human } = this.#account(place)
    if (lacks === null || human.lacks !== null || !maySay(human, lacks)) return
    Object.assign(human, { lacks, unsaid, isWhole: false })
    this.#tell()
  }

  /** The record says everything. */
  complete(place: number): void {
    this.#account(place).human.lacks = null
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

  /** The id is given to somebody who has just been hired, unless nobody could tell. */
  reuse(place: number, lack: Lack): void {
    const account = this.#account(place)
    const { isWhole, isBornWhole } = account.human
    if (!isBornWhole && this.#linkOf(account)) return
    account.human = this.#newHuman('h', isWhole ? lack : whole)
    account.state = 'active'
    account.leaves = []
    account.mergedInto = null
    for (let number = 0; number < 3; number += 1) this.#giveLeave(account)
    this.#tell()
  }

  /** The id changes hands while its leaves are being asked for: what else is new of its person has been answered. */
  async handOver(place: number, node: number, lack: Lack): Promise<void> {
    const account = this.#account(place)
    const link = this.#linkOf(account)
    if (!link) return this.reuse(place, lack)
    await this.pass(6 * minuteMs)
    account.human.timesheetCount += 1
    this.#tell()
    const { userId } = account
    const letGo = this.company.hold((it) => it.operation === 'leaves' && it.subject === userId)
    const reuse = async (): Promise<void> => {
      await this.company.quiet()
      this.reuse(place, lack)
      letGo()
    }
    await Promise.all([this.#poll(link, node), reuse()])
    await this.company.quiet()
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
    // A cache shows the old account for as long, and what is new of the other waits.
    if (this.company.cacheMs > 0) this.#calmSince = this.#clock.now()
    this.#tell()
  }

  /** A calendar for the person who has the id now; the bridge may refuse it. While Get user fails, it cannot say who that is. */
  async subscribe(place: number): Promise<void> {
    const account = this.#account(place)
    if (this.#userFault) return
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

  /** From now on Get user fails, of that person or of all. */
  failUsers(place: number | null, status: number | null): void {
    const userId = place === null ? null : this.#account(place).userId
    if (this.#credential === ourCredential) this.#userFault = { userId, status }
  }

  mendUsers(): void {
    if (this.#userFault) this.#calmSince = this.#clock.now()
    this.#userFault = null
  }

  /** What staff see of a calendar without its link. */
  async preview(place: number, node: number): Promise<void> {
    const link = this.#links[place % this.#links.length]!
    const { preview, store } = await this.#node(node)
    const feed = await store.feeds.findFeed(link.subscription.feed.id)
    if (!feed) return
    const { text } = await this.crowd.whileTimePasses(preview(feed))
    if (text !== null) refuse(this.#foreign(link, text))
  }

  /** What is written once for an id is one person's, now or before. */
  async export(place: number, node: number): Promise<void> {
    const account = this.#account(place)
    const text = await this.#exported(account, node)
    const links = this.#links.filter((it) => it.account === account && it.others.length === 0)
    const owners = [{ account, human: account.human, others: [] }, ...links]
    const faults = owners.map((owner) => this.#foreign(owner, text))
    if (!faults.some((it) => it.length === 0)) refuse(faults.flat())
  }

  /** A new leave of somebody honest is shown half an hour later, whatever a single answer has said of them meanwhile; a calendar of an account that was merged into theirs is still asked for. */
  async expectNews(place: number, node: number): Promise<void> {
    const account = this.#account(place)
    const link = this.#linkOf(account)
    const isCalm = !this.#userFault && this.#clock.now() - this.#calmSince > hourMs
    if (!link || link.hasEnded || account.state !== 'active' || !isCalm) return
    if (this.#credential !== ourCredential) return
    const merged = this.#links.filter((it) => it.account.mergedInto === account)
    this.addLeave(place)
    for (let poll = 0; poll < 5; poll += 1) {
      await this.pass(6 * minuteMs)
      for (const it of [...merged, link]) await this.#poll(it, node)
    }
    refuse(await this.#incomplete(link, account.leaves.slice(-1)))
  }

  /**
   * The bridge is started with the credential of another company whose people have the same ids, perhaps also with other
   * parameters or at another address, or as it was again. At another address two people are needed to tell.
   */
  async exchange(isRight: boolean, way: Way): Promise<void> {
    const credential = isRight ? ourCredential : theirCredential
    if (credential === this.#credential) return
    const first = this.#links.slice(0, this.#ours.length)
    const comparable = first.filter(
      (it) => it.human === it.account.human && it.human.isWhole && !it.hasEnded,
    )
    if (!isRight && way !== 'credential' && comparable.length < 2) return
    if (way !== 'credential') this.mendUsers()
    const count = this.crowd.nodes.length
    await this.crowd.close()
    this.crowd.nodes.length = 0
    this.#credential = credential
    this.#way = way
    this.#calmSince = this.#clock.now()
    this.company.forgetCached()
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
    this.mendUsers()
    this.#tellRefusals()
    await this.exchange(true, 'credential')
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

  #subscribe(account: Account): Promise<void> {
    return this.#link({ account, human: account.human, others: [], showsRecords: true }, {})
  }

  /** A calendar for those who are with them. */
  #subscribeSeveral([account, ...accounts]: readonly Account[]): Promise<void> {
    if (!account) return Promise.resolve()
    const others = accounts.map((it) => ({ account: it, human: it.human }))
    const ids = [account, ...accounts].map(({ userId }) => userId)
    return this.#link(
      { account, human: account.human, others, showsRecords: true },
      { userIds: ids },
    )
  }

  #subscribeToShifts(account: Account): Promise<void> {
    const none = { show: false }
    const shifts = { ...options, leaves: none, timesheets: none, tasks: none }
    const link = { account, human: account.human, others: [], showsRecords: false }
    return this.#link(link, { options: shifts })
  }

  async #link(
    made: Pick<Link, 'account' | 'human' | 'others' | 'showsRecords'>,
    input: object,
  ): Promise<void> {
    const name = `${made.human.key} ${this.#links.length}`
    const work = this.crowd.subscribe(made.account.userId, { name, ...input })
    const subscription = await this.crowd.whileTimePasses(work)
    this.#links.push({ ...made, subscription, hasEnded: false, mayReturn: false })
  }

  /** The own calendar of whom the id belongs to now. */
  #linkOf(account: Account): Link | undefined {
    return this.#links.find(
      ({ human, others, showsRecords }) =>
        human === account.human && others.length === 0 && showsRecords,
    )
  }

  #node(node: number): ReturnType<(typeof this.crowd.nodes)[number]['node']> {
    return this.crowd.nodes[node % this.crowd.nodes.length]!.node()
  }

  /** Empty where it is refused. */
  async #exported({ userId }: Account, node: number): Promise<string> {
    const { administration, exporting } = await this.#node(node)
    const write = async (): Promise<string> => {
      const { feed } = await administration.creation.drafts().draft({ userIds: [userId], options })
      return (await exporting((deps) => exportCalendar(deps, feed))).text
    }
    return this.crowd.whileTimePasses(write()).catch((error: unknown) => {
      if (!asAppError(error)) throw error
      return ''
    })
  }

  async #poll(link: Link, node: number): Promise<void> {
    const polled = await this.crowd.poll(link.subscription, node % this.crowd.nodes.length)
    const { status } = polled
    this.#counts.polls += 1
    this.#counts.statuses.set(status, (this.#counts.statuses.get(status) ?? 0) + 1)
    refuse([...this.#foreign(link, polled.text), ...returned(link, polled)])
    if (status === 410) {
      link.hasEnded = true
      link.mayReturn = link.human === link.account.human && link.account.state === 'active'
    }
  }

  /** Records in the calendar that are of nobody it was made for. */
  #foreign(link: Pick<Link, 'account' | 'human' | 'others'>, text: string): readonly string[] {
    const humans = [link.human, ...link.others.map(({ human }) => human)]
    const keys = new Set(humans.flatMap((human) => [...this.#keysOf(human)]))
    const uids = [...sequencesIn(text).keys()]
      .filter((uid) => !uid.startsWith('shift-'))
      .filter((uid) => !keys.has(/_(\w+?)_/.exec(uid)?.[1] ?? ''))
    const shifts = text.includes(theirShift) ? [theirShift] : []
    return [...uids, ...shifts].map((it) => `${sayLink(link)} shows ${it}`)
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
  async #incomplete(link: Link, leaves?: readonly string[]): Promise<readonly string[]> {
    const there = [link, ...link.others]
      .filter(({ account, human }) => account.human === human && account.state === 'active')
      .flatMap(({ account }) => account.leaves)
    if (there.length === 0) return []
    const polled = await this.crowd.poll(link.subscription, 0)
    if (polled.status !== 200) return [`${sayLink(link)} answers ${polled.status}`]
    if (!link.showsRecords) return []
    return (leaves ?? there)
      .filter((id) => ![...polled.uids].some((uid) => uid.startsWith(`leave-${id}@`)))
      .map((id) => `${sayLink(link)} lacks ${id}`)
  }

  /** Has the company say what is so. */
  #tell(): void {
    this.company.records =
      this.#credential === ourCredential
        ? recordsOf(this.#ours, 'Day shift')
        : recordsOf(this.#theirs, theirShift)
  }

  #account(place: number): Account {
    return this.#ours[place % this.#ours.length]!
  }

  #newHuman(kind: 'h' | 'k', lack = whole): Human {
    const key = `${kind}${(this.#humans += 1)}`
    const email = `${key}@example.com`
    const isWhole = lack.lacks === null
    const born = { ...lack, isWhole, isBornWhole: isWhole }
    return {
      key,
      firstName: `First ${key}`,
      email,
      changes: null,
      leaveCount: 0,
      timesheetCount: 1,
      ...born,
    }
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
    const auth = { WORKFORCE_AUTH: `bearer:${this.#credential}` }
    if (this.#credential === ourCredential || this.#way === 'credential') return auth
    return this.#way === 'address'
      ? { ...auth, WORKFORCE_BASE_URL: `${this.company.url}/elsewhere` }
      : { ...auth, WORKFORCE_PARAMS: '{"leaves":{"status":"state"}}' }
  }

  #tellRefusals(): void {
    this.company.tell(
      {
        name: 'Get user fails',
        of: ['user'],
        reply: (it) => {
          const status = this.#userFault?.status
          return status ? statusReply(status) : { ...it, ends: 'never' }
        },
      },
      { when: (asked) => this.#isFailing(asked) },
    )
    this.#refuseUnknown()
  }

  /** Nobody is refused for longer than they are watched. */
  #isFailing({ subject, at }: Asked): boolean {
    const { userId = '', status } = this.#userFault ?? {}
    const isRefusal = status === 401 || status === 403 || status === 404
    const isWatched = !isRefusal || at - (this.#shownAt.get(subject) ?? 0) < watchedMs
    if (isWatched && (userId === null || userId === subject)) return true
    if (this.#credential === ourCredential) this.#shownAt.set(subject, at)
    return false
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
function recordsOf(accounts: readonly Account[], shift: string): CompanyRecords {
  const there = accounts.filter(({ state }) => state !== 'missing')
  const named = ({ userId, human: { firstName, lacks, unsaid } }: Account): Json => ({
    id: userId,
    firstName: lacks === 'name' ? unsaid : firstName,
    lastName: lacks === 'name' ? unsaid : 'Last',
  })
  const empty = emptyCompany()
  return {
    ...empty,
    schedules: empty.schedules.map((it) => ({ ...it, name: shift })),
    users: there.map((account) => ({
      ...named(account),
      email: account.human.lacks === 'email' ? account.human.unsaid : account.human.email,
      isActive: account.state === 'active',
    })),
    leaves: Object.fromEntries(
      there.map(({ userId, leaves }) => [userId, leaves.map((id) => leaveRecord(id))]),
    ),
    timesheets: there.flatMap(({ userId, human: { key, timesheetCount } }) =>
      Array.from({ length: timesheetCount }, (_, number) =>
        timesheet(`clq_${key}_${number + 1}`, userId, '2026-01-01', '2026-01-15'),
      ),
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

/** A calendar of one person that has ended stays ended, unless they have come back. */
function returned(link: Link, { status }: Polled): readonly string[] {
  if (!link.hasEnded || link.mayReturn || link.others.length > 0 || status === 410) return []
  return [`${sayLink(link)} had ended and answers ${status}`]
}

function sayLink({ human, account, others }: Pick<Link, 'account' | 'human' | 'others'>): string {
  const more = others.map(({ human: { key } }) => `, ${key}`).join('')
  return `${human.key}${more}'s calendar (${account.userId})`
}

/** Whether that may change or be missing: never both, or nobody could tell them from a newcomer. */
function maySay(human: Human, part: Part): boolean {
  human.changes ??= part
  return human.changes === part
}

function refuse(faults: readonly string[]): void {
  if (faults.length > 0) throw new Error(faults.join('\n'))
}

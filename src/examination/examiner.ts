import { EventEmitter } from 'node:events'

import type { ProofDeps } from '../copies/proof/proof-state.ts'
import type { Source } from '../copies/source.ts'
import { ofCompany } from '../domain/company.ts'
import type { CopyStore, DoubtStore } from '../domain/copy.ts'
import type {
  Examination,
  ExaminationStore,
  HolidayCalendar,
  KeptExamination,
  ZoneClocks,
} from '../domain/examination.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { NewcomerStore } from '../domain/person.ts'
import type { TeamStore } from '../domain/team.ts'
import { type Clock, type Instant, type Log, Repeated, SpareTime } from '../domain/world.ts'
import type { CompanyTrust } from '../people/company-trust.ts'
import type { Departures } from '../people/departures.ts'
import type { PeopleDirectory } from '../people/people-directory.ts'
import { managersHeldBack } from '../people/teams.ts'
import { type LeftOut, leftOutByFeeds } from '../publishing/left-out.ts'
import { type BridgeKnowledge, examine, type ExaminedConnection } from './examine.ts'

const everyMs = 6 * 3_600_000

/** All maps are by company id. */
interface ExaminerDeps {
  readonly examined: ReadonlyMap<string, ExaminedConnection>
  readonly sources: ReadonlyMap<string, Source>
  readonly leaveFilters: ReadonlyMap<string, ProofDeps>
  readonly trusts: ReadonlyMap<string, CompanyTrust>
  readonly examinations: ExaminationStore
  readonly doubts: DoubtStore
  readonly feeds: FeedStore
  readonly copies: CopyStore
  readonly newcomers: NewcomerStore
  readonly teams: TeamStore
  readonly departures: Departures
  readonly directory: PeopleDirectory
  readonly zoneClock: ZoneClocks
  readonly holidaysIn: HolidayCalendar
  readonly clock: Clock
  readonly log: Log
}

/** Examines companies on request and regularly, and stores the latest findings. */
export class Examiner {
  readonly #deps: ExaminerDeps
  /** By connection and `guesses`: concurrent callers share one examination. */
  readonly #underWay = new Map<string, Promise<KeptExamination>>()
  /** By connection: since when `begin` has had it examined. */
  readonly #begun = new Map<string, Instant>()
  readonly #found = new EventEmitter<Record<`of ${string}`, [Examination]>>()
  readonly #ending = new AbortController()
  readonly #spare: SpareTime
  readonly #rounds: Repeated

  constructor(deps: ExaminerDeps) {
    this.#deps = deps
    this.#spare = new SpareTime(deps.clock)
    const work = (): Promise<void> => this.#goRound()
    this.#rounds = new Repeated(deps, { name: 'examinations', everyMs, work })
  }

  /**
   * Examines every company every six hours without guesses, those never examined first. Runs in spare time, so that it
   * delays nothing.
   */
  start(): void {
    this.#rounds.start()
  }

  /** Returns the ids of companies that can be examined. */
  companyIds(): readonly string[] {
    return [...this.#deps.examined.keys()]
  }

  /**
   * Examines the company now for a person who waits, and tries other settings if its own fail. Fails with `not_found` for
   * an unknown company.
   */
  async run(companyId: string): Promise<Examination> {
    return (await this.#examine(ofCompany(this.#deps.examined, companyId), true)).examination
  }

  /**
   * Returns the latest findings. Examines now if there are none, or if feeds have since disproved a filter that was in
   * order. Fails with `not_found` for an unknown company.
   */
  async latest(companyId: string): Promise<KeptExamination> {
    const examined = ofCompany(this.#deps.examined, companyId)
    const kept = await this.#kept(examined)
    if (!kept) return this.#examine(examined, false)
    const proof = await this.#deps.sources.get(companyId)?.proof()
    const ofLeaves = kept.examination.findings.find(({ check }) => check === 'leaves-employee')
    const isOvertaken = proof?.state === 'disproved' && ofLeaves?.ok === true
    return isOvertaken ? this.#examine(examined, false) : kept
  }

  /** Returns the latest findings, if there are any. Fails with `not_found` for an unknown company. */
  async kept(companyId: string): Promise<KeptExamination | undefined> {
    return this.#kept(ofCompany(this.#deps.examined, companyId))
  }

  /** Examines like `run`, but does not wait for it; one already begun goes on. Returns since when it has been running. */
  begin(companyId: string): Instant {
    const examined = ofCompany(this.#deps.examined, companyId)
    const { id } = examined.connection
    const since = this.#begun.get(id) ?? this.#deps.clock.now()
    if (!this.#begun.has(id)) {
      this.#begun.set(id, since)
      const end = (): unknown => this.#begun.delete(id)
      // It fails only where the program ends, and nobody waits for it.
      void this.#tryExamine(examined, true).then(end, end)
    }
    return since
  }

  /** Since when an examination begun here has been running; null without one. */
  begunAt(companyId: string): Instant | null {
    const { connection } = ofCompany(this.#deps.examined, companyId)
    return this.#begun.get(connection.id) ?? null
  }

  /** Resolves with the company's next examination. */
  next(companyId: string): Promise<Examination> {
    return new Promise((resolve) => void this.#found.once(`of ${companyId}`, resolve))
  }

  /** Aborts running examinations and waits until they end. */
  async close(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled([this.#rounds.close(), ...this.#underWay.values()])
  }

  #kept({ connection }: ExaminedConnection): Promise<KeptExamination | undefined> {
    return this.#deps.examinations.findExamination(connection.id)
  }

  async #goRound(): Promise<void> {
    const known: ExaminedConnection[] = []
    const unknown: ExaminedConnection[] = []
    for (const examined of this.#deps.examined.values()) {
      const list = (await this.#kept(examined)) ? known : unknown
      list.push(examined)
    }
    for (const examined of [...unknown, ...known]) {
      await this.#spare.use(() => this.#tryExamine(examined, false), this.#ending.signal)
    }
  }

  /** A failed examination does not prevent those of other companies. */
  async #tryExamine(examined: ExaminedConnection, guesses: boolean): Promise<void> {
    const company = examined.connection.company.id
    try {
      const { examination } = await this.#examine(examined, guesses)
      const failed = examination.findings.filter(({ ok }) => !ok).map(({ check }) => check)
      if (failed.length === 0) this.#deps.log.info({ company }, 'examined')
      else this.#deps.log.warn({ company, failed }, 'examined')
    } catch (error) {
      if (this.#ending.signal.aborted) throw error
      this.#deps.log.error({ company, error }, 'examination_failed')
    }
  }

  #examine(examined: ExaminedConnection, guesses: boolean): Promise<KeptExamination> {
    const key = `${examined.connection.id} ${guesses}`
    const underWay =
      this.#underWay.get(key) ??
      this.#examineAndKeep(examined, guesses).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, underWay)
    return underWay
  }

  async #examineAndKeep(examined: ExaminedConnection, guesses: boolean): Promise<KeptExamination> {
    const { clock, examinations, zoneClock, holidaysIn } = this.#deps
    const { company, id } = examined.connection
    const now = clock.now()
    const { signal } = this.#ending
    const knowledge = await this.#knowledgeOf(company.id)
    const order = { now, signal, zoneClock, holidaysIn, guesses }
    const examination = await examine(examined, knowledge, order)
    const kept = { examination, examinedAt: now }
    await examinations.keepExamination(id, kept)
    this.#found.emit(`of ${company.id}`, examination)
    return kept
  }

  async #knowledgeOf(companyId: string): Promise<BridgeKnowledge> {
    const { departures, directory, sources, leaveFilters, doubts, trusts, newcomers } = this.#deps
    const source = sources.get(companyId)
    const leaveFilter = leaveFilters.get(companyId)
    if (!source || !leaveFilter) {
      throw new Error('Every company that is examined has a source.')
    }
    return {
      proof: await source.proof(),
      leaveFilter,
      doubted: await doubts.listDoubted(source.connection.id),
      leftOut: await this.#leftOut(source),
      heldBack: await departures.heldBack(companyId),
      managersHeldBack: await managersHeldBack(this.#deps, companyId),
      leftInFeeds: await departures.leftInFeeds(companyId),
      trust: (await trusts.get(companyId)?.find()) ?? { is: 'trusted' },
      newcomers: await newcomers.listNewcomers(companyId),
      misnamed: await departures.misnamed(companyId),
      seePeople: async ({ now: looksNow }) => {
        if (looksNow) await directory.lookNow(companyId, this.#ending.signal)
        const look = await directory.latestLook(companyId)
        return { look, people: await directory.countPeople(companyId) }
      },
    }
  }

  async #leftOut(source: Source): Promise<readonly LeftOut[]> {
    const all = new Map<string, LeftOut>()
    for await (const found of leftOutByFeeds(this.#deps, source, this.#deps.clock.now())) {
      this.#ending.signal.throwIfAborted()
      for (const it of found) all.set(JSON.stringify([it.kind, it.id, it.reason]), it)
    }
    return [...all.values()]
  }
}

import type { LeaveProver } from '../copies/proof/leave-prover.ts'
import { AppError } from '../domain/errors.ts'
import type { Examination, KeptExamination, ExaminationStore } from '../domain/examination.ts'
import type { Clock, Log } from '../domain/world.ts'
import type { Departures } from '../people/departures.ts'
import { examine, type ExaminedConnection } from './examine.ts'

const everyMs = 6 * 3_600_000

interface ExaminerDeps {
  /** By company. */
  readonly examined: ReadonlyMap<string, ExaminedConnection>
  readonly examinations: ExaminationStore
  readonly prover: LeaveProver
  readonly leavers: Pick<Departures, 'heldBack'>
  readonly clock: Clock
  readonly log: Log
}

/** Examines companies, now and then by itself, and keeps what was found last. */
export class Examiner {
  readonly #deps: ExaminerDeps
  readonly #ending = new AbortController()
  /** By connection. */
  readonly #underWay = new Map<string, Promise<KeptExamination>>()
  #rounds: Promise<void> | undefined

  constructor(deps: ExaminerDeps) {
    this.#deps = deps
  }

  /** Examines every company from now on every six hours, those first whose connection has never been; holds nothing up. */
  start(): void {
    this.#rounds ??= this.#goRounds()
  }

  /** The ids of the companies that can be examined. */
  companyIds(): readonly string[] {
    return [...this.#deps.examined.keys()]
  }

  /** Examines the company now; one examination serves all who ask meanwhile. `not_found` for an unknown company. */
  async run(companyId: string): Promise<Examination> {
    return (await this.#run(this.#examined(companyId))).examination
  }

  /** What was found last; examines now where nothing has been. `not_found` for an unknown company. */
  async latest(companyId: string): Promise<KeptExamination> {
    const examined = this.#examined(companyId)
    const kept = await this.#deps.examinations.findExamination(examined.connection.id)
    return kept ?? this.#run(examined)
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled([this.#rounds, ...this.#underWay.values()])
  }

  #examined(companyId: string): ExaminedConnection {
    const examined = this.#deps.examined.get(companyId)
    if (!examined) throw new AppError('not_found', `There is no company "${companyId}".`)
    return examined
  }

  async #goRounds(): Promise<void> {
    const { clock, log } = this.#deps
    const { signal } = this.#ending
    try {
      while (!signal.aborted) {
        for (const examined of await this.#order()) await this.#tryRun(examined)
        await clock.sleep(everyMs, signal)
      }
    } catch (error) {
      if (!signal.aborted) log.error({ error }, 'examinations_ended')
    }
  }

  async #order(): Promise<readonly ExaminedConnection[]> {
    const known: ExaminedConnection[] = []
    const unknown: ExaminedConnection[] = []
    for (const examined of this.#deps.examined.values()) {
      const kept = await this.#deps.examinations.findExamination(examined.connection.id)
      ;(kept ? known : unknown).push(examined)
    }
    return [...unknown, ...known]
  }

  /** One company's examination that fails holds back no other. */
  async #tryRun(examined: ExaminedConnection): Promise<void> {
    const company = examined.connection.company.id
    try {
      const { examination } = await this.#run(examined)
      const failed = examination.findings.filter(({ ok }) => !ok).map(({ check }) => check)
      if (failed.length === 0) this.#deps.log.info({ company }, 'examined')
      else this.#deps.log.warn({ company, failed }, 'examined')
    } catch (error) {
      if (this.#ending.signal.aborted) throw error
      this.#deps.log.error({ company, error }, 'examination_failed')
    }
  }

  #run(examined: ExaminedConnection): Promise<KeptExamination> {
    const { id } = examined.connection
    const underWay =
      this.#underWay.get(id) ??
      this.#examineAndKeep(examined).finally(() => this.#underWay.delete(id))
    this.#underWay.set(id, underWay)
    return underWay
  }

  async #examineAndKeep(examined: ExaminedConnection): Promise<KeptExamination> {
    const { clock, examinations, leavers, prover } = this.#deps
    const { connection } = examined
    const now = clock.now()
    const examination = await examine(examined, {
      proof: await prover.findProof(connection),
      heldBack: await leavers.heldBack(connection.company.id),
      now,
      signal: this.#ending.signal,
    })
    const kept = { examination, examinedAt: now }
    await examinations.keepExamination(connection.id, kept)
    return kept
  }
}

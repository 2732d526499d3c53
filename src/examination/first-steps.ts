import { ofCompany } from '../domain/company.ts'
import type { Connection } from '../domain/connection.ts'
import type { ExaminationStore, KeptExamination } from '../domain/examination.ts'
import type { FeedStore } from '../domain/feed-store.ts'

interface FirstStepsDeps {
  /** Whether the company is the one of the embedded Read API. */
  readonly isSample: boolean
  readonly connections: ReadonlyMap<string, Connection>
  readonly examinations: ExaminationStore
  readonly feeds: Pick<FeedStore, 'listFeeds'>
}

/** How far a company is from its first calendars. */
interface StepsTaken {
  readonly isConnected: boolean
  /** Undefined before the first. */
  readonly latest: KeptExamination | undefined
  readonly hasCalendars: boolean
}

export class FirstSteps {
  readonly #deps: FirstStepsDeps
  readonly #done = new Set<string>()

  constructor(deps: FirstStepsDeps) {
    this.#deps = deps
  }

  async find(companyId: string): Promise<StepsTaken> {
    const { connections, examinations, feeds, isSample } = this.#deps
    const { id } = ofCompany(connections, companyId)
    const [latest, open] = await Promise.all([
      examinations.findExamination(id),
      feeds.listFeeds({ companyId, state: 'open', limit: 1 }),
    ])
    return { isConnected: !isSample, latest, hasCalendars: open.length > 0 }
  }

  /** Once they are done, they stay done until the program ends. */
  async areDone(companyId: string): Promise<boolean> {
    if (this.#deps.isSample) return false
    if (this.#done.has(companyId)) return true
    const { latest, hasCalendars } = await this.find(companyId)
    const isDone = latest?.examination.ok === true && hasCalendars
    if (isDone) this.#done.add(companyId)
    return isDone
  }
}

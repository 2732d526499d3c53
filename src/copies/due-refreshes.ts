import type { Connection, Standing } from '../domain/connection.ts'
import { collectionKey, type Copy, type CopyHead, type CopyStore } from '../domain/copy.ts'
import { widest, type WindowOption } from '../domain/feed-options.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { Confirmations } from './confirmations.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { noteMissing } from './missing.ts'
import type { RefreshOutcome, Refresher } from './refresher.ts'
import { type Failures, Flights, personOf } from './refreshes.ts'
import type { ToldOnce } from './told-once.ts'

interface DueRefreshesDeps {
  readonly connection: Connection
  readonly copies: CopyStore
  readonly refresher: Refresher
  readonly failures: Failures
  readonly told: ToldOnce
  readonly clock: Clock
  readonly freshMs: number
  readonly refreshBudgetMs: number
}

/** Made once: an error is dear to make, and nobody sees this one. */
const answered = new Error('answered')

/** What came of refreshes. */
export interface Refreshed {
  /** The copies as they were confirmed or kept; undefined unless all were: then what stands is to be read again. */
  readonly landed: readonly CopyHead[] | undefined
  /** Which were still under way when the budget was over. */
  readonly late: ReadonlySet<string>
}

/** What one poll begins with. */
interface Poll {
  readonly standing: Standing
  readonly confirmations: Confirmations
}

/** Refreshes what is due: each collection once for all who wait for it, as long as they wait. */
export class DueRefreshes {
  readonly #deps: DueRefreshesDeps
  readonly #flights = new Flights()
  #renewedAt: Instant = -Infinity

  constructor(deps: DueRefreshesDeps) {
    this.#deps = deps
  }

  /** Whether a refresh of that collection is under way. */
  isUnderWay(key: string): boolean {
    return this.#flights.has(key)
  }

  /** What was asked for until then is no longer good, however new. */
  get renewedAt(): Instant {
    return this.#renewedAt
  }

  /** Nobody waits any longer for what has been asked for already, nor since it has failed. */
  renew(): void {
    this.#renewedAt = this.#deps.clock.now()
    this.#flights.forget()
    this.#deps.failures.forget()
  }

  /** Waits until none is under way. */
  async ended(): Promise<void> {
    await this.#flights.ended()
  }

  /** Refreshes these within the budget. */
  async refreshed(due: readonly CollectionRequest[], standing: Standing): Promise<Refreshed> {
    const confirmations = this.#confirmations()
    const refreshes = this.#refreshAll(due, { standing, confirmations })
    const landed = await this.#withinBudget(refreshes, confirmations)
    const heads = landed?.flatMap((head) => head ?? [])
    const late = landed ? [] : due.map(({ collection }) => collectionKey(collection))
    return {
      landed: heads?.length === due.length ? heads : undefined,
      late: new Set(late.filter((key) => this.#flights.has(key))),
    }
  }

  /** Refreshes one that no poll waits for. */
  refreshAlone(request: CollectionRequest, standing: Standing): Promise<RefreshOutcome> {
    return this.#ask(request, { standing, confirmations: this.#confirmations() })
  }

  async #refreshAll(
    due: readonly CollectionRequest[],
    poll: Poll,
  ): Promise<readonly (CopyHead | undefined)[]> {
    const { connection, failures, clock } = this.#deps
    const landed = await Promise.all(due.map((request) => this.#refresh(request, poll)))
    for (const request of due) {
      const key = collectionKey(request.collection)
      const head = headIn(poll.standing, request)
      const outcome = failures.outcomeOf(key, head, clock.now())
      if (head && outcome === 'missing' && kinds[request.collection.kind].mayBeMissing) {
        await noteMissing({ ...this.#deps, connection }, request, head)
      }
    }
    return landed
  }

  #refresh(request: CollectionRequest, poll: Poll): Promise<CopyHead | undefined> {
    const { collection, scope } = request
    const { confirmations } = poll
    const key = collectionKey(collection)
    const head = headIn(poll.standing, request)
    const person = personOf(collection)
    const begin = async (wanted: WindowOption | null): Promise<CopyHead | undefined> => {
      // Leaves wait where it is being asked whether the Read API calls somebody so.
      if (person !== undefined) await this.#flights.ended(person)
      const reach = widest(wanted, head?.reach ?? null)
      const wide = { ...request, scope: { ...scope, reach } }
      const outcome = await this.#ask(wide, poll)
      const { clock, freshMs, failures } = this.#deps
      failures.note({ collection, head }, outcome, { now: clock.now(), freshMs })
      return confirmations.noted.get(key)
    }
    return this.#flights.join(key, scope.reach, {
      begin: (wanted) => confirmations.during(() => begin(wanted)),
      hurry: () => confirmations.hurry(key),
    })
  }

  #ask(request: CollectionRequest, { standing, confirmations }: Poll): Promise<RefreshOutcome> {
    const head = headIn(standing, request)
    const confirm = (confirmed: CopyHead): Promise<boolean> => confirmations.confirm(confirmed)
    const noteKept = (copy: Copy): void => confirmations.noteKept(copy)
    return this.#deps.refresher.refresh(request, { head, standing, confirm, noteKept })
  }

  #confirmations(): Confirmations {
    const { copies, connection } = this.#deps
    return new Confirmations({ copies, connectionId: connection.id })
  }

  /** Undefined where the refreshes go on: what they bring is kept when it comes. */
  async #withinBudget<T>(
    refreshes: Promise<T>,
    confirmations: Confirmations,
  ): Promise<T | undefined> {
    const enough = new AbortController()
    const { clock, refreshBudgetMs } = this.#deps
    const budget = clock.sleep(refreshBudgetMs, enough.signal).then(
      () => confirmations.end(),
      () => undefined,
    )
    const landed = await Promise.race([refreshes, budget])
    enough.abort(answered)
    return landed ?? undefined
  }
}

/** Of the kept copy; null where there is none. */
export function headIn({ heads }: Standing, { collection }: CollectionRequest): CopyHead | null {
  return heads.get(collectionKey(collection)) ?? null
}

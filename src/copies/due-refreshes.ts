import type { Standing } from '../domain/connection.ts'
import {
  collectionKey,
  type Copy,
  type CopyHead,
  type CopyStore,
  makeCopy,
  emptyHash,
} from '../domain/copy.ts'
import { covers, widest, type WindowOption } from '../domain/feed-options.ts'
import type { Instant } from '../domain/world.ts'
import { isHeard, type RefreshOutcome } from './failures.ts'
import { type CollectionRequest, kinds, personInFeed } from './kinds.ts'
import { headIn, Refresher, type RefresherDeps } from './refresher.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

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

interface DueRefreshesDeps extends RefresherDeps {
  readonly freshMs: number
  readonly refreshBudgetMs: number
}

/** Refreshes what is due: each collection once for all who wait for it, as long as they wait. */
export class DueRefreshes {
  readonly #deps: DueRefreshesDeps
  readonly #refresher: Refresher
  readonly #underWay = new UnderWay()
  #renewedAt: Instant = -Infinity

  constructor(deps: DueRefreshesDeps) {
    this.#deps = deps
    this.#refresher = new Refresher(deps)
  }

  /** Whether a refresh of that collection is under way. */
  isUnderWay(key: string): boolean {
    return this.#underWay.has(key)
  }

  /** What was asked for until then is no longer good, however new. */
  get renewedAt(): Instant {
    return this.#renewedAt
  }

  /** Nobody waits any longer for what has been asked for already, nor since it has failed. */
  renew(): void {
    this.#renewedAt = this.#deps.clock.now()
    this.#underWay.forget()
    this.#deps.failures.forget()
  }

  /** Waits until none is under way. */
  ended(): Promise<void> {
    return this.#underWay.ended()
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
      late: new Set(late.filter((key) => this.#underWay.has(key))),
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
    const { failures, clock } = this.#deps
    const landed = await Promise.all(due.map((request) => this.#refresh(request, poll)))
    for (const request of due) {
      const head = headIn(poll.standing, request)
      const outcome = failures.outcomeOf(collectionKey(request.collection), head, clock.now())
      if (head && outcome === 'missing' && kinds[request.collection.kind].mayBeMissing) {
        await this.#noteMissing(request, head)
      }
    }
    return landed
  }

  /** A project or invoice that is refused while others are answered is empty a day later, if it still is; and stays so. */
  async #noteMissing(request: CollectionRequest, head: CopyHead): Promise<void> {
    const { connection, copies, clock, logOnce } = this.#deps
    const { collection, scope } = request
    const now = clock.now()
    if (!isHeard(connection, collection.kind, now)) {
      // What was refused while nothing was answered does not count.
      if (head.missingSince !== null) {
        await copies.confirmCopies(connection.id, [{ ...head, missingSince: null }])
      }
      return
    }
    const missingSince = Math.min(head.missingSince ?? now, now)
    // What is refused for minutes is refused with all else, most likely.
    const isLasting = now - missingSince >= hourMs
    if (isLasting) logOnce.warn({ company: connection.company.id, ...collection }, 'record_missing')
    if (head.contentHash !== emptyHash && now - missingSince < dayMs) {
      await copies.confirmCopies(connection.id, [{ ...head, missingSince }])
      return
    }
    const empty = makeCopy(collection, [], { begunAt: now, fetchedAt: now, reach: scope.reach })
    const person = personInFeed(connection, request)
    await copies.keepCopy(connection.id, { ...empty, missingSince }, person)
  }

  #refresh(request: CollectionRequest, poll: Poll): Promise<CopyHead | undefined> {
    const { collection, scope } = request
    const { confirmations } = poll
    const { clock, freshMs, failures } = this.#deps
    const key = collectionKey(collection)
    const head = headIn(poll.standing, request)
    const begin = async (wanted: WindowOption | null): Promise<CopyHead | undefined> => {
      // Leaves wait where it is being asked whether the Read API calls somebody so.
      if (collection.kind === 'leaves') {
        await this.#underWay.endedOf(collectionKey({ kind: 'user', subject: collection.subject }))
      }
      const reach = widest(wanted, head?.reach ?? null)
      const outcome = await this.#ask({ ...request, scope: { ...scope, reach } }, poll)
      failures.note(collection, head, outcome, { now: clock.now(), freshMs })
      return confirmations.noted.get(key)
    }
    return this.#underWay.join(key, scope.reach, {
      begin: (wanted) => confirmations.during(() => begin(wanted)),
      hurry: () => confirmations.hurry(key),
    })
  }

  #ask(request: CollectionRequest, { standing, confirmations }: Poll): Promise<RefreshOutcome> {
    return this.#refresher.refresh(request, {
      head: headIn(standing, request),
      standing,
      confirm: (head) => confirmations.confirm(head),
      noteKept: (copy) => confirmations.noteKept(copy),
    })
  }

  #confirmations(): Confirmations {
    return new Confirmations(this.#deps.copies, this.#deps.connection.id)
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

interface Waiting {
  readonly head: CopyHead
  readonly done: PromiseWithResolvers<boolean>
}

/**
 * What the refreshes of one poll find unchanged, written by one statement once each of them has been answered; earlier where
 * somebody else waits for one of them. Each is confirmed only when that is written.
 */
class Confirmations {
  readonly #copies: CopyStore
  readonly #connectionId: string
  /** As they were written, by key; those that were kept, too. */
  readonly noted = new Map<string, CopyHead>()
  readonly #urgent = new Set<string>()
  #underWay = 0
  #waiting: Waiting[] = []
  #isOver = false

  constructor(copies: CopyStore, connectionId: string) {
    this.#copies = copies
    this.#connectionId = connectionId
  }

  /** Has the others wait for this refresh. */
  async during<T>(refresh: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    try {
      return await refresh()
    } finally {
      this.#underWay -= 1
      await this.#writeWhenComplete()
    }
  }

  /** Whether it was noted that the content of this copy was confirmed; fails as its writing does. */
  async confirm(head: CopyHead): Promise<boolean> {
    const done = Promise.withResolvers<boolean>()
    this.#waiting.push({ head, done })
    await (this.#isOver || this.#urgent.has(head.key) ? this.#write() : this.#writeWhenComplete())
    return done.promise
  }

  /** Notes that this copy was kept. */
  noteKept({ records: _, ...head }: Copy): void {
    this.noted.set(head.key, head)
  }

  /** Writes as soon as that one has been answered. */
  hurry(key: string): void {
    this.#urgent.add(key)
    if (this.#waiting.some(({ head }) => head.key === key)) void this.#write()
  }

  /** Has nobody wait any longer: what has been answered is written when this resolves. */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#write()
  }

  async #writeWhenComplete(): Promise<void> {
    if (this.#waiting.length >= this.#underWay) await this.#write()
  }

  async #write(): Promise<void> {
    const written = this.#waiting
    this.#waiting = []
    if (written.length === 0) return
    try {
      const heads = written.map(({ head }) => head)
      const keys = await this.#copies.confirmCopies(this.#connectionId, heads)
      for (const { head, done } of written) {
        if (keys.has(head.key)) this.noted.set(head.key, head)
        done.resolve(keys.has(head.key))
      }
    } catch (error) {
      for (const { done } of written) done.reject(error)
    }
  }
}

/** The copy as it was confirmed or kept; undefined where it is to be read again. */
type Landed = CopyHead | undefined

interface Running {
  readonly reach: WindowOption | null
  readonly done: Promise<Landed>
  /** Has it wait for no other, now that more than one wait for it. */
  readonly hurry: () => void
}

/** Refreshes under way: one for all who wait for the same collection, as far as it reaches far enough for them. */
class UnderWay {
  readonly #byKey = new Map<string, Running>()
  /** Those that a wider one has overtaken, too. */
  readonly #all = new Set<Promise<unknown>>()

  has(key: string): boolean {
    return this.#byKey.has(key)
  }

  /** Lets nobody join those under way. */
  forget(): void {
    this.#byKey.clear()
  }

  /** Waits for the one under way, or for one that reaches as far as it and `wanted` both. */
  join(
    key: string,
    wanted: WindowOption | null,
    refresh: {
      readonly begin: (reach: WindowOption | null) => Promise<Landed>
      readonly hurry: () => void
    },
  ): Promise<Landed> {
    const underWay = this.#byKey.get(key)
    underWay?.hurry()
    if (underWay && covers(underWay.reach, wanted)) return underWay.done
    const reach = widest(wanted, underWay?.reach ?? null)
    const done = refresh.begin(reach).finally(() => {
      this.#all.delete(done)
      if (this.#byKey.get(key) === running) this.#byKey.delete(key)
    })
    this.#all.add(done)
    const running: Running = { reach, done, hurry: refresh.hurry }
    this.#byKey.set(key, running)
    return done
  }

  async ended(): Promise<void> {
    await Promise.allSettled(this.#all)
  }

  async endedOf(key: string): Promise<void> {
    const underWay = this.#byKey.get(key)
    underWay?.hurry()
    await underWay?.done
  }
}

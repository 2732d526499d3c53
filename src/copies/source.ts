import type { Connection, Standing } from '../domain/connection.ts'
import { collectionKey, type CopyHead, emptyHash, makeCopy } from '../domain/copy.ts'
import { covers, widest } from '../domain/feed-options.ts'
import type { LeaveProof } from '../domain/leave.ts'
import { readAgainAfterMs } from '../domain/person.ts'
import type { User } from '../domain/user.ts'
import { dayMs, hourMs, clockSkewMs, type Instant } from '../domain/world.ts'
import { type CollectionState, headIn, heldIn, isFailure, isHeard } from './failures.ts'
import { anyScope, type CollectionRequest, kinds, personState, useOf } from './kinds.ts'
import { currentProof, ofCredential } from './proof/proof-state.ts'
import { outcomeOf, type Poll, type Refreshed, Refresher, type SourceDeps } from './refresher.ts'
import { Confirmations, UnderWay } from './under-way.ts'

const keptAtOnce = 50
/** Created once, since creating an error is costly. */
const answered = new Error('answered')

export interface CurrentCollections {
  readonly states: readonly CollectionState[]
  readonly proof: LeaveProof
  /** Whether the record of one of these people was read meanwhile, or still is: that may close the feed. */
  readonly personsRead: boolean
}

export interface SourceCondition {
  readonly isUp: boolean
  readonly downSince: Instant | null
  readonly oldestCopyMs: number
}

/** One company for its feeds: the last good copy of every collection, refreshed once for all who wait for it. */
export class Source {
  readonly connection: Connection
  readonly #deps: SourceDeps
  readonly #refresher: Refresher
  readonly #underWay = new UnderWay<Refreshed>()
  readonly #closing = new AbortController()
  /** Whatever was requested until then is due, however new. */
  #renewedAt: Instant = -Infinity

  constructor(deps: SourceDeps) {
    this.connection = deps.connection
    this.#deps = deps
    this.#refresher = new Refresher(deps, this.#closing.signal, (request) =>
      this.#refreshAlone(request),
    )
  }

  /** Returns what is known about the collections before they are refreshed. */
  standing(requests: readonly CollectionRequest[]): Promise<Standing> {
    const { standings, clock } = this.#deps
    const { id: connectionId, company } = this.connection
    const collections = requests.map(({ collection }) => collection)
    return standings.readStanding({
      connectionId,
      companyId: company.id,
      keys: collections.map(collectionKey),
      userIds: peopleOf(requests),
      now: clock.now(),
    })
  }

  /**
   * Returns the collections and refreshes old ones first. Refreshes beyond the budget continue and are stored. Never fails
   * for faults of the Read API.
   */
  async current(
    requests: readonly CollectionRequest[],
    known?: Standing,
  ): Promise<CurrentCollections> {
    const standing = known ?? (await this.standing(requests))
    const due = requests.filter((request) => this.#isDue(request, standing))
    const werePersonsRead = this.#refresher.watchPersons(peopleOf(requests))
    const refreshed = due.length > 0 ? await this.#refreshWithinBudget(due, standing) : []
    const after = await this.#after(requests, standing, due, refreshed)
    const states = requests.map((request) => {
      const isLate = !refreshed && due.includes(request)
      const late = isLate && this.#underWay.has(collectionKey(request.collection))
      return { ...this.#stateOf(request, after), refreshed: due.includes(request), late }
    })
    this.#noteAges(states)
    const proof = ofCredential(this.connection, after.proof)
    return { states, proof, personsRead: due.length > 0 && werePersonsRead() }
  }

  #noteAges(states: readonly CollectionState[]): void {
    const { clock, measures, connection } = this.#deps
    const now = clock.now()
    for (const { head } of states) {
      if (head)
        measures?.noteCopyAge(connection.company.id, Math.max(0, now - head.fetchedAt) / 1000)
    }
  }

  /** Stores the records of active people without any, for the first poll. Never fails: what is not stored is requested later. */
  async keepPeople(users: readonly User[], askedAt: Instant): Promise<void> {
    const active = users.filter((user) => personState(user) === 'active')
    const people = [...new Map(active.map((user) => [user.id, user])).values()]
    try {
      for (let first = 0; first < people.length; first += keptAtOnce) {
        await this.#keepNew(people.slice(first, first + keptAtOnce), askedAt)
      }
    } catch (error) {
      this.#deps.log.error({ company: this.connection.company.id, error }, 'people_not_kept')
    }
  }

  async #keepNew(people: readonly User[], askedAt: Instant): Promise<void> {
    const { copies, departures } = this.#deps
    const { id, company } = this.connection
    const times = { begunAt: askedAt, fetchedAt: askedAt, reach: null }
    const all = people.map((user) => {
      const copy = makeCopy({ kind: 'user', subject: user.id }, [kinds.user.keep(user)], times)
      return { user, copy }
    })
    const heads = await copies.findHeads(
      id,
      all.map(({ copy }) => copy.key),
    )
    const kept = new Set(heads.map(({ key }) => key))
    const unknown = all.filter(({ copy }) => !kept.has(copy.key))
    const keep = async ({ user, copy }: (typeof all)[number]): Promise<void> => {
      if (!(await departures.note(company.id, user.id, 'active', user))) return
      await copies.keepCopy(id, copy, {
        whileInFeed: { companyId: company.id, userId: user.id },
      })
    }
    await Promise.all(unknown.map(keep))
  }

  /**
   * Returns whether the Read API responds at all, since when not, and the age of the oldest copy served within the hour that
   * could not be refreshed.
   */
  condition(): SourceCondition {
    const { health, failures } = this.#refresher
    const now = this.#deps.clock.now()
    const { isUp, downSince } = health
    return { isUp, downSince, oldestCopyMs: now - (failures.oldestServed(now - hourMs) ?? now) }
  }

  proof(): Promise<LeaveProof> {
    return currentProof(this.#deps)
  }

  async keepProof(signal: AbortSignal): Promise<void> {
    const subject = await this.#refresher.prover.keep(signal)
    if (subject === undefined) return
    await this.#refreshAlone({ collection: { kind: 'leaves', subject }, scope: anyScope })
  }

  /** Makes everything due that was requested until now, or has just failed. */
  renew(): void {
    this.#renewedAt = this.#deps.clock.now()
    this.#underWay.forget()
    this.#refresher.failures.forget()
  }

  /** Aborts refreshes under way and waits until the last has written. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('closing'))
    await this.#underWay.ended()
    await this.#refresher.doubts.close()
  }

  /** While an id is on hold, only the person's own record is requested. */
  #isDue(request: CollectionRequest, standing: Standing): boolean {
    const heldAt = heldIn(standing, request)
    if (heldAt === undefined) return this.#isOld(request, standing)
    const isAgain = Math.abs(this.#deps.clock.now() - heldAt) >= readAgainAfterMs
    return isAgain && request.collection.kind === 'user'
  }

  #isOld(request: CollectionRequest, standing: Standing): boolean {
    const { collection, scope } = request
    const now = this.#deps.clock.now()
    const head = headIn(standing, request)
    if (this.#refresher.failures.isPaused(request, standing)) return false
    if (!head || !covers(head.reach, scope.reach)) return true
    if (scope.reasons && !head.withReasons) return true
    // A copy from the future was written by a clock that ran ahead.
    if (head.begunAt <= this.#renewedAt || head.fetchedAt > now + clockSkewMs) return true
    return now - head.fetchedAt >= (kinds[collection.kind].freshMs ?? this.#deps.freshMs)
  }

  /** Returns undefined if some take longer than the budget. */
  async #refreshWithinBudget(
    due: readonly CollectionRequest[],
    standing: Standing,
  ): Promise<readonly Refreshed[] | undefined> {
    const { clock, refreshBudgetMs, copies } = this.#deps
    const confirmations = new Confirmations(copies, this.connection.id)
    const refreshes = this.#refreshAll(due, { standing, confirmations })
    const enough = new AbortController()
    const budget = clock.sleep(refreshBudgetMs, enough.signal).then(
      () => confirmations.hurry(),
      () => undefined,
    )
    const refreshed = await Promise.race([refreshes, budget])
    enough.abort(answered)
    return refreshed ?? undefined
  }

  async #refreshAll(due: readonly CollectionRequest[], poll: Poll): Promise<readonly Refreshed[]> {
    const refreshed = await Promise.all(due.map((request) => this.#refresh(request, poll)))
    for (const request of due) {
      const isMissing = this.#refresher.failures.outcomeOf(request, poll.standing) === 'missing'
      if (isMissing && kinds[request.collection.kind].mayBeMissing) {
        await this.#noteMissing(request, headIn(poll.standing, request))
      }
    }
    return refreshed
  }

  /** A project or invoice that is refused while other requests succeed becomes empty after a day, and stays so. */
  async #noteMissing(request: CollectionRequest, head: CopyHead | null): Promise<void> {
    if (!head) return
    const { copies, clock } = this.#deps
    const { connection } = this
    const { collection, scope } = request
    const now = clock.now()
    if (!isHeard(connection, collection.kind, now)) {
      // A refusal does not count while no other request succeeds.
      if (head.missingSince === null) return
      await copies.confirmCopies(connection.id, [{ ...head, missingSince: null }])
      return
    }
    const missingSince = Math.min(head.missingSince ?? now, now)
    // Not logged for shorter times, since then most likely everything is refused.
    if (now - missingSince >= hourMs) {
      const what = { company: connection.company.id, ...collection }
      this.#refresher.logOnce.warn(what, 'record_missing')
    }
    if (head.contentHash !== emptyHash && now - missingSince < dayMs) {
      await copies.confirmCopies(connection.id, [{ ...head, missingSince }])
      return
    }
    const empty = makeCopy(collection, [], { begunAt: now, fetchedAt: now, reach: scope.reach })
    const use = useOf(connection, request)
    await copies.keepCopy(connection.id, { ...empty, missingSince }, use)
  }

  #refresh(request: CollectionRequest, poll: Poll): Promise<Refreshed> {
    const { collection, scope } = request
    const key = collectionKey(collection)
    return this.#underWay.join(key, scope.reach, poll.confirmations, async (wanted) => {
      // First find out whether the Read API returns another person for this id.
      if (collection.kind === 'leaves') {
        await this.#underWay.endedOf(collectionKey({ kind: 'user', subject: collection.subject }))
      }
      const reach = widest(wanted, headIn(poll.standing, request)?.reach ?? null)
      const wide = { ...request, scope: { ...scope, reach } }
      const refreshed = await this.#refresher.refresh(wide, poll)
      this.#refresher.failures.note(request, poll.standing, outcomeOf(refreshed))
      return refreshed
    })
  }

  async #refreshAlone(request: CollectionRequest): Promise<Refreshed> {
    const standing = await this.standing([request])
    const confirmations = new Confirmations(this.#deps.copies, this.connection.id)
    return this.#refresher.refresh(request, { standing, confirmations })
  }

  /** Reads the standing again, unless everything refreshed was stored. The answers may have proven the filter of leaves, too. */
  async #after(
    requests: readonly CollectionRequest[],
    standing: Standing,
    due: readonly CollectionRequest[],
    refreshed: readonly Refreshed[] | undefined,
  ): Promise<Standing> {
    if (due.length === 0) return standing
    const heads = refreshed?.filter((it) => typeof it !== 'string') ?? []
    const isAll = heads.length === due.length && standing.proof.state === 'proven'
    if (!isAll) return this.standing(requests)
    return {
      ...standing,
      heads: new Map([...standing.heads, ...heads.map((it) => [it.key, it] as const)]),
    }
  }

  #stateOf(
    request: CollectionRequest,
    standing: Standing,
  ): Omit<CollectionState, 'refreshed' | 'late'> {
    const held = heldIn(standing, request) !== undefined
    const outcome = held ? 'held' : this.#refresher.failures.outcomeOf(request, standing)
    const head = headIn(standing, request)
    const isMissing = outcome === 'missing'
    const { kind } = request.collection
    return {
      request,
      head,
      failed: isFailure[outcome] || (isMissing && head?.contentHash !== emptyHash),
      notStored: outcome === 'notStored',
      held,
      misnamed: outcome === 'misnamed',
      refused: outcome === 'refused',
      absent: isMissing && !head && isHeard(this.connection, kind, this.#deps.clock.now()),
    }
  }
}

function peopleOf(requests: readonly CollectionRequest[]): readonly string[] {
  const ofPeople = requests.filter(({ collection: { kind } }) => kinds[kind].isPersonal)
  return [...new Set(ofPeople.map(({ collection: { subject } }) => subject))]
}

/*
 * Ids are given again: to somebody else, by another company's Read API, or by mistake in one answer. So an id that is read with
 * another name and another mail address is nobody's until that is settled: nothing of it is kept, and what was kept stands.
 */
import { personalKeys } from '../copies/kinds.ts'
import {
  type AuditStore,
  type AuditEvent,
  saveAuditEvent,
  logAuditEvent,
} from '../domain/access/audit-entry.ts'
import { bridge, type Actor } from '../domain/access/staff.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { DepartureStore } from '../domain/departure.ts'
import type { ErasedPerson, ErasureStore } from '../domain/erasure.ts'
import { type FeedChange, type FeedStore } from '../domain/feed-store.ts'
import { anotherPerson, type Feed } from '../domain/feed.ts'
import type { LeaveProofStore } from '../domain/leave.ts'
import {
  compareIdentity,
  identityOf,
  isSameName,
  foldedName,
  type IdentityWatch,
  type Newcomer,
  type NewcomerStore,
  readAgainAfterMs,
  type PeopleStore,
  type Person,
  type PersonInCompany,
} from '../domain/person.ts'
import type { PersonReference, User } from '../domain/user.ts'
import type { Clock, Instant, Log } from '../domain/world.ts'
import { findTasksNaming, removeFromTasks } from './tasks-naming.ts'

/** Nobody is in more. */
const feedsMax = 10_000

export interface IdentitiesDeps {
  readonly newcomers: NewcomerStore
  readonly people: Pick<PeopleStore, 'findPerson'>
  readonly departures: Pick<DepartureStore, 'listLeft' | 'forgetDeparture'>
  readonly feeds: Pick<FeedStore, 'listFeeds' | 'changeFeed'>
  readonly copies: Pick<CopyStore, 'findCopy' | 'keepCopy' | 'dropCopies'>
  readonly erasure: Pick<ErasureStore, 'listConnections' | 'listTaskCopies'>
  readonly proofs: Pick<LeaveProofStore, 'forgetClaims'>
  readonly audit: AuditStore
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  /** For how long the calendars of somebody go on whose id is another person's. */
  readonly staleMs: number
  readonly clock: Clock
  readonly log: Log
}

/** Tells whether an id is still the same person's, and settles it where it is not. */
export class Identities implements IdentityWatch {
  readonly #deps: IdentitiesDeps

  constructor(deps: IdentitiesDeps) {
    this.#deps = deps
  }

  /** Takes note of who was read by that id; whether it is the person who was known by it, or everything has been settled. */
  async noteRecord(companyId: string, user: User): Promise<boolean> {
    const { newcomers, people } = this.#deps
    const person = { companyId, userId: user.id }
    const newcomer = await newcomers.findNewcomer(companyId, user.id)
    const before = await people.findPerson(companyId, user.id)
    const compared = before ? await this.#compare(companyId, before, user) : 'same'
    if (compared === 'another') return this.#noteAnother(person, newcomer)
    if (!newcomer) return true
    if (compared === 'unsaid') return false
    await this.#release(newcomer)
    return true
  }

  async listDoubtful(
    companyId: string,
    people: readonly PersonReference[],
  ): ReturnType<IdentityWatch['listDoubtful']> {
    const ids = [...new Set(people.map(({ id }) => id))]
    const known = await this.#deps.newcomers.listKnownMembers(companyId, ids)
    const called = Map.groupBy(people, ({ id }) => id)
    return known.filter(({ userId, name }) => {
      const calls = called.get(userId) ?? []
      return calls.some((person) => !isSameName(name, foldedName(person)))
    })
  }

  async listHeld(companyId: string): Promise<ReadonlySet<string>> {
    const held = await this.#deps.newcomers.listNewcomers(companyId)
    return new Set(held.map(({ userId }) => userId))
  }

  /** Ends what is due to end without a further reading. */
  async endWhenDue(newcomer: Newcomer): Promise<boolean> {
    const { clock, staleMs } = this.#deps
    const { since, confirmedAt } = newcomer
    if (confirmedAt === null) return false
    if (clock.now() - since < staleMs && (await this.#isServed(newcomer))) return false
    await this.replace(newcomer)
    return true
  }

  /** The id is another person's from now on: what was kept of the one before ends, and is not in the way of the other. */
  async replace(person: PersonInCompany, by: Pick<Actor, 'actor'> = bridge): Promise<void> {
    const { companyId, userId } = person
    const { departures, newcomers, connections } = this.#deps
    for (const feed of await this.#feedsOf(person)) await this.#endIn(feed, userId, by)
    if (connections.has(companyId)) await this.#forgetRecords(person)
    await departures.forgetDeparture(companyId, userId)
    if (await newcomers.settleNewcomer(person)) await this.note(person, 'person_replaced', by)
  }

  /** Notes in the audit and in the log what has become of an id. */
  note(
    { companyId, userId }: PersonInCompany,
    action: 'person_held' | 'person_released' | 'person_confirmed' | 'person_replaced',
    { actor }: Pick<Actor, 'actor'> = bridge,
    label: string | null = null,
  ): Promise<void> {
    return saveAuditEvent(this.#deps, { actor, action }, { companyId, userIds: [userId], label })
  }

  /** Of one who has left, what was no longer said of them counts as well: accounts lose their address before they end. */
  async #compare(
    companyId: string,
    before: Person,
    user: User,
  ): Promise<ReturnType<typeof compareIdentity>> {
    const [{ known }, read] = [before, identityOf(user)]
    const compared = compareIdentity(known, read, identityOf(before))
    if (compared !== 'unsaid') return compared
    const left = await this.#deps.departures.listLeft(companyId, [user.id])
    return left.length > 0 ? compareIdentity(known, read, known) : compared
  }

  async #noteAnother(person: PersonInCompany, before: Newcomer | undefined): Promise<boolean> {
    const { newcomers, clock } = this.#deps
    const now = clock.now()
    if (!before) {
      await newcomers.addNewcomer({ ...person, since: now, readAt: now, confirmedAt: null })
      return false
    }
    await newcomers.noteRead(before, before.readAt, now)
    if (!isConfirmed(before, now)) return false
    const newcomer = { ...before, confirmedAt: before.confirmedAt ?? now }
    if (before.confirmedAt === null && (await newcomers.confirmNewcomer(before, now))) {
      await this.note(before, 'person_held')
    }
    return this.endWhenDue(newcomer)
  }

  /** Nothing is told of a single wrong answer. */
  async #release(newcomer: Newcomer): Promise<void> {
    const isForgotten = await this.#deps.newcomers.forgetNewcomer(newcomer)
    if (isForgotten && newcomer.confirmedAt !== null) await this.note(newcomer, 'person_released')
  }

  /** Whether any calendar shows the person who was known. */
  async #isServed(person: PersonInCompany): Promise<boolean> {
    const { companyId, userId } = person
    const left = await this.#deps.departures.listLeft(companyId, [userId])
    if (left.length > 0) return false
    return (await this.#feedsOf(person)).some(({ closedAt }) => closedAt === null)
  }

  #feedsOf({ companyId, userId }: PersonInCompany): Promise<readonly Feed[]> {
    const filter = { companyId, userIds: [userId], unrevoked: true, limit: feedsMax }
    return this.#deps.feeds.listFeeds(filter)
  }

  /** Closes a feed of that person alone; any other goes on without them. */
  async #endIn(
    { id, userIds }: Feed,
    userId: string,
    { actor }: Pick<Actor, 'actor'>,
  ): Promise<void> {
    const { feeds, clock, log } = this.#deps
    const isAlone = userIds.every((other) => other === userId)
    const action = isAlone ? 'feed_closed' : 'feed_changed'
    const auditEvent: AuditEvent = { at: clock.now(), actor, action }
    const last = { isChanged: false }
    const change: FeedChange = (feed) => {
      const others = feed.userIds.filter((other) => other !== userId)
      last.isChanged = feed.closedBecause !== anotherPerson && others.length < feed.userIds.length
      if (!last.isChanged) return null
      if (others.length > 0) return { ...feed, userIds: others }
      return { ...feed, closedAt: feed.closedAt ?? auditEvent.at, closedBecause: anotherPerson }
    }
    const after = await feeds.changeFeed(id, change, auditEvent)
    if (!after || !last.isChanged) return
    logAuditEvent(log, auditEvent, {
      companyId: after.companyId,
      feedId: id,
      userIds: after.userIds,
    })
  }

  /** Of every connection that is no other company's: a company may be led back to one that it had before. */
  async #forgetRecords({ companyId, userId }: PersonInCompany): Promise<void> {
    const { connections, erasure, copies, proofs } = this.#deps
    const others = [...connections].filter(([id]) => id !== companyId)
    const person: ErasedPerson = {
      companyId,
      userId,
      copyKeys: personalKeys(userId),
      otherConnectionIds: others.map(([, { id }]) => id),
      isStaffAnywhere: false,
    }
    for (const connectionId of await erasure.listConnections(person)) {
      await copies.dropCopies(connectionId, person.copyKeys)
      await proofs.forgetClaims(connectionId, userId)
    }
    for (const found of await findTasksNaming(this.#deps, person)) {
      await removeFromTasks(this.#deps, found, userId)
    }
  }
}

/** A second reading counts a minute after the first; one of a clock that ran ahead counts at once. */
function isConfirmed({ since, confirmedAt }: Newcomer, now: Instant): boolean {
  return confirmedAt !== null || now - since >= readAgainAfterMs || since > now
}

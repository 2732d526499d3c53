/*
 * Ids are reused: for another person, by another company's Read API, or by mistake in one answer. So an id that is read with
 * another name and another mail address is on hold until that is settled: nothing of it is kept, and what was kept stays.
 */
import { type AuditEvent, type AuditStore, saveAuditEvent } from '../domain/access/audit-entry.ts'
import { bridge, type Actor } from '../domain/access/staff.ts'
import type { Connection } from '../domain/connection.ts'
import type { CopyStore } from '../domain/copy.ts'
import type { DepartureStore } from '../domain/departure.ts'
import type { ErasureStore } from '../domain/erasure.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import { anotherPerson, type Feed } from '../domain/feed.ts'
import type { LeaveProofStore } from '../domain/leave.ts'
import {
  compareIdentity,
  identityOf,
  isSameName,
  foldedName,
  type IdentityWatch,
  type KnownMember,
  type Newcomer,
  type NewcomerStore,
  readAgainAfterMs,
  type PeopleStore,
  type Person,
  type PersonInCompany,
} from '../domain/person.ts'
import type { PersonReference, User } from '../domain/user.ts'
import type { Clock, Log } from '../domain/world.ts'
import { erasedPerson, removeFromTasks } from './erased-person.ts'
import { changeFeed } from './own-feeds.ts'

/** More than any person is in. */
const feedsMax = 10_000

interface IdentitiesDeps {
  readonly newcomers: NewcomerStore
  readonly people: PeopleStore
  readonly departures: DepartureStore
  readonly feeds: FeedStore
  readonly copies: CopyStore
  readonly erasure: ErasureStore
  readonly proofs: LeaveProofStore
  readonly audit: AuditStore
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  /** How long calendars continue while the id is another person's. */
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

  /** Notes who was read by that id; true for the known person, or once everything has been settled. */
  async noteRecord(companyId: string, user: User): Promise<boolean> {
    const { newcomers, people } = this.#deps
    const newcomer = await newcomers.findNewcomer(companyId, user.id)
    const before = await people.findPerson(companyId, user.id)
    const compared = before ? await this.#compare(companyId, before, user) : 'same'
    if (compared === 'another') {
      return this.#noteAnother({ companyId, userId: user.id }, newcomer)
    }
    if (!newcomer) return true
    if (compared === 'unsaid') return false
    const isForgotten = await newcomers.forgetNewcomer(newcomer)
    // A single wrong answer is not told.
    if (isForgotten && newcomer.confirmedAt !== null) await this.note(newcomer, 'person_released')
    return true
  }

  async listDoubtful(
    companyId: string,
    people: readonly PersonReference[],
  ): Promise<readonly KnownMember[]> {
    const named = Map.groupBy(people, ({ id }) => id)
    const known = await this.#deps.newcomers.listKnownMembers(companyId, [...named.keys()])
    return known.filter(({ userId, name }) =>
      named.get(userId)?.some((person) => !isSameName(name, foldedName(person))),
    )
  }

  async listHeld(companyId: string): Promise<ReadonlySet<string>> {
    const held = await this.#deps.newcomers.listNewcomers(companyId)
    return new Set(held.map(({ userId }) => userId))
  }

  /** Replaces the person if the time for that has come. */
  async endWhenDue(newcomer: Newcomer): Promise<boolean> {
    const { clock, staleMs } = this.#deps
    const { since, confirmedAt } = newcomer
    if (confirmedAt === null) return false
    if (clock.now() - since < staleMs && (await this.#isServed(newcomer))) return false
    await this.replace(newcomer)
    return true
  }

  /** From now on the id is another person's: what was kept of the one before ends. */
  async replace(person: PersonInCompany, by: Pick<Actor, 'actor'> = bridge): Promise<void> {
    const { companyId, userId } = person
    const { departures, newcomers, connections } = this.#deps
    for (const feed of await this.#feedsOf(person)) await this.#endIn(feed, userId, by)
    if (connections.has(companyId)) await this.#forgetRecords(person)
    await departures.forgetDeparture(companyId, userId)
    if (await newcomers.settleNewcomer(person)) await this.note(person, 'person_replaced', by)
  }

  note(
    { companyId, userId }: PersonInCompany,
    action: 'person_held' | 'person_released' | 'person_confirmed' | 'person_replaced',
    { actor }: Pick<Actor, 'actor'> = bridge,
    label: string | null = null,
  ): Promise<void> {
    return saveAuditEvent(this.#deps, { actor, action }, { companyId, userIds: [userId], label })
  }

  async #compare(
    companyId: string,
    before: Person,
    user: User,
  ): Promise<ReturnType<typeof compareIdentity>> {
    const [{ known }, read] = [before, identityOf(user)]
    const compared = compareIdentity(known, read, identityOf(before))
    if (compared !== 'unsaid') return compared
    // Accounts lose their address before they end: then what was known before counts as well.
    const left = await this.#deps.departures.listLeft(companyId, [user.id])
    return left.length > 0 ? compareIdentity(known, read, known) : compared
  }

  /** True once the id has been settled. */
  async #noteAnother(person: PersonInCompany, before: Newcomer | undefined): Promise<boolean> {
    const { newcomers, clock } = this.#deps
    const now = clock.now()
    if (!before) {
      await newcomers.addNewcomer({ ...person, since: now, readAt: now, confirmedAt: null })
      return false
    }
    const { since, confirmedAt, readAt } = before
    await newcomers.noteRead(before, readAt, now)
    // The second reading counts a minute after the first, or at once if that has a clock that ran ahead.
    const isConfirmed = confirmedAt !== null || now - since >= readAgainAfterMs || since > now
    if (!isConfirmed) return false
    if (confirmedAt === null && (await newcomers.confirmNewcomer(before, now))) {
      await this.note(before, 'person_held')
    }
    return this.endWhenDue({ ...before, confirmedAt: confirmedAt ?? now })
  }

  /** Whether a calendar shows the known person. */
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

  /** Closes a feed of that person alone; any other continues without the person. */
  #endIn({ id, userIds }: Feed, userId: string, { actor }: Pick<Actor, 'actor'>): Promise<void> {
    const isAlone = userIds.every((other) => other === userId)
    const action = isAlone ? 'feed_closed' : 'feed_changed'
    const event: AuditEvent = { at: this.#deps.clock.now(), actor, action }
    return changeFeed(this.#deps, id, event, (feed) => {
      const others = feed.userIds.filter((other) => other !== userId)
      const isEnded = feed.closedBecause === anotherPerson || others.length === feed.userIds.length
      if (isEnded) return null
      if (others.length > 0) return { ...feed, userIds: others }
      return { ...feed, closedAt: feed.closedAt ?? event.at, closedBecause: anotherPerson }
    })
  }

  async #forgetRecords(of: PersonInCompany): Promise<void> {
    const { connections, erasure, copies, proofs } = this.#deps
    const person = erasedPerson(connections, of, false)
    for (const connectionId of await erasure.listConnections(person)) {
      await copies.dropCopies(connectionId, person.copyKeys)
      await proofs.forgetClaims(connectionId, of.userId)
    }
    await removeFromTasks(this.#deps, person)
  }
}

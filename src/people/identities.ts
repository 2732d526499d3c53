/*
 * Ids are reused: for another person, by another company's Read API, or by mistake in one answer. So an id that is read with
 * another name and another mail address is on hold until that is settled: nothing of it is kept, and what was kept stays.
 */
import { type AuditEvent, saveAuditEvent } from '../domain/access/audit-entry.ts'
import { bridge, type Actor } from '../domain/access/staff.ts'
import { noCompany } from '../domain/company.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import { AppError } from '../domain/errors.ts'
import { anotherPerson, endsWithPerson, type Feed } from '../domain/feed.ts'
import {
  compareIdentity,
  identityOf,
  isSameName,
  foldedName,
  type IdentityWatch,
  type KnownMember,
  type Newcomer,
  readAgainAfterMs,
  type Person,
  type PersonInCompany,
} from '../domain/person.ts'
import type { PersonReference, User } from '../domain/user.ts'
import { dayMs } from '../domain/world.ts'
import type { CompanyTrust } from './company-trust.ts'
import { erasedPerson, removeFromTasks, wrongCompany } from './erasure.ts'
import { changeFeed } from './own-feeds.ts'
import type { PeopleDeps } from './people-deps.ts'
import { noteAnswer, readPerson } from './person-state.ts'
import { followAllTeams } from './teams.ts'

const feedsMax = 10_000

/** Tells whether an id is still the same person's, and settles it where it is not. */
export class Identities implements IdentityWatch {
  readonly #deps: PeopleDeps

  constructor(deps: PeopleDeps) {
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
    // Do not report a single wrong answer.
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

  async endWhenDue(newcomer: Newcomer): Promise<boolean> {
    const { clock, staleMs } = this.#deps
    const { since, confirmedAt } = newcomer
    if (confirmedAt === null) return false
    if (clock.now() - since < staleMs && (await this.#isServed(newcomer))) return false
    await this.replace(newcomer)
    return true
  }

  /** The id belongs to another person from now on: data of the previous one ends. */
  async replace(person: PersonInCompany, by: Pick<Actor, 'actor'> = bridge): Promise<void> {
    const { companyId, userId } = person
    const { departures, newcomers, connections } = this.#deps
    for (const feed of await this.#feedsOf(person)) await this.#endIn(feed, userId, by)
    if (connections.has(companyId)) await this.#forgetRecords(person)
    await departures.forgetDeparture(companyId, userId)
    const isSettled = await newcomers.settleNewcomer(person, 'another')
    if (isSettled) await this.note(person, 'person_replaced', by)
    await followAllTeams(this.#deps, companyId)
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

  async #isServed(person: PersonInCompany): Promise<boolean> {
    const { companyId, userId } = person
    const left = await this.#deps.departures.listLeft(companyId, [userId])
    if (left.length > 0) return false
    const feeds = await this.#feedsOf(person)
    return feeds.some(({ closedAt, revokedAt }) => closedAt === null && revokedAt === null)
  }

  /** Feeds with the person that are not revoked, or can be reopened, and feeds of the person's team. */
  async #feedsOf({ companyId, userId }: PersonInCompany): Promise<readonly Feed[]> {
    const { feeds, teams, clock } = this.#deps
    const since = clock.now() - dayMs
    const filter = { companyId, userIds: [userId], limit: feedsMax }
    const found = await feeds.listFeeds(filter)
    const shown = found.filter(({ revokedAt }) => revokedAt === null || revokedAt > since)
    const led = (await teams.listTeamFeeds(companyId, userId)).map((id) => feeds.findFeed(id))
    const ofTeam = (await Promise.all(led)).filter((feed) => feed !== undefined)
    return [...shown, ...ofTeam]
  }

  /** Closes a feed of that person alone, or of their team; any other continues without the person. */
  async #endIn(of: Feed, userId: string, { actor }: Pick<Actor, 'actor'>): Promise<void> {
    const { id, team } = of
    const isEnding = endsWithPerson(of, userId)
    // A team follows the directory by itself.
    if (team && !isEnding) return
    const action = isEnding ? 'feed_closed' : 'feed_changed'
    const event: AuditEvent = { at: this.#deps.clock.now(), actor, action }
    return changeFeed(this.#deps, id, event, (feed) => {
      const others = feed.userIds.filter((other) => other !== userId)
      const isLed = feed.team?.managerId === userId
      const isWithout = others.length === feed.userIds.length && !isLed
      if (feed.closedBecause === anotherPerson || isWithout) return null
      if (others.length > 0 && !isLed) return { ...feed, userIds: others }
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

export interface ConfirmingDeps extends Pick<PeopleDeps, 'newcomers' | 'connections'> {
  readonly identities: Identities
  readonly departures: DepartureWatch
  readonly trusts: ReadonlyMap<string, CompanyTrust>
}

/**
 * Settles an id on hold: the same person continues under the new name and address, another one begins again. Where a changed
 * credential is in doubt, a person who is the same settles that, too. `not_found` where the id is not on hold; `invalid` for an
 * unknown company, or where it is on hold in several and none is given.
 */
export async function confirmPerson(
  deps: ConfirmingDeps,
  asked: {
    readonly userId: string
    readonly companyId?: string | undefined
    readonly isSame: boolean
  },
  by: Actor,
): Promise<{ userId: string; companyId: string; person: 'same' | 'other' }> {
  const { newcomers, identities, departures, trusts, connections } = deps
  const { userId, isSame } = asked
  const companyId = await companyOf(deps, userId, asked.companyId)
  const person = { companyId, userId }
  const answer = isSame ? 'same' : 'other'
  await identities.note(person, 'person_confirmed', by, answer)
  if (isSame) {
    await newcomers.settleNewcomer(person, 'same')
    await trusts.get(companyId)?.trust()
  } else {
    await identities.replace(person, by)
  }
  const connection = connections.get(companyId)
  // If there is no answer now, the person is read later.
  const read = connection && (await readPerson(connection, userId, { bypassCache: true }))
  if (read) await noteAnswer(departures, companyId, userId, read)
  return { ...person, person: answer }
}

async function companyOf(
  { connections, newcomers, trusts }: ConfirmingDeps,
  userId: string,
  wanted: string | undefined,
): Promise<string> {
  const known = [...connections.keys()]
  if (wanted !== undefined && !known.includes(wanted)) throw wrongCompany(noCompany(wanted, known))
  const held: string[] = []
  for (const id of wanted === undefined ? known : [wanted]) {
    const isNewcomer = (await newcomers.findNewcomer(id, userId)) !== undefined
    const trust = isNewcomer ? undefined : await trusts.get(id)?.find()
    const isDoubted =
      trust?.is === 'doubted' && [...trust.others, ...trust.missing].includes(userId)
    if (isNewcomer || isDoubted) held.push(id)
  }
  const [companyId, ...others] = held
  if (others.length > 0) {
    const ids = held.join(', ')
    throw wrongCompany(`Must be one of ${ids}, since "${userId}" is held in each of them.`)
  }
  if (companyId !== undefined) return companyId
  const where = wanted === undefined ? '' : ` in ${wanted}`
  const message = `There is nothing to confirm: no calendar is held back because of the id "${userId}"${where}.`
  throw new AppError('not_found', message)
}

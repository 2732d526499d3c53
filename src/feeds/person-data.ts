import { z } from 'zod'

import { personalKeys } from '../copies/kinds.ts'
import {
  auditActions,
  type AuditEntry,
  type AuditStore,
  saveAuditEvent,
} from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import { collectionKey, collectionOf } from '../domain/copy.ts'
import type { Departure, DepartureStore } from '../domain/departure.ts'
import type { ErasedPerson } from '../domain/erasure.ts'
import { audiences } from '../domain/feed-options.ts'
import { anotherPerson, type Feed, locales } from '../domain/feed.ts'
import type { LeaveClaim, LeaveProofStore } from '../domain/leave.ts'
import type { LinkStore } from '../domain/link.ts'
import type { ClaimOfPerson, PersonDataStore } from '../domain/person-data.ts'
import type { Newcomer, NewcomerStore, PeopleStore, Person } from '../domain/person.ts'
import type { Task } from '../domain/task.ts'
import { type ErasureDeps, findPerson, findTasksNaming, nothingKept } from '../people/erasure.ts'
import type { FeedListing } from './feed-listing.ts'
import {
  type Answer,
  countSchema,
  feedDetailsSchema,
  instantSchema,
  toIso,
  toIsoOrNull,
} from './feed-view.ts'

const recordSchema = z.looseObject({ id: z.string() })

export const personDataSchema = z
  .strictObject({
    userId: z.string(),
    companyId: z.string(),
    person: z
      .strictObject({
        firstName: z.string().nullable(),
        lastName: z.string().nullable(),
        email: z.string().nullable(),
        managerId: z.string().nullable(),
        state: z.string(),
        managerMissingSince: instantSchema
          .nullable()
          .describe('Since when the Read API no longer names a manager'),
        seenAt: instantSchema,
        readAt: instantSchema.nullable(),
        known: z
          .strictObject({ name: z.string(), mail: z.string() })
          .describe('What tells them apart from somebody else with the same id'),
      })
      .nullable()
      .describe('Their entry in the people directory'),
    reports: countSchema.describe('How many people have them as their manager'),
    departure: z
      .strictObject({
        because: z.string(),
        since: instantSchema,
        readAt: instantSchema,
        leftAt: instantSchema.nullable(),
        wasHere: z.boolean(),
        isHeldBack: z.boolean(),
        isCleared: z.boolean(),
      })
      .nullable(),
    hold: z
      .strictObject({
        since: instantSchema,
        readAt: instantSchema,
        confirmedAt: instantSchema.nullable(),
      })
      .nullable()
      .describe('Set while the id may be another person’s'),
    feeds: z
      .array(
        feedDetailsSchema.extend({
          namedAfter: z.string().nullable(),
          closedAt: instantSchema.nullable(),
          purgedAt: instantSchema.nullable(),
          shown: z.array(z.string()).describe('Projects, invoices and leave it has shown'),
          publishedAt: z
            .record(z.string(), instantSchema)
            .describe('When the calendar of each link last changed'),
        }),
      )
      .describe('Feeds of this person alone'),
    sharedFeeds: z
      .array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          audience: z.enum(audiences),
          timezone: z.string(),
          locale: z.enum(locales),
          people: countSchema,
          createdAt: instantSchema,
          revokedAt: instantSchema.nullable(),
          closedBecause: z.string().nullable(),
          leaveShown: z.boolean().describe('Whether it is noted that it has shown their leave'),
        }),
      )
      .describe('Feeds of teams and of several people; the others are not named'),
    records: z
      .array(
        z.strictObject({
          kind: z.string(),
          readAt: instantSchema,
          doubtedSince: instantSchema.nullable(),
          data: z.array(recordSchema),
          leftOut: countSchema.describe('Leaves that may be somebody else’s'),
        }),
      )
      .describe('Copies of records about them'),
    leaveClaims: z
      .array(
        z.strictObject({
          leaveId: z.string().nullable().describe('null: it may be somebody else’s'),
          isOwner: z.boolean(),
          isDisputed: z.boolean(),
          isGone: z.boolean(),
          since: instantSchema,
          absentSince: instantSchema.nullable(),
        }),
      )
      .describe('Leaves that came when the Read API was asked for this person'),
    tasks: z
      .array(recordSchema)
      .describe('Copies of tasks that name them; otherAssignees counts the others'),
    signIns: z.array(z.strictObject({ createdAt: instantSchema, endsAt: instantSchema })),
    lostLinks: z.array(instantSchema).describe('When somebody asked for a mail with a lost link'),
    examinations: z
      .array(z.strictObject({ examinedAt: instantSchema, checks: z.array(z.string()) }))
      .describe('Checks with findings that name the person'),
    audit: z
      .array(
        z.strictObject({
          at: instantSchema,
          action: z.enum(auditActions),
          by: z
            .string()
            .describe(
              'themselves, person (another one), staff, token, admin, holder, command-line or bridge',
            ),
          feedId: z.string().nullable(),
          label: z.string().nullable(),
        }),
      )
      .describe('Entries of the audit log about them or by them; others are not named'),
  })
  .describe('Everything kept about one person; no secrets and no hashes')

export type PersonData = Answer<typeof personDataSchema>

export interface PersonDataDeps extends ErasureDeps {
  readonly people: Pick<PeopleStore, 'findPerson'>
  readonly departed: Pick<DepartureStore, 'findDeparture'>
  readonly newcomers: Pick<NewcomerStore, 'findNewcomer'>
  readonly proofs: Pick<LeaveProofStore, 'findClaims'>
  readonly personData: PersonDataStore
  readonly links: Pick<LinkStore, 'listLinks'>
  readonly audit: AuditStore
}

/**
 * Everything that `erasePerson` would remove, without secrets and what may be other people's data; noted in the audit log.
 * Fails like `erasePerson`, and with `not_found` for somebody who has been erased.
 */
export async function exportPerson(
  deps: PersonDataDeps,
  listing: FeedListing,
  input: Parameters<typeof findPerson>[1],
  by: Actor,
): Promise<PersonData> {
  const { person } = await findPerson(deps, input, by)
  const { userId, companyId } = person
  const data = await collect(deps, listing, person)
  if (isEmpty(data)) throw nothingKept(person)
  const about = { companyId, userIds: [userId] }
  await saveAuditEvent(deps, { actor: by.actor, action: 'person_exported' }, about)
  return { userId, companyId, ...data }
}

type Collected = Omit<PersonData, 'userId' | 'companyId'>

function isEmpty(data: Collected): boolean {
  return Object.values(data).every((it) => (Array.isArray(it) ? it.length === 0 : !it))
}

async function collect(
  deps: PersonDataDeps,
  listing: FeedListing,
  person: ErasedPerson,
): Promise<Collected> {
  const { people, departed, newcomers, personData, erasure } = deps
  const { userId, companyId } = person
  const all = await erasure.listFeedsOf(person)
  const ofAnother = all.filter(({ closedBecause }) => closedBecause === anotherPerson)
  const feeds = all.filter((feed) => !ofAnother.includes(feed))
  // The links of a team with one member belong to its readers.
  const isAlone = ({ team, userIds }: Feed): boolean =>
    team === null && userIds.every((id) => id === userId)
  const shared = feeds.filter((feed) => !isAlone(feed))
  const kept = await personData.findKept(person)
  const found = await people.findPerson(companyId, userId)
  const departure = await departed.findDeparture(companyId, userId)
  const newcomer = await newcomers.findNewcomer(companyId, userId)
  // Anything else in the database may be of another company's person with the same id.
  const own = new Set([...kept.connectionIds, deps.connections.get(companyId)?.id])
  const isOwn = ({ connectionId }: { readonly connectionId: string }): boolean =>
    own.has(connectionId)
  const connectionIds = (await erasure.listConnections(person)).filter((it) => own.has(it))
  const tasks = (await findTasksNaming(deps, person)).filter(isOwn)
  const claims = (await personData.listClaimsOf(person)).filter(isOwn)
  return {
    person: found ? viewPerson(found) : null,
    reports: kept.reports,
    departure: departure ? viewDeparture(departure) : null,
    hold: newcomer ? viewHold(newcomer) : null,
    feeds: await viewFeeds(deps, listing, feeds.filter(isAlone)),
    sharedFeeds: shared.map((feed) => viewShared(feed, userId)),
    records: await listRecords(deps, person, connectionIds),
    leaveClaims: await listClaims(deps, person, claims),
    tasks: tasks.flatMap(({ copy }) => copy.records.flatMap((task) => ownPart(task, userId))),
    signIns: kept.signIns.map(({ createdAt, endsAt }) => ({
      createdAt: toIso(createdAt),
      endsAt: toIso(endsAt),
    })),
    lostLinks: kept.lostLinks.map(toIso),
    examinations: kept.examinations.map((it) => ({ ...it, examinedAt: toIso(it.examinedAt) })),
    audit: await listAudit(deps, person, { acts: kept.acts, shared, ofAnother }),
  }
}

function viewPerson(known: Person): PersonData['person'] {
  const { userId: _, managerMissingSince, seenAt, readAt, ...person } = known
  return {
    ...person,
    managerMissingSince: toIsoOrNull(managerMissingSince),
    seenAt: toIso(seenAt),
    readAt: toIsoOrNull(readAt),
  }
}

function viewDeparture({
  companyId: _,
  userId: __,
  since,
  readAt,
  leftAt,
  ...departure
}: Departure): PersonData['departure'] {
  const times = { since: toIso(since), readAt: toIso(readAt), leftAt: toIsoOrNull(leftAt) }
  return { ...departure, ...times }
}

function viewHold({ since, readAt, confirmedAt }: Newcomer): PersonData['hold'] {
  return { since: toIso(since), readAt: toIso(readAt), confirmedAt: toIsoOrNull(confirmedAt) }
}

async function viewFeeds(
  { links }: PersonDataDeps,
  listing: FeedListing,
  feeds: readonly Feed[],
): Promise<PersonData['feeds']> {
  const views: PersonData['feeds'][number][] = []
  for (const { id, namedAfter, closedAt, purgedAt, shownCollections } of feeds) {
    const published = (await links.listLinks([id])).flatMap(({ label, publication }) =>
      publication ? [[label, toIso(publication.lastModified)] as const] : [],
    )
    views.push({
      ...(await listing.show(id)),
      namedAfter,
      closedAt: toIsoOrNull(closedAt),
      purgedAt: toIsoOrNull(purgedAt),
      shown: shownCollections,
      publishedAt: Object.fromEntries(published),
    })
  }
  return views
}

function viewShared(feed: Feed, userId: string): PersonData['sharedFeeds'][number] {
  const { id, name, audience, timezone, locale, userIds, closedBecause } = feed
  const times = { createdAt: toIso(feed.createdAt), revokedAt: toIsoOrNull(feed.revokedAt) }
  const known = { id, name, audience, timezone, locale, people: userIds.length, closedBecause }
  const leaves = collectionKey({ kind: 'leaves', subject: userId })
  return { ...known, ...times, leaveShown: feed.shownCollections.includes(leaves) }
}

async function listRecords(
  { copies, proofs }: PersonDataDeps,
  person: ErasedPerson,
  connectionIds: readonly string[],
): Promise<PersonData['records']> {
  const found: PersonData['records'][number][] = []
  for (const connectionId of connectionIds) {
    for (const key of personalKeys(person.userId)) {
      const copy = await copies.findCopy(connectionId, key)
      if (!copy) continue
      const { kind } = collectionOf(key)
      const ids = copy.records.map(({ id }) => id)
      const claims = kind === 'leaves' ? await proofs.findClaims(connectionId, ids) : []
      const isTheirs = ownedBy(person.userId, claims)
      const theirs = copy.records.filter(({ id }) => isTheirs(id))
      found.push({
        kind,
        readAt: toIso(copy.fetchedAt),
        doubtedSince: toIsoOrNull(copy.doubt?.since ?? null),
        data: theirs.map(readable),
        leftOut: ids.length - theirs.length,
      })
    }
  }
  return found
}

/** Whether a leave is certainly that person's: it came for nobody else, or they own it. */
function ownedBy(userId: string, claims: readonly LeaveClaim[]): (leaveId: string) => boolean {
  const byLeave = Map.groupBy(claims, ({ leaveId }) => leaveId)
  const isOwn = (claim: LeaveClaim): boolean => claim.userId === userId
  return (leaveId) => {
    const all = byLeave.get(leaveId) ?? []
    return all.every(isOwn) || all.some((claim) => isOwn(claim) && claim.isOwner)
  }
}

async function listClaims(
  { proofs }: PersonDataDeps,
  person: ErasedPerson,
  claims: readonly ClaimOfPerson[],
): Promise<PersonData['leaveClaims']> {
  const byConnection = Map.groupBy(claims, ({ connectionId }) => connectionId)
  const found: PersonData['leaveClaims'][number][] = []
  for (const [connectionId, own] of byConnection) {
    const disputed = own.filter(({ isDisputed }) => isDisputed).map(({ leaveId }) => leaveId)
    const isTheirs = ownedBy(person.userId, await proofs.findClaims(connectionId, disputed))
    for (const { leaveId, isOwner, isDisputed, isGone, since, absentSince } of own) {
      const times = { since: toIso(since), absentSince: toIsoOrNull(absentSince) }
      const named = isTheirs(leaveId) ? leaveId : null
      found.push({ leaveId: named, isOwner, isDisputed, isGone, ...times })
    }
  }
  return found
}

/** A task without its other assignees; nothing if the person is none of them. */
function ownPart(task: Task, userId: string): PersonData['tasks'] {
  const { assignees, ...rest } = task
  const own = assignees?.filter(({ id }) => id === userId) ?? []
  if (own.length === 0) return []
  const otherAssignees = (assignees?.length ?? 0) - own.length
  const part = { ...rest, assignees: own, otherAssignees }
  return [readable(part)]
}

const instants: ReadonlySet<string> = new Set([
  'startDate',
  'endDate',
  'periodStart',
  'periodEnd',
  'dueDate',
])

/** Writes instants as text. */
function readable(record: { readonly id: string }): z.output<typeof recordSchema> {
  const entries = Object.entries(record).map(([name, value]: [string, unknown]) => [
    name,
    instants.has(name) && typeof value === 'number' ? toIso(value) : value,
  ])
  return { ...Object.fromEntries(entries), id: record.id }
}

const entriesAtOnce = 1000

interface AuditOf {
  /** Ids of the entries of what they did. */
  readonly acts: readonly AuditEntry[]
  readonly shared: readonly Feed[]
  /** Feeds from when the id was another person's. */
  readonly ofAnother: readonly Feed[]
}

async function listAudit(
  { audit }: PersonDataDeps,
  { userId, companyId }: ErasedPerson,
  { acts, shared, ofAnother }: AuditOf,
): Promise<PersonData['audit']> {
  const found = new Map(acts.map((entry) => [entry.id, entry]))
  for (let after: AuditEntry | undefined; ;) {
    const page = await audit.listEntries({ companyId, userId, after, limit: entriesAtOnce })
    for (const entry of page) found.set(entry.id, entry)
    if (page.length < entriesAtOnce) break
    after = page.at(-1)
  }
  const own = new Set(acts.map(({ id }) => id))
  const ofOthers = new Set<string | null>(shared.map(({ id }) => id))
  const isTheirs = ({ userIds, feedId }: AuditEntry): boolean =>
    userIds.length > 0 && userIds.every((it) => it === userId) && !ofOthers.has(feedId)
  const before = new Set<string | null>(ofAnother.map(({ id }) => id))
  return [...found.values()]
    .filter(({ feedId }) => !before.has(feedId))
    .toSorted((a, b) => a.at - b.at)
    .map((entry) => ({
      at: toIso(entry.at),
      action: entry.action,
      by: own.has(entry.id) ? 'themselves' : (entry.actor.split(':')[0] ?? ''),
      feedId: entry.userIds.includes(userId) ? entry.feedId : null,
      label: isTheirs(entry) ? entry.label : null,
    }))
}

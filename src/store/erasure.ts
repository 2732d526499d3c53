import { sql } from 'kysely'

import { patienceMs } from '../database/sqlite-connection.ts'
import { collectionKey, keyPrefix } from '../domain/copy.ts'
import type { ErasedPerson, ErasureStore, NamedFeed } from '../domain/erasure.ts'
import { AppError } from '../domain/errors.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { note } from './audit.ts'
import { claimsTurn } from './claims.ts'
import { deleteCopies } from './copies.ts'
import { changeShown, type ChangedFeeds, lockFeed } from './feeds.ts'
import { directoryTurn, erasureMark, findErased, keepingOf } from './people.ts'
import { isNoneOf, names, personTables, staffActorOf } from './person-data.ts'
import {
  feedColumns,
  feedOf,
  feedsWith,
  type FeedWithDefaultsRow,
  holds,
  idsIn,
  readRow,
} from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

/** Erases a person from every table; rows of other companies stay. */
export function erasureStore(database: StoreDatabase, changed: ChangedFeeds): ErasureStore {
  const { dialect, queries, takeTurn } = database
  return {
    async listCompaniesOf(userId, copyKeys, connectionIds) {
      const { rows } = await sql<{ companyId: string }>`
        select feeds.company_id from feed_users
          join feeds on feeds.id = feed_users.feed_id where feed_users.user_id = ${userId}
        union select company_id from feeds where team_manager_id = ${userId}
        union select company_id from people where user_id = ${userId} or manager_id = ${userId}
        union select company_id from departures where user_id = ${userId}`.execute(queries)
      const found = new Set(rows.map(({ companyId }) => companyId))
      const connected = await findConnections(queries, userId, copyKeys)
      for (const [companyId, connectionId] of connectionIds) {
        const erased = await findErased(queries, companyId, [userId])
        if (connected.has(connectionId) || erased.size > 0) found.add(companyId)
      }
      return [...found].toSorted()
    },
    listFeedsOf: async (person) => (await listFeeds(queries, person)).map(feedOf),
    async countCopies({ copyKeys, otherConnectionIds }) {
      const { copies } = await queries
        .selectFrom('copies')
        .select(({ fn }) => fn.countAll<number>().as('copies'))
        .where('key', 'in', copyKeys)
        .where(isNoneOf(otherConnectionIds))
        .executeTakeFirstOrThrow()
      return copies
    },
    deletePerson(person, auditEvent) {
      const { userId, companyId, copyKeys, otherConnectionIds } = person
      const touched: NamedFeed[] = []
      const erasing = queries.transaction().execute(async (steps) => {
        // A reading in progress could write claims again: take the turn of each connection first.
        const owners = steps.selectFrom('leaveOwners').select('connectionId').distinct()
        for (const { connectionId } of await owners.orderBy('connectionId').execute()) {
          await takeTurn(steps, claimsTurn(connectionId))
        }
        await takeTurn(steps, keepingOf(userId))
        await takeTurn(steps, directoryTurn)
        const feeds = await eraseFromFeeds(steps, person)
        touched.push(...feeds.removed, ...feeds.changed)
        const copies = await deleteCopies(database, steps, (of) =>
          of.and([of('key', 'in', copyKeys), isNoneOf(otherConnectionIds)]),
        )
        await deleteClaims(steps, person)
        // A person who erases themselves is not named either.
        await note(steps, auditEvent, [{ companyId, feedId: null, userIds: [], label: null }])
        await eraseFromAudit(steps, person)
        // Before the directory forgets the address of the staff account.
        await eraseStaff(steps, person)
        for (const table of personTables) {
          const rows = steps.deleteFrom(table).where('userId', '=', userId)
          await rows.where('companyId', '=', companyId).execute()
        }
        await steps
          .updateTable('people')
          .set({ managerId: null, managerMissingSince: null })
          .where((of) => of.and({ companyId, managerId: userId }))
          .execute()
        // Prevents the person from being added again.
        await steps
          .insertInto('erasedPeople')
          .values({ mark: erasureMark(companyId, userId) })
          .onConflict((kept) => kept.doNothing())
          .execute()
        await deleteExaminationsNaming(steps, person)
        return { ...feeds, copies }
      })
      return erasing.finally(() => {
        for (const { id } of touched) changed.tell(id)
      })
    },
    async listConnections({ userId, copyKeys, otherConnectionIds }) {
      const found = await findConnections(queries, userId, copyKeys)
      return [...found.difference(new Set(otherConnectionIds))]
    },
    listTaskCopies: ({ otherConnectionIds }) =>
      queries
        .selectFrom('copies')
        .select(['connectionId', 'key'])
        .where('key', 'like', `${keyPrefix('tasks')}%`)
        .where(isNoneOf(otherConnectionIds))
        .execute(),
    listBackups: () => database.listBackups(),
    async forgetDeleted() {
      if (dialect === 'postgres') return
      await sql`vacuum`.execute(queries)
      if (await database.emptyLog(patienceMs)) return
      const message = 'The database is in use, so deleted bytes remain; erase again.'
      throw new AppError('unavailable', message)
    },
  }
}

/** A leave with a single claim left is no longer contested. */
async function deleteClaims(
  queries: Queries,
  { userId, otherConnectionIds }: ErasedPerson,
): Promise<void> {
  await queries
    .deleteFrom('leaveOwners')
    .where('userId', '=', userId)
    .where(isNoneOf(otherConnectionIds))
    .execute()
  await sql`
    update leave_owners set contested = 0 where contested = 1 and not exists (
      select 1 from leave_owners as other
      where other.connection_id = leave_owners.connection_id
        and other.leave_id = leave_owners.leave_id and other.user_id <> leave_owners.user_id)
  `.execute(queries)
}

/** Connections of any company with one of these copies, or with a claim of that id. */
async function findConnections(
  queries: Queries,
  userId: string,
  copyKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ connectionId: string }>`
    select connection_id from copies where key in (${sql.join(copyKeys)})
    union select connection_id from leave_owners where user_id = ${userId}
  `.execute(queries)
  return new Set(rows.map(({ connectionId }) => connectionId))
}

/** Removes examinations with findings that name the person; the next one replaces them. */
async function deleteExaminationsNaming(
  queries: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<void> {
  const rows = await queries
    .selectFrom('examinations')
    .select(['connectionId', 'findings'])
    .where('companyId', '=', companyId)
    .execute()
  for (const { connectionId, findings } of rows) {
    if (!names(findings, userId)) continue
    const examination = queries.deleteFrom('examinations')
    await examination.where('connectionId', '=', connectionId).execute()
  }
}

/**
 * Removes the feeds of the person alone and of their team with everything in them, and the person from other feeds. Concurrent changes wait,
 * or find the feed changed.
 */
async function eraseFromFeeds(
  queries: Queries,
  person: PersonInCompany,
): Promise<Readonly<Record<'removed' | 'changed', readonly NamedFeed[]>>> {
  const { companyId, userId } = person
  const removed: NamedFeed[] = []
  const changed: NamedFeed[] = []
  for (const { id } of await listFeeds(queries, person)) await lockFeed(queries, id)
  for (const feed of await listFeeds(queries, person)) {
    const { id, name, revision } = feed
    const users = queries.selectFrom('feedUsers').select('userId').where('feedId', '=', id)
    const isAlone =
      feed.teamManagerId === null
        ? !(await users.where('userId', '<>', person.userId).executeTakeFirst())
        : feed.teamManagerId === person.userId
    if (isAlone) {
      removed.push({ id, name })
      await queries.deleteFrom('feeds').where('id', '=', id).execute()
      // Idempotency keys are stored with a hash of the request, which contains the id.
      await queries
        .deleteFrom('creations')
        .where(holds(sql.ref('feedIds'), id))
        .execute()
      continue
    }
    changed.push({ id, name })
    const userIds = JSON.stringify(othersIn(`the feed ${id}`, feed.userIds, person))
    const left = { userIds, revision: revision + 1 }
    await queries.updateTable('feeds').set(left).where('id', '=', id).execute()
    const members = queries.deleteFrom('feedUsers').where('feedId', '=', id)
    await members.where('userId', '=', person.userId).execute()
  }
  const key = JSON.stringify(collectionKey({ kind: 'leaves', subject: userId }))
  const noted = queries.selectFrom('feeds').select('id').where('companyId', '=', companyId)
  for (const { id } of await noted.where(holds(sql.ref('shown'), key)).execute()) {
    await lockFeed(queries, id)
    await changeShown(queries, id, { keys: [], leaves: false })
  }
  return { removed, changed }
}

function listFeeds(
  queries: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<readonly FeedWithDefaultsRow[]> {
  const ofTeam = queries.selectFrom('feeds').select(feedColumns)
  return feedsWith(queries, userId)
    .where('feeds.companyId', '=', companyId)
    .union(ofTeam.where((feeds) => feeds.and({ companyId, teamManagerId: userId })))
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
}

function othersIn(what: string, userIds: string, { userId }: PersonInCompany): readonly string[] {
  return readRow(what, () => idsIn(userIds).filter((other) => other !== userId))
}

/** Removes the person from audit entries about them and by them, and labels of links to feeds of theirs alone. */
async function eraseFromAudit(queries: Queries, person: PersonInCompany): Promise<void> {
  const { companyId, userId } = person
  await queries
    .updateTable('audit')
    .set({ actor: 'person:erased' })
    .where((of) => of.and({ companyId, actor: `person:${userId}` }))
    .execute()
  const rows = await queries
    .selectFrom('audit')
    .select(['id', 'userIds', 'label'])
    .where('companyId', '=', companyId)
    .where(holds(sql.ref('userIds'), JSON.stringify(userId)))
    .execute()
  for (const { id, label, ...row } of rows) {
    const others = othersIn('an entry of the audit', row.userIds, person)
    const userIds = JSON.stringify(others)
    if (userIds === row.userIds) continue
    const left = { userIds, label: others.length === 0 ? null : label }
    await queries.updateTable('audit').set(left).where('id', '=', id).execute()
  }
}

/** Not if others share the address; only for the company if requested. */
async function eraseStaff(queries: Queries, person: ErasedPerson): Promise<void> {
  const { companyId, isStaffAnywhere } = person
  const actor = await staffActorOf(queries, person)
  if (actor === null) return
  const done = queries
    .updateTable('audit')
    .set({ actor: 'staff:erased' })
    .where('actor', '=', actor)
  await (isStaffAnywhere ? done : done.where('companyId', '=', companyId)).execute()
  if (!isStaffAnywhere) return
  await queries.deleteFrom('sessions').where('staffActor', '=', actor).execute()
}

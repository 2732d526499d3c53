import { type Kysely, type RawBuilder, sql, type SqlBool, type Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import { patienceMs } from '../database/sqlite-connection.ts'
import type { AuditEvent } from '../domain/access/audit-entry.ts'
import { type CopyName, keyPrefix } from '../domain/copy.ts'
import type { ErasedPerson, ErasureStore, TakenAway, NamedFeed } from '../domain/erasure.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { PersonInCompany } from '../domain/person.ts'
import { auditRow } from './audit.ts'
import { claimsTurn } from './claims/claims.ts'
import type { ChangedFeeds } from './feeds.ts'
import { takeTurn } from './links.ts'
import { keepingOf, directoryTurn, erasureMark, findErased } from './people.ts'
import { feedOf, feedsWith, readRow, holds, idsColumn } from './rows.ts'
import type { StoreTables, FeedRow, AuditRow } from './tables.ts'

/** Takes a person out of every table: of other companies' rows none is touched. */
export class SqlErasureStore implements ErasureStore {
  readonly #database: Database<StoreTables>
  readonly #changed: ChangedFeeds

  constructor(database: Database<StoreTables>, changed: ChangedFeeds) {
    this.#database = database
    this.#changed = changed
  }

  listCompaniesOf(
    userId: string,
    copyKeys: readonly string[],
    connectionIds: ReadonlyMap<string, string>,
  ): Promise<readonly string[]> {
    return findCompaniesOf(this.#queries, userId, copyKeys, connectionIds)
  }

  async listFeedsOf({ companyId, userId }: ErasedPerson): Promise<readonly Feed[]> {
    const rows = await feedsWith(this.#queries, userId)
      .where('feeds.company_id', '=', companyId)
      .orderBy('feeds.created_at')
      .orderBy('feeds.id')
      .execute()
    return rows.map(feedOf)
  }

  async countCopies({ copyKeys, otherConnectionIds }: ErasedPerson): Promise<number> {
    const { copies } = await this.#queries
      .selectFrom('copies')
      .select(({ fn }) => fn.countAll<number>().as('copies'))
      .where('key', 'in', copyKeys)
      .where(isNoneOf(otherConnectionIds))
      .executeTakeFirstOrThrow()
    return copies
  }

  async deletePerson(person: ErasedPerson, auditEvent?: AuditEvent): Promise<TakenAway> {
    const { userId, companyId, copyKeys, otherConnectionIds } = person
    const touched: string[] = []
    const erasing = this.#queries.transaction().execute(async (transaction) => {
      await this.#takeTurnsOfClaims(transaction)
      await this.#database.takeTurn(transaction, keepingOf(userId))
      await this.#database.takeTurn(transaction, directoryTurn)
      const feeds = await eraseFromFeeds(transaction, person)
      touched.push(...[...feeds.removed, ...feeds.changed].map(({ id }) => id))
      const { numDeletedRows } = await transaction
        .deleteFrom('copies')
        .where('key', 'in', copyKeys)
        .where(isNoneOf(otherConnectionIds))
        .executeTakeFirst()
      await deleteClaims(transaction, person)
      for (const table of ['departures', 'newcomers'] as const) {
        await transaction
          .deleteFrom(table)
          .where('user_id', '=', userId)
          .where('company_id', '=', companyId)
          .execute()
      }
      // Whoever erases themselves is named no more, either.
      if (auditEvent) await noteErasure(transaction, auditEvent, companyId)
      await eraseFromAccess(transaction, person)
      await deleteFromDirectory(transaction, person)
      await deleteExaminationsNaming(transaction, person)
      return { ...feeds, copies: Number(numDeletedRows) }
    })
    return erasing.finally(() => {
      for (const id of touched) this.#changed.tell(id)
    })
  }

  async listConnections({
    userId,
    copyKeys,
    otherConnectionIds,
  }: ErasedPerson): Promise<readonly string[]> {
    const found = await findConnections(this.#queries, userId, copyKeys)
    return [...found].filter((id) => !otherConnectionIds.includes(id))
  }

  async listTaskCopies({ otherConnectionIds }: ErasedPerson): Promise<readonly CopyName[]> {
    return this.#queries
      .selectFrom('copies')
      .select(['connection_id as connectionId', 'key'])
      .where('key', 'like', `${keyPrefix('tasks')}%`)
      .where(isNoneOf(otherConnectionIds))
      .execute()
  }

  listBackups(): readonly string[] {
    return this.#database.listBackups()
  }

  async forgetDeleted(): Promise<void> {
    if (this.#database.dialect === 'postgres') return
    await sql`vacuum`.execute(this.#queries)
    if (await this.#database.emptyLog(patienceMs)) return
    throw new AppError(
      'unavailable',
      'The database is in use, so deleted bytes remain; erase again.',
    )
  }

  /** A reading that is being noted writes claims of others again: none is under way while a person's are taken out. */
  async #takeTurnsOfClaims(transaction: Transaction<StoreTables>): Promise<void> {
    const rows = await transaction
      .selectFrom('leave_owners')
      .select('connection_id')
      .distinct()
      .orderBy('connection_id')
      .execute()
    for (const row of rows) {
      await this.#database.takeTurn(transaction, claimsTurn(row.connection_id))
    }
  }

  get #queries(): Kysely<StoreTables> {
    return this.#database.queries
  }
}

async function noteErasure(
  transaction: Transaction<StoreTables>,
  auditEvent: AuditEvent,
  companyId: string,
): Promise<void> {
  const row = auditRow(auditEvent, { companyId, feedId: null, userIds: [], label: null })
  await transaction.insertInto('audit').values(row).execute()
}

/** What belongs to a connection that no company has any longer goes, too. */
function isNoneOf(connectionIds: readonly string[]): RawBuilder<SqlBool> {
  if (connectionIds.length === 0) return sql<SqlBool>`1 = 1`
  return sql<SqlBool>`connection_id not in (${sql.join(connectionIds)})`
}

/** The mark keeps them from being seen again. */
async function deleteFromDirectory(
  people: Transaction<StoreTables>,
  { companyId, userId }: ErasedPerson,
): Promise<void> {
  await people
    .deleteFrom('people')
    .where('company_id', '=', companyId)
    .where('user_id', '=', userId)
    .execute()
  await people
    .updateTable('people')
    .set({ manager_id: null })
    .where('company_id', '=', companyId)
    .where('manager_id', '=', userId)
    .execute()
  await people
    .insertInto('erased_people')
    .values({ mark: erasureMark(companyId, userId) })
    .onConflict((kept) => kept.doNothing())
    .execute()
}

/** A leave that only one person claims any longer is contested no more. */
async function deleteClaims(
  claims: Transaction<StoreTables>,
  { userId, otherConnectionIds }: ErasedPerson,
): Promise<void> {
  await claims
    .deleteFrom('leave_owners')
    .where('user_id', '=', userId)
    .where(isNoneOf(otherConnectionIds))
    .execute()
  await sql`
    update leave_owners set contested = 0 where contested = 1 and not exists (
      select 1 from leave_owners as other
      where other.connection_id = leave_owners.connection_id
        and other.leave_id = leave_owners.leave_id and other.user_id <> leave_owners.user_id)
  `.execute(claims)
}

/** The companies of which anything is kept of somebody with that id, or who have erased one, in order. */
async function findCompaniesOf(
  queries: Kysely<StoreTables>,
  userId: string,
  copyKeys: readonly string[],
  connectionIds: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const named = await findNamed(queries, userId)
  const connected = await findConnections(queries, userId, copyKeys)
  const found = new Set(named)
  for (const [companyId, connectionId] of connectionIds) {
    if (connected.has(connectionId)) found.add(companyId)
  }
  for (const companyId of connectionIds.keys()) {
    if ((await findErased(queries, companyId, [userId])).size > 0) found.add(companyId)
  }
  return [...found].toSorted()
}

async function findNamed(queries: Kysely<StoreTables>, userId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ company: string }>`
    select feeds.company_id as company from feed_users
      join feeds on feeds.id = feed_users.feed_id where feed_users.user_id = ${userId}
    union select company_id from people where user_id = ${userId} or manager_id = ${userId}
    union select company_id from departures where user_id = ${userId}
  `.execute(queries)
  return rows.map(({ company }) => company)
}

/** The connections, of whichever company, in which one of these copies or a claim of somebody with that id is kept. */
async function findConnections(
  queries: Kysely<StoreTables>,
  userId: string,
  copyKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ connection: string }>`
    select connection_id as connection from copies where key in (${sql.join(copyKeys)})
    union select connection_id from leave_owners where user_id = ${userId}
  `.execute(queries)
  return new Set(rows.map(({ connection }) => connection))
}

/** Removes the company's examinations whose findings name that person: whom a filter was tried by. The next one finds again. */
async function deleteExaminationsNaming(
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<void> {
  const rows = await transaction
    .selectFrom('examinations')
    .select(['connection_id', 'findings'])
    .where('company_id', '=', companyId)
    .execute()
  for (const row of rows.filter(({ findings }) => names(findings, userId))) {
    const examination = transaction.deleteFrom('examinations')
    await examination.where('connection_id', '=', row.connection_id).execute()
  }
}

/** Whether any text in the JSON has the id as a whole, and not only as part of another; what cannot be read may. */
function names(json: string, userId: string): boolean {
  const whole = wholeId(userId)
  try {
    return textsIn(json).some((text) => whole.test(text))
  } catch {
    return true
  }
}

/** A letter, digit or underscore beside it goes on with it, and so does a hyphen or dot between two of these. */
function wholeId(userId: string): RegExp {
  const part = String.raw`[\p{L}\p{N}_]`
  return new RegExp(`(?<!${part}[-.]?)${RegExp.escape(userId)}(?![-.]?${part})`, 'u')
}

function textsIn(json: string): readonly string[] {
  const texts: string[] = []
  JSON.parse(json, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts
}

/* Takes a person out of feeds; anyone who changes one of them meanwhile waits, or finds it changed. */

/** The person's feeds, by what has become of them. */
interface FeedsOfPerson {
  readonly removed: readonly NamedFeed[]
  readonly changed: readonly NamedFeed[]
}

type Queries = Transaction<StoreTables>

/** Removes the feeds of that person alone with all that belongs to them, and takes the person out of those of others too. */
async function eraseFromFeeds(
  transaction: Queries,
  person: PersonInCompany,
): Promise<FeedsOfPerson> {
  const removed: NamedFeed[] = []
  const changed: NamedFeed[] = []
  const found = await feedsOf(transaction, person)
  for (const { id } of found) await takeTurn(transaction, id)
  for (const feed of await feedsOf(transaction, person)) {
    const isOthersToo = await isAlsoOfOthers(transaction, feed, person)
    await (isOthersToo ? removeFrom(transaction, feed, person) : remove(transaction, feed))
    const named = { id: feed.id, name: feed.name }
    if (isOthersToo) changed.push(named)
    else removed.push(named)
  }
  return { removed, changed }
}

function feedsOf(
  queries: Queries,
  { companyId, userId }: PersonInCompany,
): Promise<readonly FeedRow[]> {
  const feeds = feedsWith(queries, userId).where('feeds.company_id', '=', companyId)
  return feeds.orderBy('feeds.created_at').orderBy('feeds.id').execute()
}

async function isAlsoOfOthers(
  queries: Queries,
  { id }: Pick<FeedRow, 'id'>,
  { userId }: PersonInCompany,
): Promise<boolean> {
  const users = queries.selectFrom('feed_users').select('user_id').where('feed_id', '=', id)
  return (await users.where('user_id', '<>', userId).limit(1).execute()).length > 0
}

async function remove(queries: Queries, { id }: Pick<FeedRow, 'id'>): Promise<void> {
  await queries.deleteFrom('feeds').where('id', '=', id).execute()
  // A creation is known by the hash of what was asked for, the person's id in it.
  await queries.deleteFrom('creations').where(holds('feed_ids', id)).execute()
}

async function removeFrom(
  queries: Queries,
  { id, user_ids: json, revision }: FeedRow,
  { userId }: PersonInCompany,
): Promise<void> {
  const userIds = readRow(`the feed ${id}`, () => idsColumn.parse(JSON.parse(json)))
  const others = userIds.filter((other) => other !== userId)
  const left = { user_ids: JSON.stringify(others), revision: revision + 1 }
  await queries.updateTable('feeds').set(left).where('id', '=', id).execute()
  const users = queries.deleteFrom('feed_users').where('feed_id', '=', id)
  await users.where('user_id', '=', userId).execute()
}

type StaffErased = PersonInCompany & Pick<ErasedPerson, 'isStaffAnywhere'>

const erasedActor = 'person:erased'
const erasedStaff = 'staff:erased'

/**
 * Removes the person's sign-ins and lost links; what was done to them, and what they did, names them no longer. Comes before the
 * directory forgets by which address they were staff.
 */
async function eraseFromAccess(
  transaction: Transaction<StoreTables>,
  { companyId, userId, isStaffAnywhere }: StaffErased,
): Promise<void> {
  for (const table of ['sessions', 'lost_links'] as const) {
    await transaction
      .deleteFrom(table)
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .execute()
  }
  await eraseActor(transaction, { companyId, userId })
  await eraseStaff(transaction, { companyId, userId, isStaffAnywhere })
  for (const row of await findNaming(transaction, { companyId, userId })) {
    await eraseFromEntry(transaction, row, userId)
  }
}

async function eraseActor(
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<void> {
  await transaction
    .updateTable('audit')
    .set({ actor: erasedActor })
    .where('company_id', '=', companyId)
    .where('actor', '=', `person:${userId}`)
    .execute()
}

/** Not where others have that address, too; of the company alone where only that is asked for. */
async function eraseStaff(
  transaction: Transaction<StoreTables>,
  { companyId, userId, isStaffAnywhere }: StaffErased,
): Promise<void> {
  const people = transaction.selectFrom('people').select(['folded_email'])
  const own = people.where('company_id', '=', companyId).where('user_id', '=', userId)
  const { folded_email: mail } = (await own.executeTakeFirst()) ?? { folded_email: null }
  if (mail === null) return
  const known = await people.where('folded_email', '=', mail).execute()
  if (known.length > 1) return
  const actor = `staff:${mail}`
  const done = transaction.updateTable('audit').where('actor', '=', actor)
  const told = isStaffAnywhere ? done : done.where('company_id', '=', companyId)
  await told.set({ actor: erasedStaff }).execute()
  if (!isStaffAnywhere) return
  await transaction.deleteFrom('sessions').where('staff_actor', '=', actor).execute()
}

type NamingRow = Pick<AuditRow, 'id' | 'user_ids' | 'label'>

function findNaming(
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<readonly NamingRow[]> {
  return transaction
    .selectFrom('audit')
    .select(['id', 'user_ids', 'label'])
    .where('company_id', '=', companyId)
    .where(holds('user_ids', JSON.stringify(userId)))
    .execute()
}

/** Of a feed of that person alone the label of a link may name them, too. */
async function eraseFromEntry(
  transaction: Transaction<StoreTables>,
  { id, user_ids: json, label }: NamingRow,
  userId: string,
): Promise<void> {
  const userIds = readRow('an entry of the audit', () => idsColumn.parse(JSON.parse(json)))
  const others = userIds.filter((other) => other !== userId)
  if (others.length === userIds.length) return
  const left = { user_ids: JSON.stringify(others), label: others.length === 0 ? null : label }
  await transaction.updateTable('audit').set(left).where('id', '=', id).execute()
}

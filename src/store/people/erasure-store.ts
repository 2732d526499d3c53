import { type Kysely, type RawBuilder, sql, type SqlBool, type Transaction } from 'kysely'

import type { Database } from '../../database/database.ts'
import { patienceMs } from '../../database/once-free.ts'
import type { Deed } from '../../domain/access/audit-entry.ts'
import { type CopyName, keyPrefix } from '../../domain/copy.ts'
import { AppError } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import type { ErasedPerson, ErasureStore, TakenAway } from '../../domain/people/erasure.ts'
import { auditRow } from '../access/deeds.ts'
import { eraseFromAccess } from '../access/person-erasure.ts'
import type { ChangedFeeds } from '../changed-feeds.ts'
import { claimsTurn } from '../claims/claims.ts'
import { feedOf, feedsWith } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import { findCompaniesOf, findConnections } from './companies-of-person.ts'
import { deleteExaminationsNaming } from './examinations-naming.ts'
import { eraseFromFeeds } from './feeds-of-person.ts'
import { keepingOf } from './holding-people.ts'
import { directoryTurn } from './people-store.ts'
import { erasureMark } from './person-rows.ts'

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

  async deletePerson(person: ErasedPerson, deed?: Deed): Promise<TakenAway> {
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
      if (deed) await noteErasure(transaction, deed, companyId)
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

  /** A reading that is being noted writes claims of others anew: none is under way while a person's are taken out. */
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
  deed: Deed,
  companyId: string,
): Promise<void> {
  const row = auditRow(deed, { companyId, feedId: null, userIds: [], label: null })
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

import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely'

import type { Database } from '../../database/database.ts'
import type {
  DepartedMember,
  Departure,
  DepartureHearing,
  DepartureShare,
  DepartureStore,
} from '../../domain/departure.ts'
import type { Feed } from '../../domain/feed.ts'
import { clockSkewMs, type Instant } from '../../domain/world.ts'
import { isInFeed } from '../feed-store.ts'
import { changeRow, feedOf, feedsWith, inParts } from '../rows.ts'
import type { DepartureRow, StoreTables } from '../tables.ts'
import { countRecentDepartures, countHeldBack } from './departure-counts.ts'
import { holdPersonInFeed } from './holding-people.ts'
import { listLeftInFeeds, listStaying, peopleInFeeds } from './people-in-feeds.ts'

const clearedAtOnce = 1000

/** People who have left or may have, one row each. */
export class SqlDepartureStore implements DepartureStore {
  readonly #database: Database<StoreTables>

  constructor(database: Database<StoreTables>) {
    this.#database = database
  }

  async findDeparture(companyId: string, userId: string): Promise<Departure | undefined> {
    const row = await this.#departures(companyId).where('user_id', '=', userId).executeTakeFirst()
    return row && departureOf(row)
  }

  async keepDeparture(departure: Departure): Promise<void> {
    const { companyId, userId, because, since, readAt } = departure
    const cleared = sql<number>`case when departures.because = excluded.because then departures.cleared else 0 end`
    const read = { because, since, read_at: readAt, cleared }
    await this.#queries.transaction().execute(async (transaction) => {
      if (!(await this.#holdKnownPerson(transaction, companyId, userId))) return
      await transaction
        .insertInto('departures')
        .values(departureRow(departure))
        .onConflict((known) => known.columns(['company_id', 'user_id']).doUpdateSet(read))
        .execute()
    })
  }

  async believeDeparture(departure: Departure, leftAt: Instant): Promise<boolean> {
    const before = this.#queries
      .updateTable('departures')
      .where('company_id', '=', departure.companyId)
      .where('user_id', '=', departure.userId)
      .where('held_back', '=', departure.isHeldBack ? 1 : 0)
    return changeRow(before.set({ left_at: leftAt, held_back: 0 }))
  }

  async listUndecided(companyId: string): Promise<readonly Departure[]> {
    const rows = await this.#departures(companyId)
      .where('left_at', 'is', null)
      .where('held_back', '=', 0)
      .where('cleared', '=', 0)
      .execute()
    return rows.map(departureOf)
  }

  decide(
    companyId: string,
    { since, now, judge }: DepartureHearing,
  ): Promise<{ readonly isHeldBack: boolean; readonly believed: readonly Departure[] }> {
    return this.#queries.transaction().execute(async (transaction) => {
      await this.#database.takeTurn(transaction, `departures of ${companyId}`)
      const verdict = judge(await countRecentDepartures(transaction, companyId, since))
      const open = transaction
        .updateTable('departures')
        .where('company_id', '=', companyId)
        .where('left_at', 'is', null)
        .where('held_back', '=', 0)
      if (verdict === 'hold back') {
        await open.set({ held_back: 1 }).where('since', '>=', since).execute()
        return { isHeldBack: true, believed: [] }
      }
      const believed: Departure[] = []
      for (const userIds of inParts(verdict.clear, clearedAtOnce)) {
        const cleared = open.set({ cleared: 1 }).where('user_id', 'in', userIds)
        await cleared.where('because', '=', 'user_missing').execute()
        const rows = await cleared
          .set({ left_at: now })
          .where('because', '=', 'user_inactive')
          .returningAll()
          .execute()
        believed.push(...rows.map(departureOf))
      }
      return { isHeldBack: false, believed }
    })
  }

  async forgetDeparture(companyId: string, userId: string): Promise<void> {
    await this.#queries
      .deleteFrom('departures')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .execute()
  }

  async listLeft(companyId: string, userIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.#departures(companyId)
      .where('user_id', 'in', userIds)
      .where('left_at', 'is not', null)
      .execute()
    return rows.map((row) => row.user_id)
  }

  async takeDepartureToRead(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<Departure | undefined> {
    const row = await this.#longestUnread(companyId, readBefore, now)
    if (!row) return undefined
    const unread = this.#queries
      .updateTable('departures')
      .where('company_id', '=', companyId)
      .where('user_id', '=', row.user_id)
      .where('read_at', '=', row.read_at)
    if (await changeRow(unread.set({ read_at: now }))) return departureOf({ ...row, read_at: now })
    // Another node has taken it: there may be a next one.
    return this.takeDepartureToRead(companyId, readBefore, now)
  }

  heldBackShare(companyId: string): Promise<DepartureShare> {
    return countHeldBack(this.#queries, companyId)
  }

  listLeftInFeeds(companyId: string, limit: number): Promise<readonly DepartedMember[]> {
    return listLeftInFeeds(this.#queries, companyId, limit)
  }

  isInFeed(companyId: string, userId: string): Promise<boolean> {
    return isInFeed(this.#queries, companyId, userId)
  }

  listStaying(companyId: string, limit: number): Promise<readonly string[]> {
    return listStaying(this.#queries, companyId, limit)
  }

  async listOwnFeeds(companyId: string, userId: string): Promise<readonly Feed[]> {
    const rows = await feedsWith(this.#queries, userId)
      .where('feeds.company_id', '=', companyId)
      .where('feeds.audience', '=', 'own')
      .where('feeds.revoked_at', 'is', null)
      .execute()
    return rows.map(feedOf)
  }

  get #queries(): Kysely<StoreTables> {
    return this.#database.queries
  }

  #departures(companyId: string): SelectQueryBuilder<StoreTables, 'departures', DepartureRow> {
    return this.#queries.selectFrom('departures').selectAll().where('company_id', '=', companyId)
  }

  /** Whether a feed or the directory has them, who then stay as they are until the transaction ends. */
  async #holdKnownPerson(
    transaction: Transaction<StoreTables>,
    companyId: string,
    userId: string,
  ): Promise<boolean> {
    if (await holdPersonInFeed(this.#database, transaction, { companyId, userId })) return true
    const person = await transaction
      .selectFrom('people')
      .select('user_id')
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return person !== undefined
  }

  #longestUnread(
    companyId: string,
    readBefore: Instant,
    now: Instant,
  ): Promise<DepartureRow | undefined> {
    return this.#departures(companyId)
      .where((row) =>
        row.or([row('read_at', '<=', readBefore), row('read_at', '>', now + clockSkewMs)]),
      )
      .where((departure) =>
        departure.exists(
          peopleInFeeds(this.#queries)
            .select('feeds.id')
            .where('feed_users.user_id', '=', departure.ref('departures.user_id'))
            .where('feeds.company_id', '=', departure.ref('departures.company_id'))
            .where('feeds.revoked_at', 'is', null),
        ),
      )
      .orderBy('read_at')
      .limit(1)
      .executeTakeFirst()
  }
}

function departureRow(departure: Departure): DepartureRow {
  const { companyId, userId, because, since, readAt, leftAt } = departure
  const { wasHere, isHeldBack, isCleared } = departure
  const marks = {
    was_here: wasHere ? 1 : 0,
    held_back: isHeldBack ? 1 : 0,
    cleared: isCleared ? 1 : 0,
  }
  const read = { because, since, read_at: readAt, left_at: leftAt }
  return { company_id: companyId, user_id: userId, ...read, ...marks }
}

function departureOf({ company_id: companyId, user_id: userId, ...row }: DepartureRow): Departure {
  const { because, since, read_at: readAt, left_at: leftAt } = row
  const marks = {
    wasHere: row.was_here === 1,
    isHeldBack: row.held_back === 1,
    isCleared: row.cleared === 1,
  }
  return { companyId, userId, because, since, readAt, leftAt, ...marks }
}

import {
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type Transaction,
  type RawBuilder,
} from 'kysely'

import type { Database } from '../database/database.ts'
import type {
  DepartedMember,
  Departure,
  DepartureHearing,
  DepartureShare,
  DepartureStore,
  RecentDepartures,
} from '../domain/departure.ts'
import type { Feed } from '../domain/feed.ts'
import type { LookRound, LookRoundStore, ReadingPlan, SightingProblem } from '../domain/person.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'
import { isInFeed } from './feeds.ts'
import { holdPersonInFeed, listLeftInFeeds, listStaying, peopleInFeeds } from './people.ts'
import { changeRow, feedOf, feedsWith, inParts, readRow, problemsColumn } from './rows.ts'
import type { DepartureRow, StoreTables, LookRoundRow } from './tables.ts'

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

interface Counts {
  readonly people: number
  readonly leaving: number
  readonly were_here: number
  readonly held_back: number
  readonly feed_people: number
  readonly feed_leaving: number
}

/** Who leaves since then, of all known people and of those in feeds. */
async function countRecentDepartures(
  queries: Kysely<StoreTables>,
  companyId: string,
  since: Instant,
): Promise<RecentDepartures> {
  const leaving = sql`departures where company_id = ${companyId} and since >= ${since}`
  const leftBefore = sql`select user_id from departures
    where company_id = ${companyId} and since < ${since} and left_at is not null`
  const { rows } = await sql<Counts>`with members as (${membersOf(companyId)})
    select
      (select count(*) from (${peopleOf(companyId)} union select user_id from members) as known
        where user_id not in (${leftBefore})) as people,
      (select count(*) from ${leaving}) as leaving,
      (select count(*) from ${leaving} and was_here = 1) as were_here,
      (select count(*) from ${leaving} and held_back = 1) as held_back,
      (select count(*) from members where user_id not in (${leftBefore})) as feed_people,
      (select count(*) from ${leaving} and user_id in (select user_id from members)) as feed_leaving`.execute(
    queries,
  )
  const [counts] = rows
  if (!counts) throw new Error('A count is one row.')
  return {
    known: { people: counts.people, leaving: counts.leaving },
    wereHere: counts.were_here,
    heldBack: counts.held_back,
    inFeeds: { people: counts.feed_people, leaving: counts.feed_leaving },
  }
}

/** How many are held back, of all known people who have not left. */
async function countHeldBack(
  queries: Kysely<StoreTables>,
  companyId: string,
): Promise<DepartureShare> {
  const { rows } = await sql<DepartureShare>`with members as (${membersOf(companyId)})
    select
      (select count(*) from (${peopleOf(companyId)} union select user_id from members) as known
        where user_id not in (select user_id from departures
          where company_id = ${companyId} and left_at is not null)) as people,
      (select count(*) from departures
        where company_id = ${companyId} and held_back = 1) as leaving`.execute(queries)
  return rows[0] ?? { people: 0, leaving: 0 }
}

function peopleOf(companyId: string): RawBuilder<unknown> {
  return sql`select user_id from people where company_id = ${companyId}`
}

function membersOf(companyId: string): RawBuilder<unknown> {
  return sql`select distinct feed_users.user_id from feed_users
    join feeds on feeds.id = feed_users.feed_id
    where feeds.company_id = ${companyId} and feeds.revoked_at is null`
}

const never: LookRound = { lookedAt: null, problems: [] }
const unborn = { due_at: 0, read_at: 0, called_at: 0 } as const

type Turns = Pick<LookRoundRow, 'due_at' | 'read_at' | 'called_at'>

/** When each company's people were looked for, and whose turn it is: one row for each company. */
export class SqlLookRoundStore implements LookRoundStore {
  readonly #queries: Kysely<StoreTables>

  constructor({ queries }: Database<StoreTables>) {
    this.#queries = queries
  }

  async findRound(companyId: string): Promise<LookRound> {
    const row = await this.#queries
      .selectFrom('look_rounds')
      .select(['looked_at', 'problems'])
      .where('company_id', '=', companyId)
      .executeTakeFirst()
    if (!row) return never
    const problems = readRow(`whom the company ${companyId} has`, () =>
      problemsColumn.parse(JSON.parse(row.problems)),
    )
    return { lookedAt: row.looked_at, problems }
  }

  async takeRound(companyId: string, { now, againAt, latest }: ReadingPlan): Promise<boolean> {
    const { due_at: dueAt } = await this.#row(companyId)
    if (dueAt > now && dueAt <= latest) return false
    const round = this.#round(companyId).where('due_at', '=', dueAt)
    return changeRow(round.set({ due_at: againAt }))
  }

  async endRound(
    companyId: string,
    problems: readonly SightingProblem[],
    { now, dueAt }: { readonly now: Instant; readonly dueAt: Instant },
  ): Promise<void> {
    await this.#row(companyId)
    await this.#round(companyId)
      .set({ looked_at: now, due_at: dueAt, problems: JSON.stringify(problems) })
      .execute()
  }

  takeReadingTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean> {
    return this.#takeTurn('read_at', companyId, now, everyMs)
  }

  takeRollCallTurn(companyId: string, now: Instant, everyMs: number): Promise<boolean> {
    return this.#takeTurn('called_at', companyId, now, everyMs)
  }

  async #takeTurn(
    column: 'read_at' | 'called_at',
    companyId: string,
    now: Instant,
    everyMs: number,
  ): Promise<boolean> {
    const { [column]: lastAt } = await this.#row(companyId)
    if (lastAt > now - everyMs && lastAt <= now + clockSkewMs) return false
    const round = this.#round(companyId).where(column, '=', lastAt)
    return changeRow(round.set({ [column]: now }))
  }

  #round(companyId: string) {
    return this.#queries.updateTable('look_rounds').where('company_id', '=', companyId)
  }

  /** Which is there from the first time on that anybody asks. */
  async #row(companyId: string): Promise<Turns> {
    const row = await this.#queries
      .selectFrom('look_rounds')
      .select(['due_at', 'read_at', 'called_at'])
      .where('company_id', '=', companyId)
      .executeTakeFirst()
    return row ?? this.#addRow(companyId)
  }

  async #addRow(companyId: string): Promise<Turns> {
    await this.#queries
      .insertInto('look_rounds')
      .values({ company_id: companyId, looked_at: null, problems: '[]', ...unborn })
      .onConflict((known) => known.doNothing())
      .execute()
    return unborn
  }
}

import { sql } from 'kysely'
import { z } from 'zod'

import type {
  Departure,
  DepartureShare,
  DepartureStore,
  RecentDepartures,
} from '../domain/departure.ts'
import type { LookRoundStore, SightingProblem } from '../domain/person.ts'
import { clockSkewMs, type Instant } from '../domain/world.ts'
import { isInFeed } from './feeds.ts'
import { holdPersonInFeed } from './people.ts'
import { changeRow, feedOf, feedsWith, inParts, isOpen, members, readRow, rowOf } from './rows.ts'
import type { DepartureRow, LookRoundRow, Queries, StoreDatabase } from './tables.ts'

const clearedAtOnce = 1000

export function departureStore(database: StoreDatabase): DepartureStore {
  const { queries, takeTurn } = database
  const departuresOf = (companyId: string) =>
    queries.selectFrom('departures').selectAll().where('companyId', '=', companyId)
  return {
    async findDeparture(companyId, userId) {
      const row = await departuresOf(companyId).where('userId', '=', userId).executeTakeFirst()
      return row && departureOf(row)
    },
    keepDeparture: (departure) =>
      queries.transaction().execute(async (transaction) => {
        if (!(await holdKnownPerson(database, transaction, departure))) return
        const { isHeldBack, isCleared, ...others } = departure
        const { because, since, readAt } = others
        const cleared = sql<number>`case when departures.because = excluded.because then departures.cleared else 0 end`
        const read = { because, since, readAt, cleared }
        await transaction
          .insertInto('departures')
          .values({ ...rowOf(others), ...rowOf({ heldBack: isHeldBack, cleared: isCleared }) })
          .onConflict((known) => known.columns(['companyId', 'userId']).doUpdateSet(read))
          .execute()
      }),
    believeDeparture({ companyId, userId, isHeldBack }, leftAt) {
      const before = queries
        .updateTable('departures')
        .where((of) => of.and({ companyId, userId, heldBack: isHeldBack ? 1 : 0 }))
      return changeRow(before.set({ leftAt, heldBack: 0 }))
    },
    believeHeldBack: (companyId, { count, until }, leftAt) =>
      queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, `departures of ${companyId}`)
        const ofThem = sql<boolean>`company_id = ${companyId} and held_back = 1
          and left_at is null and since <= ${until}`
        const departures = transaction.selectFrom('departures').where(ofThem)
        const found = await departures
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .execute()
        if (found[0]?.count !== count) return undefined
        const before = transaction.updateTable('departures').where(ofThem)
        const believed = await before.set({ leftAt, heldBack: 0 }).returningAll().execute()
        return believed.map(departureOf)
      }),
    async listUndecided(companyId) {
      const rows = await departuresOf(companyId)
        .where('leftAt', 'is', null)
        .where((of) => of.and({ heldBack: 0, cleared: 0 }))
        .execute()
      return rows.map(departureOf)
    },
    decide: (companyId, { since, now, judge }) =>
      queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, `departures of ${companyId}`)
        const verdict = judge(await countRecentDepartures(transaction, companyId, since))
        const open = transaction
          .updateTable('departures')
          .where((of) => of.and({ companyId, heldBack: 0 }))
          .where('leftAt', 'is', null)
        if (verdict === 'hold back') {
          await open.set({ heldBack: 1 }).where('since', '>=', since).execute()
          return { isHeldBack: true, believed: [] }
        }
        const believed: Departure[] = []
        for (const userIds of inParts(verdict.clear, clearedAtOnce)) {
          const cleared = open.set({ cleared: 1 }).where('userId', 'in', userIds)
          await cleared.where('because', '=', 'user_missing').execute()
          const inactive = cleared.set({ leftAt: now }).where('because', '=', 'user_inactive')
          believed.push(...(await inactive.returningAll().execute()).map(departureOf))
        }
        return { isHeldBack: false, believed }
      }),
    async forgetDeparture(companyId, userId) {
      await queries
        .deleteFrom('departures')
        .where((of) => of.and({ companyId, userId }))
        .execute()
    },
    async listLeft(companyId, userIds) {
      const rows = await departuresOf(companyId)
        .where('userId', 'in', userIds)
        .where('leftAt', 'is not', null)
        .execute()
      return rows.map(({ userId }) => userId)
    },
    async takeDepartureToRead(companyId, readBefore, now) {
      for (;;) {
        const row = await departuresOf(companyId)
          .where((of) =>
            of.or([of('readAt', '<=', readBefore), of('readAt', '>', now + clockSkewMs)]),
          )
          .where((of) =>
            of.exists(
              members(queries)
                .select('feeds.id')
                .where('feedUsers.userId', '=', of.ref('departures.userId'))
                .where('feeds.companyId', '=', of.ref('departures.companyId'))
                .where('feeds.revokedAt', 'is', null),
            ),
          )
          .orderBy('readAt')
          .limit(1)
          .executeTakeFirst()
        if (!row) return undefined
        const { userId, readAt } = row
        const unread = queries
          .updateTable('departures')
          .where((of) => of.and({ companyId, userId, readAt }))
        if (await changeRow(unread.set({ readAt: now }))) {
          return departureOf({ ...row, readAt: now })
        }
        // Another node took it: look for the next one.
      }
    },
    async heldBackShare(companyId) {
      const { rows } = await sql<DepartureShare>`with members as (${membersOf(companyId)}) select
        (select count(*) from (${knownPeople(companyId)}) as known
          where user_id not in (select user_id from departures
            where company_id = ${companyId} and left_at is not null)) as people,
        (select count(*) from departures
          where company_id = ${companyId} and held_back = 1) as leaving`.execute(queries)
      return rows[0] ?? { people: 0, leaving: 0 }
    },
    listLeftInFeeds: (companyId, limit) =>
      members(queries)
        .innerJoin('departures', 'departures.userId', 'feedUsers.userId')
        .select(['feedUsers.userId', 'feeds.id as feedId'])
        .where('departures.companyId', '=', companyId)
        .where('departures.leftAt', 'is not', null)
        .where('feeds.companyId', '=', companyId)
        .where(isOpen)
        .orderBy('feedUsers.userId')
        .orderBy('feeds.id')
        .limit(limit)
        .execute(),
    isInFeed: (companyId, userId) => isInFeed(queries, companyId, userId),
    async listStaying(companyId, limit) {
      const rows = await members(queries)
        .select('feedUsers.userId')
        .where('feeds.companyId', '=', companyId)
        .where(isOpen)
        .where(
          sql<boolean>`not exists (select 1 from departures
            where departures.company_id = ${companyId} and departures.user_id = feed_users.user_id)`,
        )
        .groupBy('feedUsers.userId')
        .orderBy(sql`random()`)
        .limit(limit)
        .execute()
      return rows.map(({ userId }) => userId)
    },
    async listOwnFeeds(companyId, userId) {
      const rows = await feedsWith(queries, userId)
        .where((feeds) => feeds.and({ companyId, audience: 'own' }))
        .where('feeds.revokedAt', 'is', null)
        .execute()
      return rows.map(feedOf)
    },
  }
}

/** Returns whether a feed or the directory has the person. An erasure then waits until the transaction ends. */
async function holdKnownPerson(
  database: StoreDatabase,
  transaction: Queries,
  { companyId, userId }: Departure,
): Promise<boolean> {
  if (await holdPersonInFeed(database, transaction, { companyId, userId })) return true
  const people = transaction.selectFrom('people').select('userId')
  const person = await people.where((of) => of.and({ companyId, userId })).executeTakeFirst()
  return person !== undefined
}

function departureOf({ wasHere, heldBack, cleared, ...row }: DepartureRow): Departure {
  return {
    ...row,
    wasHere: wasHere === 1,
    isHeldBack: heldBack === 1,
    isCleared: cleared === 1,
  }
}

/** Counts departures since then among all known people and among those in feeds. */
async function countRecentDepartures(
  queries: Queries,
  companyId: string,
  since: Instant,
): Promise<RecentDepartures> {
  const leaving = sql`departures where company_id = ${companyId} and since >= ${since}`
  const leftBefore = sql`select user_id from departures
    where company_id = ${companyId} and since < ${since} and left_at is not null`
  const { rows } = await sql<{ readonly [name: string]: number }>`
    with members as (${membersOf(companyId)}) select
      (select count(*) from (${knownPeople(companyId)}) as known
        where user_id not in (${leftBefore})) as people,
      (select count(*) from ${leaving}) as leaving,
      (select count(*) from ${leaving} and was_here = 1) as were_here,
      (select count(*) from ${leaving} and held_back = 1) as held_back,
      (select count(*) from members where user_id not in (${leftBefore})) as feed_people,
      (select count(*) from ${leaving} and user_id in (select user_id from members)) as feed_leaving`.execute(
    queries,
  )
  const {
    people = 0,
    leaving: left = 0,
    wereHere = 0,
    heldBack = 0,
    feedPeople = 0,
    feedLeaving = 0,
  } = rows[0] ?? {}
  return {
    known: { people, leaving: left },
    wereHere,
    heldBack,
    inFeeds: { people: feedPeople, leaving: feedLeaving },
  }
}

function knownPeople(companyId: string) {
  return sql`select user_id from people where company_id = ${companyId}
    union select user_id from members`
}

function membersOf(companyId: string) {
  return sql`select distinct feed_users.user_id from feed_users
    join feeds on feeds.id = feed_users.feed_id
    where feeds.company_id = ${companyId} and feeds.revoked_at is null`
}

const problemsColumn = z.array(
  z.object({ source: z.string(), reason: z.string() }),
) satisfies z.ZodType<readonly SightingProblem[]>

type Turns = Pick<LookRoundRow, 'dueAt' | 'readAt' | 'calledAt'>

/** One row per company: when its people were last searched, and which node's turn it is. */
export function lookRoundStore({ queries }: StoreDatabase): LookRoundStore {
  /** Creates the row on first use. */
  const turnsOf = async (companyId: string): Promise<Turns> => {
    const row = await queries
      .selectFrom('lookRounds')
      .select(['dueAt', 'readAt', 'calledAt'])
      .where('companyId', '=', companyId)
      .executeTakeFirst()
    if (row) return row
    const unborn = { dueAt: 0, readAt: 0, calledAt: 0 }
    await queries
      .insertInto('lookRounds')
      .values({ companyId, lookedAt: null, problems: '[]', ...unborn })
      .onConflict((known) => known.doNothing())
      .execute()
    return unborn
  }
  const roundOf = (companyId: string) =>
    queries.updateTable('lookRounds').where('companyId', '=', companyId)
  const takeTurn =
    (column: 'readAt' | 'calledAt') =>
    async (companyId: string, now: Instant, everyMs: number): Promise<boolean> => {
      const { [column]: lastAt } = await turnsOf(companyId)
      if (lastAt > now - everyMs && lastAt <= now + clockSkewMs) return false
      const round = roundOf(companyId).where(column, '=', lastAt)
      return changeRow(round.set({ [column]: now }))
    }
  return {
    async findRound(companyId) {
      const row = await queries
        .selectFrom('lookRounds')
        .select(['lookedAt', 'problems'])
        .where('companyId', '=', companyId)
        .executeTakeFirst()
      const { lookedAt, problems } = row ?? { lookedAt: null, problems: '[]' }
      return readRow(`whom the company ${companyId} has`, () => {
        return { lookedAt, problems: problemsColumn.parse(JSON.parse(problems)) }
      })
    },
    async takeRound(companyId, { now, againAt, latest }) {
      const { dueAt } = await turnsOf(companyId)
      if (dueAt > now && dueAt <= latest) return false
      const round = roundOf(companyId).where('dueAt', '=', dueAt)
      return changeRow(round.set({ dueAt: againAt }))
    },
    async endRound(companyId, problems, { now, dueAt }) {
      await turnsOf(companyId)
      const ended = { lookedAt: now, dueAt, problems: JSON.stringify(problems) }
      await roundOf(companyId).set(ended).execute()
    },
    takeReadingTurn: takeTurn('readAt'),
    takeRollCallTurn: takeTurn('calledAt'),
  }
}

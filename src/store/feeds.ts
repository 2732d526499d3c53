import { isDeepStrictEqual } from 'node:util'

import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'
import type { AuditEvent } from '../domain/access/audit-entry.ts'
import { collectionOf } from '../domain/copy.ts'
import { creationKeptMs } from '../domain/creation.ts'
import { AppError } from '../domain/errors.ts'
import { firstNamePlace, namesOf, usualTemplates } from '../domain/feed-name.ts'
import type { FeedFilter, FeedStore, FeedWithLink, ShownMarks } from '../domain/feed-store.ts'
import { anotherPerson, type Feed, locales, programLocale } from '../domain/feed.ts'
import { createRests } from '../json/rest.ts'
import { noteOnFeeds } from './audit.ts'
import {
  changeRow,
  feedColumns,
  feedOf,
  feedRow,
  feedsWith,
  type FeedWithDefaultsRow,
  holds,
  idsIn,
  inParts,
  isOpen,
  keptFeedOf,
  linkRow,
  readRow,
  rowOf,
} from './rows.ts'
import type { FeedRow, Queries, StoreDatabase, StoreTables } from './tables.ts'

/** Attempts to change a feed while others change it. */
const attemptsMax = 20

/** Feeds, changed by compare-and-set on their revision. */
export function feedStore(database: StoreDatabase, changed: ChangedFeeds): FeedStore {
  const { queries, dialect, takeTurn } = database
  const read = database.prepareRead<{ readonly id: string }, FeedWithDefaultsRow>(
    queries.selectFrom('feeds').select(feedColumns).where('id', '=', given<string>('id')),
  )
  const findFeed: FeedStore['findFeed'] = async (id) => {
    const [row] = await read({ id })
    return row && feedOf(row)
  }
  const createFeeds: FeedStore['createFeeds'] = (feeds, creation, auditEvent) =>
    queries.transaction().execute(async (transaction) => {
      if (creation) {
        // Expired keys may be used again.
        const forgotten = creation.createdAt - creationKeptMs
        await transaction.deleteFrom('creations').where('createdAt', '<=', forgotten).execute()
        await transaction.insertInto('creations').values(rowOf(creation)).execute()
      }
      await insertFeeds(transaction, feeds, auditEvent)
    })
  return {
    findFeed,
    createFeed: (feed, link) => createFeeds([{ feed, link }]),
    createFeeds,
    createMissingFeeds(feeds, auditEvent) {
      const companyIds = new Set(feeds.map(({ feed }) => feed.companyId))
      return queries.transaction().execute(async (transaction) => {
        for (const id of [...companyIds].toSorted()) await takeTurn(transaction, turnOf(id))
        const known = new Set<string>()
        for (const some of inParts(feeds, feedsPerInsert)) {
          const like = await findLike(transaction, some)
          for (const identity of like.flatMap(identitiesOf)) known.add(identity)
        }
        const missing = feeds.filter(({ feed }) => {
          const identities = identitiesOf(feed)
          if (identities.some((it) => known.has(it))) return false
          for (const identity of identities) known.add(identity)
          return true
        })
        await insertFeeds(transaction, missing, auditEvent)
        return new Set(missing.map(({ feed }) => feed.id))
      })
    },
    createOnlyFeed(only, auditEvent) {
      const { companyId, userIds } = only.feed
      return queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, turnOf(companyId))
        const before = await feedsWith(transaction, userIds[0] ?? '')
          .where((feeds) => feeds.and({ companyId, audience: 'own' }))
          .where(isOfTheirs)
          .limit(1)
          .executeTakeFirst()
        if (!before) await insertFeeds(transaction, [only], auditEvent)
        return before === undefined
      })
    },
    async findCreation(keyHash) {
      const creations = queries.selectFrom('creations').selectAll()
      const row = await creations.where('keyHash', '=', keyHash).executeTakeFirst()
      if (!row) return undefined
      return readRow('the feeds that were made under a key', () => {
        return { ...row, feedIds: idsIn(row.feedIds) }
      })
    },
    async listFeeds(filter) {
      if (filter.userIds?.length === 0) return []
      const rows = await queries
        .selectFrom('feeds')
        .select(feedColumns)
        .where((feeds) => feeds.and(filterConditions(filter, feeds, dialect)))
        .orderBy('createdAt')
        .orderBy('id')
        .limit(filter.limit)
        .execute()
      return rows.map(feedOf)
    },
    /** One scan of the index. */
    async countFeeds() {
      const { all, revoked, closed } = await queries
        .selectFrom('feeds')
        .select(({ fn, eb }) => [
          fn.countAll<number>().as('all'),
          fn.count<number>('revokedAt').as('revoked'),
          fn
            .count<number>(eb.case().when('revokedAt', 'is', null).then(eb.ref('closedAt')).end())
            .as('closed'),
        ])
        .executeTakeFirstOrThrow()
      return { open: all - revoked - closed, closed, revoked }
    },
    async countOpenFeeds() {
      const rows = await queries
        .selectFrom('feeds')
        .select(({ fn }) => ['companyId', fn.countAll<number>().as('open')])
        .where(isOpen)
        .groupBy('companyId')
        .orderBy('companyId')
        .execute()
      return new Map(rows.map(({ companyId, open }) => [companyId, open]))
    },
    async changeFeed(id, change, auditEvent) {
      for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
        const feed = await findFeed(id)
        const next = feed && (await change(feed))
        if (!next) return feed
        const row = feedRow({ ...next, revision: feed.revision + 1 })
        const after = keptFeedOf(row, feed.defaults)
        const isRenamed = !isDeepStrictEqual(namingOf(next), namingOf(feed))
        const replacing = (): Promise<boolean> =>
          replaceFeed(queries, { row, feed: after, isRenamed }, auditEvent)
        // A change without an audit event only fills in missing values.
        const isReplaced = await (auditEvent ? changed.during(id, replacing) : replacing())
        if (isReplaced) return after
      }
      throw new AppError('conflict', 'The feed is being changed by others; try again.')
    },
    markShown: (feedId, shown) =>
      queries.transaction().execute(async (transaction) => {
        await lockFeed(transaction, feedId)
        await changeShown(transaction, feedId, shown)
      }),
  }
}

/** Serializes new links, rotations and choices of one feed across nodes. */
export async function lockFeed(queries: Queries, id: string): Promise<void> {
  await queries.updateTable('feeds').set({ id }).where('id', '=', id).execute()
}

function namingOf({ name, namedAfter, locale, isLocaleSet }: Feed): readonly unknown[] {
  return [name, namedAfter, locale, isLocaleSet]
}

interface Replacement {
  readonly row: FeedRow
  readonly feed: Feed
  readonly isRenamed: boolean
}

/** False if the revision has changed. */
function replaceFeed(
  queries: Queries,
  { row, feed, isRenamed }: Replacement,
  auditEvent: AuditEvent | undefined,
): Promise<boolean> {
  return queries.transaction().execute(async (transaction) => {
    // Only markShown sets these: a change may be based on an older read.
    const { leavesShown: _, shown: __, name, locale, ...others } = row
    // A name given by an earlier release stays until it or the language changes.
    const columns = isRenamed ? { ...others, name, locale } : others
    const { id, revision } = row
    const before = transaction
      .updateTable('feeds')
      .where((feeds) => feeds.and({ id, revision: revision - 1 }))
    if (!(await changeRow(before.set(columns)))) return false
    await transaction.deleteFrom('feedUsers').where('feedId', '=', id).execute()
    await insertUsers(transaction, [feed])
    await noteOnFeeds(transaction, auditEvent, [{ feed }])
    return true
  })
}

/** Adds to what the feed has shown. Drops everything of people who are no longer in it. */
export async function changeShown(
  queries: Queries,
  id: string,
  { keys, leaves }: ShownMarks,
): Promise<void> {
  const columns = ['audience', 'userIds', 'shown', 'leavesShown'] as const
  const feeds = queries.selectFrom('feeds').select(columns).where('id', '=', id)
  const row = await feeds.executeTakeFirst()
  if (!row) return
  const people = new Set(idsIn(row.userIds))
  const before = idsIn(row.shown)
  const kept = [...new Set([...before, ...keys])].filter((key) => {
    const { kind, subject } = collectionOf(key)
    return kind !== 'leaves' || people.has(subject)
  })
  const isNoted = kept.some(isOfLeaves)
  // It may have shown leave only of people who are gone.
  const isNone = !isNoted && before.some(isOfLeaves)
  const isShown =
    isNoted || (leaves && row.audience === 'own') || (row.leavesShown === 1 && !isNone)
  const shown = { shown: JSON.stringify(kept), leavesShown: Number(isShown) }
  if (shown.shown === row.shown && shown.leavesShown === row.leavesShown) return
  await queries.updateTable('feeds').set(shown).where('id', '=', id).execute()
}

function isOfLeaves(key: string): boolean {
  return collectionOf(key).kind === 'leaves'
}

export async function isInFeed(
  queries: Queries,
  companyId: string,
  userId: string,
): Promise<boolean> {
  const row = await feedsWith(queries, userId)
    .where('feeds.companyId', '=', companyId)
    .where('feeds.revokedAt', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type Feeds = ExpressionBuilder<StoreTables, 'feeds'>
type Condition = Expression<SqlBool>

/*
 * Three indexes cover the few feeds that are revoked, closed or never polled, each in list order. SQLite uses one only if
 * the condition matches the index text, without bound values, and no other column looks more selective. `+` and `|| ''`
 * exclude those other columns. PostgreSQL estimates the rows per condition, which such expressions would prevent. It would
 * then read the whole table for a page of open feeds.
 */

/** The conditions of the filter. */
export function filterConditions(
  { companyId, userIds, unrevoked, state, neverPolled, search, after }: FeedFilter,
  feeds: Feeds,
  dialect: Dialect,
): readonly Condition[] {
  const isOfFew =
    userIds != null || neverPolled === true || state === 'revoked' || state === 'closed'
  const ofUsers = feeds.selectFrom('feedUsers').select('feedId')
  const kept = dialect === 'sqlite' ? sql`+` : sql``
  // Revoked takes precedence over closed.
  const states: Record<NonNullable<typeof state>, Condition> = {
    open: sql`${kept}revoked_at is null and ${kept}closed_at is null`,
    revoked: sql`revoked_at is not null`,
    closed: sql`closed_at is not null and ${kept}revoked_at is null`,
  }
  const conditions: Condition[] = []
  if (companyId != null && isOfFew && dialect === 'sqlite') {
    conditions.push(sql`company_id || '' = ${companyId}`)
  } else if (companyId != null) {
    conditions.push(feeds('companyId', '=', companyId))
  }
  if (userIds != null) conditions.push(feeds('id', 'in', ofUsers.where('userId', 'in', userIds)))
  if (unrevoked) conditions.push(feeds('revokedAt', 'is', null))
  if (state != null) conditions.push(states[state])
  if (neverPolled) conditions.push(sql`polled = 0`)
  if (search != null) conditions.push(holdsText(feeds, search, dialect))
  if (after) conditions.push(sql`(created_at, id) > (${after.createdAt}, ${after.id})`)
  return conditions
}

/** A feed has seventeen values; SQLite allows 32,766 per statement. */
const feedsPerInsert = 200
const usersPerInsert = 10_000

function turnOf(companyId: string): string {
  return `feeds of ${companyId}`
}

async function insertFeeds(
  queries: Queries,
  all: readonly FeedWithLink[],
  auditEvent: AuditEvent | undefined,
): Promise<void> {
  const rests = createRests()
  for (const some of inParts(all, feedsPerInsert)) {
    if (rests.isDue()) await rests.take()
    const feeds = some.map(({ feed }) => feed)
    await queries.insertInto('feeds').values(feeds.map(feedRow)).execute()
    await insertUsers(queries, feeds)
    const links = some.map(({ link }) => linkRow(link))
    await queries.insertInto('links').values(links).execute()
    await noteOnFeeds(queries, auditEvent, some)
  }
}

async function insertUsers(queries: Queries, feeds: readonly Feed[]): Promise<void> {
  const rows = feeds.flatMap(({ id, userIds }) =>
    [...new Set(userIds)].map((userId) => ({ feedId: id, userId })),
  )
  for (const some of inParts(rows, usersPerInsert)) {
    await queries.insertInto('feedUsers').values(some).execute()
  }
}

async function findLike(
  queries: Queries,
  feeds: readonly FeedWithLink[],
): Promise<readonly Feed[]> {
  const users = feeds.flatMap(({ feed }) => feed.userIds.slice(0, 1))
  const names = feeds.flatMap(({ feed }) => namesOf(feed))
  const rows = await queries
    .selectFrom('feeds')
    .select(feedColumns)
    .where('id', 'in', (of) =>
      of.selectFrom('feedUsers').select('feedId').where('userId', 'in', users),
    )
    // A feed without a name of its own may have any name by the company's default.
    .where((of) => of.or([of('name', 'in', names), of('namedAfter', 'is not', null)]))
    .where('teamManagerId', 'is', null)
    .where('revokedAt', 'is', null)
    .where(isOfTheirs)
    .execute()
  return rows.map(feedOf)
}

/** A calendar of a former owner of the id does not count. */
const isOfTheirs = sql<SqlBool>`(closed_because is null or closed_because <> ${sql.lit(anotherPerson)})`

/** One for each of its names. */
function identitiesOf(feed: Feed): readonly string[] {
  const { companyId, userIds } = feed
  return namesOf(feed).map((name) => JSON.stringify([companyId, userIds, name]))
}

/** Matches a feed id, or part of a feed name, a user id or a known name; each is searched once, not per feed. */
function holdsText(feeds: Feeds, text: string, dialect: Dialect): Condition {
  const ofIds = feeds
    .selectFrom('feedUsers')
    .select('feedId')
    .where((users) => users.or(inAnyCase(sql.ref('userId'), text)))
  // `cross join` fixes the join order for SQLite; one id may be two people in two companies.
  const ofNamed = feeds
    .selectFrom('people')
    .crossJoin('feedUsers')
    .crossJoin('feeds as theirs')
    .select('theirs.id')
    .where((people) => people.or(inAnyCase(fullName, text)))
    .whereRef('feedUsers.userId', '=', 'people.userId')
    .whereRef('theirs.id', '=', 'feedUsers.feedId')
    .whereRef('theirs.companyId', '=', 'people.companyId')
  return feeds.or([
    feeds('id', '=', text),
    feeds('id', 'in', ofIds),
    feeds('id', 'in', sql<string>`${ofNamed}`),
    ...inAnyCase(sql.ref('name'), text),
    nameByDefaultHolds(text, dialect),
  ])
}

/** Whether the company's defaults give the feed a name with this text; such names are not stored. */
function nameByDefaultHolds(text: string, dialect: Dialect): Condition {
  const defaultOf = (member: 'name' | 'locale'): RawBuilder<unknown> =>
    dialect === 'sqlite'
      ? sql`json_extract(defaults, ${sql.lit(`$.${member}`)})`
      : sql`defaults::jsonb ->> ${sql.lit(member)}`
  const isIn = (template: RawBuilder<unknown>): RawBuilder<SqlBool> => {
    const name = sql`replace(${template}, ${sql.lit(firstNamePlace)}, feeds.named_after)`
    return sql`(${sql.join(inAnyCase(name, text), sql` or `)})`
  }
  const inLanguages = locales.flatMap((locale) =>
    usualTemplates(locale).map(
      (template) => sql<SqlBool>`(${defaultOf('locale')} = ${sql.lit(locale)}
        and feeds.locale_set = 0 and feeds.locale = ${sql.lit(programLocale)}
        and ${isIn(sql`${template}`)})`,
    ),
  )
  return sql`exists (select 1 from company_defaults
    where company_defaults.company_id = feeds.company_id and feeds.named_after is not null
      and (${sql.join([isIn(defaultOf('name')), ...inLanguages], sql` or `)}))`
}

const fullName = sql<string>`coalesce(first_name, '') || ' ' || coalesce(last_name, '')`

/** SQLite folds case in ASCII only, so other letters are tried in the usual spellings: "özil", "Özil", "ÖZIL". */
function inAnyCase(column: RawBuilder<unknown>, text: string): readonly Condition[] {
  const lower = text.toLowerCase()
  const capital = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  const written = /^\p{ASCII}*$/u.test(text) ? [lower] : [lower, capital, text.toUpperCase()]
  return written.map((it) => holds(sql`lower(${column})`, it))
}

/** Notifies of each feed that changes here, itself or a link of it; with null if any feed may have changed. */
export class ChangedFeeds {
  readonly #listeners: ((feedId: string | null) => void)[] = []

  listen(listener: (feedId: string | null) => void): void {
    this.#listeners.push(listener)
  }

  tell(feedId: string | null): void {
    for (const listener of this.#listeners) listener(feedId)
  }

  /** Notifies after the change, even if it failed: the database may have taken it. */
  async during<T>(feedId: string | null, change: () => Promise<T>): Promise<T> {
    return change().finally(() => this.tell(feedId))
  }
}

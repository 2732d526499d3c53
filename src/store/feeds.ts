import {
  type Kysely,
  type Expression,
  type ExpressionBuilder,
  sql,
  type SqlBool,
  type Transaction,
  type RawBuilder,
} from 'kysely'

import type { Database, Dialect } from '../database/database.ts'
import type { AuditEvent } from '../domain/access/audit-entry.ts'
import { AppError } from '../domain/errors.ts'
import {
  type Creation,
  type FeedChange,
  type FeedCounts,
  type FeedFilter,
  type FeedStore,
  type FeedWithLink,
  creationKeptMs,
} from '../domain/feed-store.ts'
import { type Feed, type FeedState, anotherPerson } from '../domain/feed.ts'
import type { FeedLink } from '../domain/link.ts'
import { createRests } from '../json/rest.ts'
import { noteOnFeeds } from './audit.ts'
import {
  changeRow,
  feedOf,
  feedRow,
  feedsWith,
  shownColumn,
  shownOf,
  inParts,
  readRow,
  idsColumn,
  linkRow,
} from './rows.ts'
import type { FeedRow, StoreTables } from './tables.ts'

/** How often a change is tried while others change the same feed. */
const attemptsMax = 20

/** Feeds, each row replaced by compare-and-set on its revision. */
export class SqlFeedStore implements FeedStore {
  readonly #database: Database<StoreTables>
  readonly #queries: Kysely<StoreTables>
  readonly #changed: ChangedFeeds

  constructor(database: Database<StoreTables>, changed: ChangedFeeds) {
    this.#database = database
    this.#changed = changed
    this.#queries = database.queries
  }

  createFeed(feed: Feed, link: FeedLink): Promise<void> {
    return this.createFeeds([{ feed, link }])
  }

  createFeeds(
    feeds: readonly FeedWithLink[],
    creation?: Creation,
    auditEvent?: AuditEvent,
  ): Promise<void> {
    return addFeeds(this.#queries, feeds, creation, auditEvent)
  }

  createMissingFeeds(
    feeds: readonly FeedWithLink[],
    auditEvent?: AuditEvent,
  ): Promise<ReadonlySet<string>> {
    return addMissingFeeds(this.#database, feeds, auditEvent)
  }

  createOnlyFeed(feed: FeedWithLink, auditEvent?: AuditEvent): Promise<boolean> {
    return addOnlyFeed(this.#database, feed, auditEvent)
  }

  findCreation(keyHash: string): Promise<Creation | undefined> {
    return findCreation(this.#queries, keyHash)
  }

  async findFeed(id: string): Promise<Feed | undefined> {
    const row = await this.#queries
      .selectFrom('feeds')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    return row && feedOf(row)
  }

  async listFeeds(filter: FeedFilter): Promise<readonly Feed[]> {
    if (filter.userIds?.length === 0) return []
    const rows = await this.#queries
      .selectFrom('feeds')
      .selectAll()
      .where((feeds) => feeds.and(filterConditions(filter, feeds, this.#database.dialect)))
      .orderBy('created_at')
      .orderBy('id')
      .limit(filter.limit)
      .execute()
    return rows.map(feedOf)
  }

  countFeeds(): Promise<FeedCounts> {
    return countFeeds(this.#queries)
  }

  countOpenFeeds(): Promise<ReadonlyMap<string, number>> {
    return countOpenFeeds(this.#queries)
  }

  async changeFeed(
    id: string,
    change: FeedChange,
    auditEvent?: AuditEvent,
  ): Promise<Feed | undefined> {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const feed = await this.findFeed(id)
      const changed = feed && (await change(feed))
      if (!changed) return feed
      const row = feedRow({ ...changed, revision: feed.revision + 1 })
      const replacing = (): Promise<Feed | undefined> => this.#replace(row, auditEvent)
      // What is no audit event only fills in what was not known.
      const replaced = await (auditEvent ? this.#changed.during(id, replacing) : replacing())
      if (replaced) return replaced
    }
    throw changedAllTheTime()
  }

  async markLeavesShown(feedId: string): Promise<void> {
    const feed = this.#queries.updateTable('feeds').where('id', '=', feedId)
    await feed.set({ leaves_shown: 1 }).execute()
  }

  async markShown(feedId: string, keys: readonly string[]): Promise<void> {
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      if (await this.#addShown(feedId, keys)) return
    }
    throw changedAllTheTime()
  }

  /** False if others have added to them at the same time. */
  async #addShown(feedId: string, keys: readonly string[]): Promise<boolean> {
    const rows = this.#queries.selectFrom('feeds').select('shown').where('id', '=', feedId)
    const before = await rows.executeTakeFirst()
    if (!before) return true
    const shown = shownColumn([...new Set([...shownOf(before), ...keys])])
    if (shown === before.shown) return true
    const feed = this.#queries.updateTable('feeds').where('id', '=', feedId)
    return changeRow(feed.where('shown', '=', before.shown).set({ shown }))
  }

  /** Undefined if the feed is no longer of the revision before. */
  #replace(row: FeedRow, auditEvent: AuditEvent | undefined): Promise<Feed | undefined> {
    return this.#queries.transaction().execute(async (transaction) => {
      // Only markLeavesShown and markShown set them: who changes a feed may have read it before.
      const { leaves_shown: _, shown: __, ...columns } = row
      const before = transaction
        .updateTable('feeds')
        .where('id', '=', row.id)
        .where('revision', '=', row.revision - 1)
      if (!(await changeRow(before.set(columns)))) return undefined
      const feed = feedOf(row)
      await transaction.deleteFrom('feed_users').where('feed_id', '=', feed.id).execute()
      await insertUsers(transaction, [feed])
      await noteOnFeeds(transaction, auditEvent, [{ feed }])
      return feed
    })
  }
}

/** Whether a feed that is not revoked has that person. */
export async function isInFeed(
  queries: Kysely<StoreTables>,
  companyId: string,
  userId: string,
): Promise<boolean> {
  const row = await feedsWith(queries, userId)
    .where('feeds.company_id', '=', companyId)
    .where('feeds.revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function changedAllTheTime(): AppError {
  return new AppError('conflict', 'The feed is being changed by others; try again.')
}

/** Counts all feeds by how they stand, by one walk through the index of their ends. */
async function countFeeds(queries: Kysely<StoreTables>): Promise<FeedCounts> {
  const { all, revoked, closed } = await queries
    .selectFrom('feeds')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('all'),
      fn.count<number>('revoked_at').as('revoked'),
      fn
        .count<number>(eb.case().when('revoked_at', 'is', null).then(eb.ref('closed_at')).end())
        .as('closed'),
    ])
    .executeTakeFirstOrThrow()
  return { open: all - revoked - closed, closed, revoked }
}

/** By company, those that are neither revoked nor closed. */
async function countOpenFeeds(queries: Kysely<StoreTables>): Promise<ReadonlyMap<string, number>> {
  const rows = await queries
    .selectFrom('feeds')
    .select(({ fn }) => ['company_id', fn.countAll<number>().as('open')])
    .where('revoked_at', 'is', null)
    .where('closed_at', 'is', null)
    .groupBy('company_id')
    .orderBy('company_id')
    .execute()
  return new Map(rows.map(({ company_id: companyId, open }) => [companyId, open]))
}

type Feeds = ExpressionBuilder<StoreTables, 'feeds'>
type Condition = Expression<SqlBool>

/* Three indexes hold the few feeds that are revoked, closed or were never polled, each in the order of the list. SQLite takes
   one only where the condition stands as the index has it, without values, and where no other column seems to promise more:
   `+` and `|| ''` keep those out of its choice. PostgreSQL knows how many rows each condition leaves, and would not any more
   where a column stands so: it would read the whole table for a page of open feeds. */

/** What holds of every feed that the filter lets through. */
export function filterConditions(
  filter: FeedFilter,
  feeds: Feeds,
  dialect: Dialect,
): readonly Condition[] {
  const { companyId, userIds, unrevoked, state, neverPolled, search, after } = filter
  const ofUsers = feeds.selectFrom('feed_users').select('feed_id')
  return [
    ...(companyId == null
      ? []
      : [ofCompany(feeds, companyId, dialect === 'sqlite' && isOfFew(filter))]),
    ...(userIds == null ? [] : [feeds('id', 'in', ofUsers.where('user_id', 'in', userIds))]),
    ...(unrevoked ? [feeds('revoked_at', 'is', null)] : []),
    ...(state == null ? [] : [stateConditions(dialect)[state]]),
    ...(neverPolled ? [sql<SqlBool>`polled = 0`] : []),
    ...(search == null ? [] : [holdsText(feeds, search)]),
    ...(after
      ? [feeds(feeds.refTuple('created_at', 'id'), '>', feeds.tuple(after.createdAt, after.id))]
      : []),
  ]
}

/** A feed that was revoked after it was closed is revoked. */
function stateConditions(dialect: Dialect): Readonly<Record<FeedState, Condition>> {
  const kept = dialect === 'sqlite' ? sql`+` : sql``
  return {
    open: sql`${kept}revoked_at is null and ${kept}closed_at is null`,
    revoked: sql`revoked_at is not null`,
    closed: sql`closed_at is not null and ${kept}revoked_at is null`,
  }
}

/** Whether an index of few feeds holds all that the filter lets through. */
function isOfFew({ neverPolled, state }: FeedFilter): boolean {
  return neverPolled === true || state === 'revoked' || state === 'closed'
}

function ofCompany(feeds: Feeds, companyId: string, keptOut: boolean): Condition {
  return keptOut ? sql`company_id || '' = ${companyId}` : feeds('company_id', '=', companyId)
}

/** A feed has sixteen values. */
const feedsPerInsert = 200
const usersPerInsert = 10_000

type Queries = Kysely<StoreTables>

/** Adds feeds, each with its first link, and notes the creation: all or nothing. */
function addFeeds(
  queries: Queries,
  feeds: readonly FeedWithLink[],
  creation: Creation | undefined,
  auditEvent: AuditEvent | undefined,
): Promise<void> {
  return queries.transaction().execute(async (transaction) => {
    if (creation) await insertCreation(transaction, creation)
    await insertFeeds(transaction, feeds, auditEvent)
  })
}

/** Adds those whose company, users and name no unrevoked feed has, and gives their ids. */
function addMissingFeeds(
  { queries, takeTurn }: Database<StoreTables>,
  feeds: readonly FeedWithLink[],
  auditEvent: AuditEvent | undefined,
): Promise<ReadonlySet<string>> {
  const companyIds = new Set(feeds.map(({ feed }) => feed.companyId))
  return queries.transaction().execute(async (transaction) => {
    for (const id of [...companyIds].toSorted()) await takeTurn(transaction, turnOf(id))
    const missing = await findMissing(transaction, feeds)
    await insertFeeds(transaction, missing, auditEvent)
    return new Set(missing.map(({ feed }) => feed.id))
  })
}

/** Adds the feed where its person has never had one of their own; false where they have. */
function addOnlyFeed(
  { queries, takeTurn }: Database<StoreTables>,
  only: FeedWithLink,
  auditEvent: AuditEvent | undefined,
): Promise<boolean> {
  const { companyId, userIds } = only.feed
  return queries.transaction().execute(async (transaction) => {
    await takeTurn(transaction, turnOf(companyId))
    const before = await feedsWith(transaction, userIds[0] ?? '')
      .where('feeds.company_id', '=', companyId)
      .where('feeds.audience', '=', 'own')
      .where(isOfTheirs)
      .limit(1)
      .executeTakeFirst()
    if (!before) await insertFeeds(transaction, [only], auditEvent)
    return before === undefined
  })
}

function turnOf(companyId: string): string {
  return `feeds of ${companyId}`
}

/** What was made under that key. */
async function findCreation(queries: Queries, keyHash: string): Promise<Creation | undefined> {
  const row = await queries
    .selectFrom('creations')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
  return (
    row &&
    readRow('the feeds that were made under a key', () => ({
      keyHash,
      requestHash: row.request_hash,
      feedIds: idsColumn.parse(JSON.parse(row.feed_ids)),
      createdAt: row.created_at,
    }))
  )
}

/** Notes who is in them. */
async function insertUsers(queries: Queries, feeds: readonly Feed[]): Promise<void> {
  const rows = feeds.flatMap(({ id, userIds }) =>
    [...new Set(userIds)].map((userId) => ({ feed_id: id, user_id: userId })),
  )
  for (const some of inParts(rows, usersPerInsert)) {
    await queries.insertInto('feed_users').values(some).execute()
  }
}

/** A key that is known no longer may be used again. */
async function insertCreation(
  transaction: Transaction<StoreTables>,
  { keyHash, requestHash, feedIds, createdAt }: Creation,
): Promise<void> {
  const forgotten = createdAt - creationKeptMs
  await transaction.deleteFrom('creations').where('created_at', '<=', forgotten).execute()
  await transaction
    .insertInto('creations')
    .values({
      key_hash: keyHash,
      request_hash: requestHash,
      feed_ids: JSON.stringify(feedIds),
      created_at: createdAt,
    })
    .execute()
}

async function insertFeeds(
  transaction: Transaction<StoreTables>,
  all: readonly FeedWithLink[],
  auditEvent: AuditEvent | undefined,
): Promise<void> {
  const rests = createRests()
  for (const some of inParts(all, feedsPerInsert)) {
    if (rests.isDue()) await rests.take()
    const feeds = some.map(({ feed }) => feed)
    await transaction.insertInto('feeds').values(feeds.map(feedRow)).execute()
    await insertUsers(transaction, feeds)
    const links = some.map(({ link }) => linkRow(link))
    await transaction.insertInto('links').values(links).execute()
    await noteOnFeeds(transaction, auditEvent, some)
  }
}

async function findMissing(
  queries: Queries,
  feeds: readonly FeedWithLink[],
): Promise<readonly FeedWithLink[]> {
  const known = new Set<string>()
  for (const some of inParts(feeds, feedsPerInsert)) {
    for (const feed of await findLike(queries, some)) known.add(identityOf(feed))
  }
  return feeds.filter(({ feed }) => !known.has(identityOf(feed)))
}

async function findLike(
  queries: Queries,
  feeds: readonly FeedWithLink[],
): Promise<readonly Feed[]> {
  const users = feeds.flatMap(({ feed }) => feed.userIds.slice(0, 1))
  const names = feeds.map(({ feed }) => feed.name)
  const rows = await queries
    .selectFrom('feeds')
    .selectAll()
    .where('id', 'in', (of) =>
      of.selectFrom('feed_users').select('feed_id').where('user_id', 'in', users),
    )
    .where('name', 'in', names)
    .where('revoked_at', 'is', null)
    .where(isOfTheirs)
    .execute()
  return rows.map(feedOf)
}

/** The calendar of anyone who had the id before stands in nobody's way. */
const isOfTheirs = sql<SqlBool>`(closed_because is null or closed_because <> ${sql.lit(anotherPerson)})`

function identityOf({ companyId, userIds, name }: Feed): string {
  return JSON.stringify([companyId, userIds, name])
}

/* Looks for what somebody writes into a search field. */

/** Whether it is a feed's id, or part of its name, of an id in it or of a name known of one: each looked through once, not once for each feed. */
function holdsText(feeds: Feeds, text: string): Condition {
  const ofIds = feeds
    .selectFrom('feed_users')
    .select('feed_id')
    .where((users) => users.or(inAnyCase(sql.ref('user_id'), text)))
  return feeds.or([
    feeds('id', '=', text),
    feeds('id', 'in', ofIds),
    feeds('id', 'in', ofNamed(feeds, text)),
    ...inAnyCase(sql.ref('name'), text),
  ])
}

/** SQLite joins in this order because it is told to; one id may be two companies' people. */
function ofNamed(feeds: Feeds, text: string): Expression<string> {
  const theirs = feeds
    .selectFrom('people')
    .crossJoin('feed_users')
    .crossJoin('feeds as theirs')
    .select('theirs.id')
    .where((people) => people.or(inAnyCase(fullName, text)))
    .whereRef('feed_users.user_id', '=', 'people.user_id')
    .whereRef('theirs.id', '=', 'feed_users.feed_id')
    .whereRef('theirs.company_id', '=', 'people.company_id')
  return sql<string>`${theirs}`
}

const fullName = sql<string>`coalesce(first_name, '') || ' ' || coalesce(last_name, '')`

/** SQLite knows case in ASCII only, so of other letters the usual ways to write a name are looked for: "özil", "Özil", "ÖZIL". */
function inAnyCase(column: RawBuilder<unknown>, text: string): readonly Condition[] {
  const lower = text.toLowerCase()
  const capital = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase())
  const written = /^\p{ASCII}*$/u.test(text) ? [lower] : [lower, capital, text.toUpperCase()]
  return written.map((it) => sql<SqlBool>`lower(${column}) like ${patternOf(it)} escape '\\'`)
}

function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/**
 * Tells of each feed that somebody changes here, or a link of it: after the change, also where nobody knows whether the
 * database has taken it.
 */
export class ChangedFeeds {
  readonly #listeners: ((feedId: string) => void)[] = []

  /** Has that be told from now on. */
  listen(listener: (feedId: string) => void): void {
    this.#listeners.push(listener)
  }

  tell(feedId: string): void {
    for (const listener of this.#listeners) listener(feedId)
  }

  /** The change, told once it has been tried. */
  async during<T>(feedId: string, change: () => Promise<T>): Promise<T> {
    try {
      return await change()
    } finally {
      this.tell(feedId)
    }
  }
}

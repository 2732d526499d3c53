import {
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type Transaction,
  type Expression,
  sql,
  type ExpressionBuilder,
  type SqlBool,
  type UpdateQueryBuilder,
  type UpdateResult,
} from 'kysely'

import type { Database, Dialect } from '../database/database.ts'
import { given, type PreparedRead, readTogether } from '../database/prepared-read.ts'
import type { AuditEvent, AuditAction } from '../domain/access/audit-entry.ts'
import type { NextLedger, Publication } from '../domain/ledger.ts'
import {
  type BasisFound,
  type BasisNames,
  choicesText,
  type FeedLink,
  type LinkOfFeed,
  type LinkStore,
  type ChoiceChange,
  type LinkAuditEvent,
  type LinksCheck,
  type MailedBefore,
  type NamedEnd,
  type RotatedLink,
  lastingChoices,
} from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { noteOnLink } from './audit.ts'
import type { ChangedFeeds } from './feeds.ts'
import { copyLedger, replaceLedger, nextLedger } from './ledgers.ts'
import {
  feedColumns,
  type PublicationColumns,
  linkRow,
  publicationColumns,
  rowChoices,
  feedOf,
  notAsked,
  changeRow,
  isAmongTexts,
} from './rows.ts'
import type { FeedRow, LinkRow, StoreTables } from './tables.ts'

/** Links, each known by the hash of its token. */
export class SqlLinkStore implements LinkStore {
  readonly findBasis: LinkStore['findBasis']
  readonly #queries: Queries
  readonly #changed: ChangedFeeds
  readonly #read: PreparedRead<Pick<FeedLink, 'tokenHash'>, LinkWithFeedRow>

  constructor(database: Database<StoreTables>, changed: ChangedFeeds) {
    this.#queries = database.queries
    this.#changed = changed
    this.findBasis = prepareBasis(database)
    this.#read = database.prepareRead(withToken(this.#queries, given('tokenHash')))
  }

  async findByTokenHash(tokenHash: Uint8Array): Promise<LinkOfFeed | undefined> {
    const [row] = await this.#read({ tokenHash })
    return row && linkOfFeed(row)
  }

  async listLinks(feedIds: readonly string[]): Promise<readonly FeedLink[]> {
    return feedIds.length === 0 ? [] : linksOf(this.#queries, feedIds)
  }

  async listLinksInFull(
    companyId: string,
    userId: string,
    now: Instant,
  ): Promise<readonly LinkOfFeed[]> {
    const rows = await linksWithFeeds(this.#queries)
      .innerJoin('feed_users', 'feed_users.feed_id', 'feeds.id')
      .where('feed_users.user_id', '=', userId)
      // Asked for the equal one, SQLite would go through all feeds of the company, and not by the index of people.
      .where('company_id', '>=', companyId)
      .where('company_id', '<=', companyId)
      .where('revoked_at', 'is', null)
      .where('closed_at', 'is', null)
      .where('own_options', 'like', '%"detail":"full"%')
      .where((links) => links.or([links('ends_at', 'is', null), links('ends_at', '>', now)]))
      .execute()
    return rows.map(linkOfFeed)
  }

  async createLink(link: FeedLink, auditEvent?: AuditEvent, check?: LinksCheck): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, link.feedId)
      check?.(await linksOf(transaction, [link.feedId]))
      await addLink(transaction, link, await renameEndedLink(transaction, link))
      await noteOnLink(transaction, auditEvent, link)
    })
  }

  endLink(feedId: string, label: string, end: NamedEnd, auditEvent?: AuditEvent): Promise<boolean> {
    const { endsAt, purged = false } = end
    return this.#change(feedId, async (transaction) => {
      const named = { feedId, label }
      const ends = { endsAt, endingSince: endsAt, purged }
      const isChanged = await endNamed(transaction, named, ends)
      if (isChanged) await noteOnLink(transaction, auditEvent, named)
      return isChanged !== undefined
    })
  }

  endThis(link: FeedLink, endsAt: Instant, auditEvent?: AuditEvent): Promise<boolean> {
    const ends = { endsAt, endingSince: endsAt, purged: false }
    return this.#change(link.feedId, async (transaction) => {
      const isEnded = await endOpen(transaction, link.tokenHash, ends)
      if (isEnded) await noteOnLink(transaction, auditEvent, link)
      return isEnded
    })
  }

  changeChoices(
    link: FeedLink,
    change: ChoiceChange,
    auditEvent?: AuditEvent,
  ): Promise<LinkOfFeed | undefined> {
    return this.#change(link.feedId, async (transaction) => {
      await takeTurn(transaction, link.feedId)
      const row = await withToken(transaction, link.tokenHash).executeTakeFirst()
      if (!row) return undefined
      const before = linkOfFeed(row)
      const choices = choicesText(change(before))
      if (choices === choicesText(before.link.choices)) return before
      const changed = transaction.updateTable('links').where('token_hash', '=', link.tokenHash)
      await changed.set({ choices }).execute()
      await noteOnLink(transaction, auditEvent, before.link)
      return before
    })
  }

  rotateLink(
    link: FeedLink,
    old: RotatedLink,
    auditEvent?: AuditEvent,
    check?: LinksCheck,
  ): Promise<boolean> {
    return this.#change(link.feedId, async (transaction) => {
      await takeTurn(transaction, link.feedId)
      check?.(await linksOf(transaction, [link.feedId]))
      const isRotated = await rotate(transaction, link, old)
      if (isRotated) await noteOnLink(transaction, auditEvent, link)
      return isRotated
    })
  }

  mailLink(
    link: FeedLink,
    before: MailedBefore,
    by: Omit<AuditEvent, 'action'>,
  ): Promise<readonly LinkAuditEvent[]> {
    return this.#change(link.feedId, async (transaction) => {
      await takeTurn(transaction, link.feedId)
      return addMailed(transaction, link, before, by)
    })
  }

  async takeUp(
    link: FeedLink,
    isBefore: (other: FeedLink) => boolean,
    by: Omit<AuditEvent, 'action'>,
  ): Promise<readonly LinkAuditEvent[]> {
    const ends = await this.#queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, link.feedId)
      const links = await linksOf(transaction, [link.feedId])
      return takeUp(transaction, link, links.filter(isBefore), by)
    })
    // Where it fails, who asks is still to have what was ready for this link.
    if (ends.length > 0) this.#changed.tell(link.feedId)
    return ends
  }

  savePublication(
    link: FeedLink,
    before: Publication | null,
    now: Publication,
    ledger?: NextLedger,
  ): Promise<boolean> {
    return replacePublication(this.#queries, { link, before, now, ledger })
  }

  #change<T>(
    feedId: string,
    work: (transaction: Transaction<StoreTables>) => Promise<T>,
  ): Promise<T> {
    return this.#changed.during(feedId, () => this.#queries.transaction().execute(work))
  }
}

type Queries = Kysely<StoreTables>

/** All links of these feeds, in order. */
async function linksOf(queries: Queries, feedIds: readonly string[]): Promise<readonly FeedLink[]> {
  const links = queries.selectFrom('links').selectAll().where('feed_id', 'in', feedIds)
  return (await links.orderBy('created_at').orderBy('label').execute()).map(linkOf)
}

type LinkWithFeedRow = FeedRow &
  Omit<LinkRow, 'created_at' | 'purged'> & { link_created_at: Instant; link_purged: number }

/** Every link with its feed. */
function linksWithFeeds(
  queries: Queries,
): SelectQueryBuilder<StoreTables, 'links' | 'feeds', LinkWithFeedRow> {
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feed_id')
    .select(feedColumns)
    .select(['token_hash', 'links.feed_id', 'label', 'ends_at', 'ending_since', 'choices'])
    .select(['fingerprint', 'etag', 'last_modified'])
    .select(['links.created_at as link_created_at', 'links.purged as link_purged'])
    .select('awaits_poll')
}

/** The one whose token has that hash. */
function withToken(
  queries: Queries,
  tokenHash: Uint8Array | RawBuilder<Uint8Array>,
): ReturnType<typeof linksWithFeeds> {
  return linksWithFeeds(queries).where('token_hash', '=', tokenHash)
}

/** The link and its feed that such a row holds; `unavailable` where it cannot be read. */
function linkOfFeed(row: LinkWithFeedRow): LinkOfFeed {
  const ofLink = { created_at: row.link_created_at, purged: row.link_purged }
  return { feed: feedOf(row), link: linkOf({ ...row, ...ofLink }) }
}

/** The link that a row holds; `unavailable` where it cannot be read. */
function linkOf(row: LinkRow): FeedLink {
  return {
    feedId: row.feed_id,
    label: row.label,
    tokenHash: row.token_hash,
    createdAt: row.created_at,
    endsAt: row.ends_at,
    endingSince: row.ending_since,
    purged: row.purged === 1,
    awaitsPoll: row.awaits_poll === 1,
    choices: rowChoices(row),
    publication: publicationOf(row),
  }
}

function publicationOf({
  fingerprint,
  etag,
  last_modified,
}: PublicationColumns): Publication | null {
  if (fingerprint === null || etag === null || last_modified === null) return null
  return { fingerprint, etag, lastModified: last_modified }
}

/* What a link's last answer stands on, as one read gives it: the link, its feed, and of all else what its bytes depend on. */

/** Of one link, asked for together with others. */
type BasisAsked = readonly [BasisNames, BasisFound['seen']]

/** Every part is found by a key, and put together as `basisOf` does. */
function prepareBasis(database: Database<StoreTables>): LinkStore['findBasis'] {
  const { dialect, queries } = database
  const basis = sql<string>`coalesce((${findBasis(queries, dialect)}), '')`
  const read = database.prepareRead<{ readonly asked: string }, BasisFound>(
    select[dialect](queries, basis),
  )
  const find = readTogether<BasisAsked, BasisFound>((all) =>
    read({ asked: JSON.stringify(all.map(rowOf)) }),
  )
  return (names, seen) => find([names, seen])
}

/** In the order of `places`. */
function rowOf([{ tokenHash, connectionId, keys }, seen]: BasisAsked): readonly unknown[] {
  return [tokenHash, connectionId, keys, seen]
}

const places = { tokenHash: 0, connectionId: 1, keys: 2, seen: 3 }

/** What is asked for of a link. */
function asked(name: keyof typeof places): RawBuilder<string> {
  return sql`(asked.value ->> ${sql.lit(places[name])})`
}

/** A row for each that is asked for, in their order. */
const select = {
  // The version is another after each commit: nothing has to be looked up where there was none.
  sqlite: (queries: Queries, basis: RawBuilder<string>) =>
    queries
      .selectFrom(sql<{ data_version: number }>`pragma_data_version`.as('versions'))
      .crossJoin(sql`json_each(${given('asked')})`.as('asked'))
      .select([
        'data_version as seen',
        sql<
          string | null
        >`case when data_version = ${asked('seen')} then null else ${basis} end`.as('basis'),
      ])
      .orderBy(sql`asked.key`),
  postgres: (queries: Queries, basis: RawBuilder<string>) =>
    queries
      .selectFrom(
        sql`jsonb_array_elements(cast(${given('asked')} as jsonb)) with ordinality`.as(
          sql`asked (value, place)`,
        ),
      )
      .select([sql<null>`null`.as('seen'), basis.as('basis')])
      .orderBy(sql`place`),
}

function findBasis(queries: Queries, dialect: Dialect): Expression<unknown> {
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feed_id')
    .leftJoin('proofs', (join) => join.on('proofs.connection_id', '=', asked('connectionId')))
    .where('token_hash', '=', bytesOf[dialect](asked('tokenHash')))
    .select(
      joined([...ofFeed, ...ofLink, ...ofProof, contentsAmong(dialect), departed]).as('basis'),
    )
}

const bytesOf = {
  sqlite: (hex: RawBuilder<string>) => sql<Uint8Array>`unhex(${hex})`,
  postgres: (hex: RawBuilder<string>) => sql<Uint8Array>`decode(${hex}, 'hex')`,
}

type Part = RawBuilder<unknown>

const ofFeed = refs('revision', 'leaves_shown', 'revoked_at', 'feeds.purged_at', 'closed_at')
const ofLink = refs('ends_at', 'links.purged', 'choices', 'fingerprint', 'etag', 'last_modified')
const ofProof = [
  sql`coalesce(proofs.state, ${sql.lit(notAsked.state)})`,
  sql`case when proofs.state is null then ${sql.lit(notAsked.reason)} else proofs.reason end`,
  sql`coalesce(proofs.since, ${sql.lit(notAsked.since)})`,
]

function refs(...names: readonly string[]): readonly Part[] {
  return names.map((name) => sql.ref(name))
}

function joined(parts: readonly Part[]): RawBuilder<string> {
  const texts = parts.map((part) => sql`coalesce(cast(${part} as text), '')`)
  return sql`${sql.join(texts, sql` || '|' || `)}`
}

function contentsAmong(dialect: Dialect): Part {
  return inOrder(sql`select copies.key || '=' || content_hash as text from copies
    where copies.connection_id = ${asked('connectionId')} and ${isAmongTexts(dialect, 'copies.key', asked('keys'))}
    order by copies.key`)
}

const departed = inOrder(sql`select departures.user_id as text
  from feed_users join departures on departures.company_id = feeds.company_id
    and departures.user_id = feed_users.user_id
  where feed_users.feed_id = feeds.id and left_at is not null order by departures.user_id`)

/** A line for each row, which come in the order of an index, which costs less than sorting them where they are joined. */
function inOrder(rows: Part): Part {
  return sql`(select string_agg(text, ${sql.lit('\n')}) from (${rows}) as texts)`
}

/** How a link ends. */
interface LinkEnd extends Pick<FeedLink, 'purged'> {
  readonly endsAt: Instant
  readonly endingSince: Instant
}

type LinkUpdate = UpdateQueryBuilder<StoreTables, 'links', 'links', UpdateResult>

/** Ends the link of that label, unless it ends earlier anyway: whether that has changed it, undefined if there is none. */
async function endNamed(
  queries: Queries,
  { feedId, label }: Pick<FeedLink, 'feedId' | 'label'>,
  end: LinkEnd,
): Promise<boolean | undefined> {
  const links = queries.selectFrom('links').select('token_hash')
  const named = links.where('feed_id', '=', feedId).where('label', '=', label)
  const link = await named.executeTakeFirst()
  return link && endUnlessEarlier(queries, link.token_hash, end)
}

/** Ends the link of that secret; false if it has an end already that is certain, anyone who gave it that meanwhile. */
function endOpen(queries: Queries, tokenHash: Uint8Array, end: LinkEnd): Promise<boolean> {
  return changeRow(withEnd(queries, tokenHash, end).where(hasNoCertainEnd(end.endingSince)))
}

/** Ends a link that another takes the place of; false where it is not the one that was meant, or that one has an end. */
async function endRotated(
  queries: Queries,
  tokenHash: Uint8Array,
  end: LinkEnd,
  meant: Uint8Array | undefined,
): Promise<boolean> {
  if (meant) return Buffer.from(tokenHash).equals(meant) && endOpen(queries, tokenHash, end)
  await endUnlessEarlier(queries, tokenHash, end)
  return true
}

/** Ends the link, unless it ends earlier anyway; false where it does. */
function endUnlessEarlier(queries: Queries, tokenHash: Uint8Array, end: LinkEnd): Promise<boolean> {
  return changeRow(
    withEnd(queries, tokenHash, end).where((links) =>
      links.or([links('ends_at', '>', end.endsAt), hasNoCertainEnd(end.endingSince)(links)]),
    ),
  )
}

/** Of a link that goes on at that instant, and ends at none or only for lying unused. */
function hasNoCertainEnd(now: Instant) {
  return (links: ExpressionBuilder<StoreTables, 'links'>): Expression<SqlBool> =>
    links.or([
      links('ends_at', 'is', null),
      links.and([links('awaits_poll', '=', 1), links('ends_at', '>', now)]),
    ])
}

function withEnd(queries: Queries, tokenHash: Uint8Array, end: LinkEnd): LinkUpdate {
  const { endsAt, endingSince, purged } = end
  const set = {
    ends_at: endsAt,
    ending_since: endingSince,
    purged: purged ? 1 : 0,
    awaits_poll: 0,
  }
  return queries.updateTable('links').where('token_hash', '=', tokenHash).set(set)
}

type LinkName = Pick<FeedLink, 'feedId' | 'label'>

/** What is asked of a link that is found by its label. */
export type NamedLink = Pick<LinkRow, 'token_hash' | 'ends_at' | 'choices' | 'awaits_poll'>

/** The link of the feed by that label. */
function findNamed(queries: Queries, { feedId, label }: LinkName): Promise<NamedLink | undefined> {
  const links = queries
    .selectFrom('links')
    .select(['token_hash', 'ends_at', 'choices', 'awaits_poll'])
  return links.where('feed_id', '=', feedId).where('label', '=', label).executeTakeFirst()
}

/** The wanted label, or the next one with a number that no link of the feed has. */
async function freeLabel(queries: Queries, feedId: string, wanted: string): Promise<string> {
  const links = queries.selectFrom('links').select('label').where('feed_id', '=', feedId)
  const taken = new Set((await links.execute()).map((link) => link.label))
  let label = wanted
  for (let number = 2; taken.has(label); number += 1) label = `${wanted} ${number}`
  return label
}

/** Gives a link another label, and with it all that is known of its clients. */
async function renameLink(queries: Queries, name: LinkName, label: string): Promise<void> {
  const links = queries.updateTable('links').where('feed_id', '=', name.feedId)
  await links.where('label', '=', name.label).set({ label }).execute()
}

/** New links of one feed, rotations, and choices for them, follow each other, on whatever nodes. */
export async function takeTurn(queries: Queries, feedId: string): Promise<void> {
  await queries.updateTable('feeds').set({ id: feedId }).where('id', '=', feedId).execute()
}

/** Adds the link, which goes on with the ledger of the ended one whose label it has, where there is one. */
async function addLink(
  queries: Queries,
  link: FeedLink,
  ended: Uint8Array | undefined,
): Promise<void> {
  await queries.insertInto('links').values(linkRow(link)).execute()
  if (ended) await copyLedger(queries, ended, link.tokenHash)
}

/** A token hash tells ended links of one label apart; undefined where none of that label has ended. */
async function renameEndedLink(queries: Queries, link: FeedLink): Promise<Uint8Array | undefined> {
  const named = await findNamed(queries, link)
  if (!named || named.ends_at === null || named.ends_at > link.createdAt) return undefined
  const suffix = Buffer.from(named.token_hash).toString('hex', 0, 4)
  await renameLink(queries, link, `${link.label} (${suffix})`)
  return named.token_hash
}

/* What links serve, and with it the ledgers that it was made by. */

interface Replacement {
  readonly link: Pick<FeedLink, 'tokenHash'>
  readonly before: Publication | null
  readonly now: Publication
  readonly ledger: NextLedger | undefined
}

/** As `LinkStore.savePublication` says. The link comes first, as it does where it is removed with its ledger. */
async function replacePublication(
  queries: Queries,
  { ledger, ...replacement }: Replacement,
): Promise<boolean> {
  if (!ledger) return servesFromNow(queries, replacement)
  const next = await nextLedger(replacement.link.tokenHash, ledger)
  return allOrNothing(queries, [
    (transaction) => servesFromNow(transaction, replacement),
    (transaction) => replaceLedger(transaction, next),
  ])
}

/** False if the link did not still serve what was there before. */
function servesFromNow(
  queries: Queries,
  { link, before, now }: Omit<Replacement, 'ledger'>,
): Promise<boolean> {
  const { fingerprint, etag, last_modified: lastModified } = publicationColumns(before)
  const stillServing = queries
    .updateTable('links')
    .where('token_hash', '=', link.tokenHash)
    .where('fingerprint', 'is not distinct from', fingerprint)
    .where('etag', 'is not distinct from', etag)
    .where('last_modified', 'is not distinct from', lastModified)
  return changeRow(stillServing.set(publicationColumns(now)))
}

/** Takes the steps one after the other; false, and nothing is changed, where one does not find what it changes. */
async function allOrNothing(
  queries: Queries,
  steps: readonly ((transaction: Queries) => Promise<boolean>)[],
): Promise<boolean> {
  const outdated = new Error('It has been changed meanwhile.')
  const taken = queries.transaction().execute(async (transaction) => {
    for (const step of steps) if (!(await step(transaction))) throw outdated
    return true
  })
  return taken.catch((error: unknown) => {
    if (error === outdated) return false
    throw error
  })
}

/**
 * In its feed's turn: puts the link in the place of the one of its label; false where there is none, or not the one that was
 * meant.
 */
async function rotate(
  transaction: Transaction<StoreTables>,
  link: FeedLink,
  old: RotatedLink,
): Promise<boolean> {
  const rotated = await findNamed(transaction, link)
  const end = { endsAt: old.endsAt, endingSince: link.createdAt, purged: false }
  if (!rotated || !(await endRotated(transaction, rotated.token_hash, end, old.tokenHash)))
    return false
  // Who replaces a mailed link subscribes by the new one.
  const awaitsPoll = rotated.awaits_poll === 1
  await takeLabel(transaction, { ...link, awaitsPoll }, rotated, old.label)
  return true
}

/** Adds the link under the label of another, which is renamed; both go on with its ledger, each for itself. */
async function takeLabel(
  transaction: Transaction<StoreTables>,
  link: FeedLink,
  before: NamedLink,
  renamed: string,
): Promise<void> {
  await renameLink(transaction, link, await freeLabel(transaction, link.feedId, renamed))
  const choices = rowChoices({ feed_id: link.feedId, choices: before.choices })
  const lasting = { ...link, choices: lastingChoices({ choices }) }
  await transaction.insertInto('links').values(linkRow(lasting)).execute()
  await copyLedger(transaction, before.token_hash, link.tokenHash)
}

/* Links that are mailed to who has lost theirs: the one mailed before goes on until a calendar program asks for the new one. */

type Steps = Transaction<StoreTables>
type By = Omit<AuditEvent, 'action'>

/** As `LinkStore.mailLink` says, in its feed's turn. */
async function addMailed(
  steps: Steps,
  link: FeedLink,
  before: MailedBefore,
  by: By,
): Promise<readonly LinkAuditEvent[]> {
  const ends = await endUntouched(steps, link, before.untouchedMax - 1, by)
  await steps
    .updateTable('links')
    .set({ ends_at: before.unusedEndAt, ending_since: link.createdAt })
    .where('feed_id', '=', link.feedId)
    .where('awaits_poll', '=', 1)
    .where('ends_at', 'is', null)
    .execute()
  const ended = await renameEndedLink(steps, link)
  const named = await findNamed(steps, link)
  if (named) await takeLabel(steps, link, named, before.label)
  else await addLink(steps, link, ended)
  return [...ends, await note(steps, by, named ? 'link_rotated' : 'link_created', link)]
}

/** As `LinkStore.takeUp` says, in its feed's turn, of the links that were mailed before. */
async function takeUp(
  steps: Steps,
  link: FeedLink,
  before: readonly FeedLink[],
  by: By,
): Promise<readonly LinkAuditEvent[]> {
  const waiting = steps
    .updateTable('links')
    .where('token_hash', '=', link.tokenHash)
    .where('awaits_poll', '=', 1)
    .where(hasNoCertainEnd(by.at))
  const goesOn = { awaits_poll: 0, ends_at: null, ending_since: null }
  return (await changeRow(waiting.set(goesOn))) ? endAll(steps, before, by) : []
}

/** Ends all but the last of the links that nobody has asked for since they were mailed, not even a browser. */
async function endUntouched(
  steps: Steps,
  { feedId }: FeedLink,
  left: number,
  by: By,
): Promise<readonly LinkAuditEvent[]> {
  const untouched = await steps
    .selectFrom('links')
    .select(['feed_id as feedId', 'label', 'token_hash as tokenHash'])
    .where('feed_id', '=', feedId)
    .where('awaits_poll', '=', 1)
    .where(hasNoCertainEnd(by.at))
    .where((links) =>
      links.not(
        links.exists(
          links
            .selectFrom('activity')
            .select('polls')
            .whereRef('activity.token_hash', '=', 'links.token_hash'),
        ),
      ),
    )
    .orderBy('created_at', 'desc')
    .execute()
  return endAll(steps, untouched.slice(left), by)
}

async function endAll(
  steps: Steps,
  links: readonly Pick<FeedLink, 'feedId' | 'label' | 'tokenHash'>[],
  by: By,
): Promise<readonly LinkAuditEvent[]> {
  const end = { endsAt: by.at, endingSince: by.at, purged: false }
  const ends: LinkAuditEvent[] = []
  for (const link of links) {
    if (!(await endUnlessEarlier(steps, link.tokenHash, end))) continue
    ends.push(await note(steps, by, 'link_ended', link))
  }
  return ends
}

async function note(
  steps: Steps,
  by: By,
  action: AuditAction,
  link: Pick<FeedLink, 'feedId' | 'label'>,
): Promise<LinkAuditEvent> {
  const auditEvent = { ...by, action }
  await noteOnLink(steps, auditEvent, link)
  return { auditEvent, label: link.label }
}

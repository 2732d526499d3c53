import type { Kysely, RawBuilder, SelectQueryBuilder, Transaction } from 'kysely'

import type { Database } from '../database/database.ts'
import { given, type PreparedRead } from '../database/prepared-read.ts'
import type { Deed } from '../domain/access/audit-entry.ts'
import type { NextLedger, Publication } from '../domain/ledger.ts'
import { choicesText, type FeedLink, type LinkOfFeed, type LinkStore } from '../domain/link.ts'
import type {
  ChoiceChange,
  LinkDeed,
  LinksCheck,
  MailedBefore,
  NamedEnd,
  RotatedLink,
} from '../domain/links/changes.ts'
import type { Instant } from '../domain/world.ts'
import { noteOnLink } from './access/deeds.ts'
import type { ChangedFeeds } from './changed-feeds.ts'
import { prepareBasis } from './links/basis.ts'
import { endNamed, endOpen } from './links/link-ends.ts'
import { addLink, renameEndedLink, takeTurn } from './links/link-labels.ts'
import { replacePublication } from './links/link-publications.ts'
import { rotate } from './links/link-rotation.ts'
import { feedColumns, type PublicationColumns } from './links/link-rows.ts'
import { addMailed, takeUp } from './links/mailed-links.ts'
import { choicesOf, feedOf } from './rows.ts'
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

  async createLink(link: FeedLink, deed?: Deed, check?: LinksCheck): Promise<void> {
    await this.#queries.transaction().execute(async (transaction) => {
      await takeTurn(transaction, link.feedId)
      check?.(await linksOf(transaction, [link.feedId]))
      await addLink(transaction, link, await renameEndedLink(transaction, link))
      await noteOnLink(transaction, deed, link)
    })
  }

  endLink(feedId: string, label: string, end: NamedEnd, deed?: Deed): Promise<boolean> {
    const { endsAt, purged = false } = end
    return this.#change(feedId, async (transaction) => {
      const named = { feedId, label }
      const ends = { endsAt, endingSince: endsAt, purged }
      const isChanged = await endNamed(transaction, named, ends)
      if (isChanged) await noteOnLink(transaction, deed, named)
      return isChanged !== undefined
    })
  }

  endThis(link: FeedLink, endsAt: Instant, deed?: Deed): Promise<boolean> {
    const ends = { endsAt, endingSince: endsAt, purged: false }
    return this.#change(link.feedId, async (transaction) => {
      const isEnded = await endOpen(transaction, link.tokenHash, ends)
      if (isEnded) await noteOnLink(transaction, deed, link)
      return isEnded
    })
  }

  changeChoices(
    link: FeedLink,
    change: ChoiceChange,
    deed?: Deed,
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
      await noteOnLink(transaction, deed, before.link)
      return before
    })
  }

  rotateLink(link: FeedLink, old: RotatedLink, deed?: Deed, check?: LinksCheck): Promise<boolean> {
    return this.#change(link.feedId, async (transaction) => {
      await takeTurn(transaction, link.feedId)
      check?.(await linksOf(transaction, [link.feedId]))
      const isRotated = await rotate(transaction, link, old)
      if (isRotated) await noteOnLink(transaction, deed, link)
      return isRotated
    })
  }

  mailLink(
    link: FeedLink,
    before: MailedBefore,
    by: Omit<Deed, 'action'>,
  ): Promise<readonly LinkDeed[]> {
    return this.#change(link.feedId, async (transaction) => {
      await takeTurn(transaction, link.feedId)
      return addMailed(transaction, link, before, by)
    })
  }

  async takeUp(
    link: FeedLink,
    isBefore: (other: FeedLink) => boolean,
    by: Omit<Deed, 'action'>,
  ): Promise<readonly LinkDeed[]> {
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
    choices: choicesOf(row),
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

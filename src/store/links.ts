import {
  type Expression,
  type ExpressionBuilder,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from 'kysely'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'
import { together } from '../database/together.ts'
import type { AuditAction, AuditEvent } from '../domain/access/audit-entry.ts'
import type { Publication } from '../domain/ledger.ts'
import {
  type BasisFound,
  type BasisNames,
  choicesText,
  type FeedLink,
  type LinkAuditEvent,
  linkName,
  type LinkOfFeed,
  type LinkStore,
} from '../domain/link.ts'
import type { Instant } from '../domain/world.ts'
import { noteOnLink } from './audit.ts'
import { type ChangedFeeds, lockFeed } from './feeds.ts'
import { copyLedger, nextLedger, replaceLedger } from './ledgers.ts'
import {
  changeRow,
  choicesIn,
  feedColumns,
  feedOf,
  type FeedWithDefaultsRow,
  isAmong,
  isOfCompany,
  isOpen,
  linkOf,
  linkRow,
  notAsked,
  optionsHold,
  rowOf,
} from './rows.ts'
import type { LinkRow, Queries, StoreDatabase, StoreTables } from './tables.ts'

/** Links, stored by the hash of their token. */
export function linkStore(database: StoreDatabase, changed: ChangedFeeds): LinkStore {
  const { queries } = database
  const find = prepareFind(database)
  const inTurn = <T>(feedId: string, work: (steps: Queries) => Promise<T>): Promise<T> =>
    queries.transaction().execute(async (steps) => {
      await lockFeed(steps, feedId)
      return work(steps)
    })
  const change = <T>(feedId: string, work: (steps: Queries) => Promise<T>): Promise<T> =>
    changed.during(feedId, () => inTurn(feedId, work))
  return {
    findBasis: prepareBasis(database),
    async findByTokenHash(tokenHash) {
      const row = await find(tokenHash)
      return row && linkOfFeed(row)
    },
    listLinks: async (feedIds) => (feedIds.length === 0 ? [] : linksOf(queries, feedIds)),
    async listLinksInFull(companyId, userId, now) {
      const rows = await linksWithFeeds(queries)
        .innerJoin('feedUsers', 'feedUsers.feedId', 'feeds.id')
        .where('feedUsers.userId', '=', userId)
        .where(isOfCompany(companyId))
        .where(isOpen)
        .where(optionsHold('"detail":"full"'))
        .where((links) => links.or([links('endsAt', 'is', null), links('endsAt', '>', now)]))
        .execute()
      return rows.map(linkOfFeed)
    },
    createLink: (link, auditEvent, check) =>
      inTurn(link.feedId, async (steps) => {
        check?.(await linksOf(steps, [link.feedId]))
        await addLink(steps, link, await renameEndedLink(steps, link))
        await noteOnLink(steps, auditEvent, link)
      }),
    endLink: (feedId, label, { endsAt, purged = false }, auditEvent) =>
      change(feedId, async (steps) => {
        const link = await findNamed(steps, { feedId, label })
        if (!link) return undefined
        const isChanged = await endUnlessEarlier(steps, link.tokenHash, endColumns(endsAt, purged))
        if (isChanged) await noteOnLink(steps, auditEvent, { feedId, label })
        return isChanged
      }),
    endByToken: (link, endsAt, auditEvent) =>
      change(link.feedId, async (steps) => {
        const isEnded = await endOpen(steps, link.tokenHash, endColumns(endsAt))
        if (isEnded) await noteOnLink(steps, auditEvent, link)
        return isEnded
      }),
    reopenLink: (link, auditEvent) =>
      change(link.feedId, async (steps) => {
        const { tokenHash, endsAt } = link
        const ended = steps
          .updateTable('links')
          .where((of) => of.and({ tokenHash, purged: 0 }))
          .where('endsAt', 'is not distinct from', endsAt)
        const isReopened = await changeRow(ended.set({ endsAt: null, endingSince: null }))
        if (isReopened) await noteOnLink(steps, auditEvent, link)
        return isReopened
      }),
    changeChoices: (link, chosen, auditEvent) =>
      change(link.feedId, async (steps) => {
        const row = await withToken(steps, link.tokenHash).executeTakeFirst()
        if (!row) return undefined
        const before = linkOfFeed(row)
        const choices = choicesText(chosen(before))
        if (choices === choicesText(before.link.choices)) return before
        const kept = steps.updateTable('links').where('tokenHash', '=', link.tokenHash)
        await kept.set({ choices }).execute()
        await noteOnLink(steps, auditEvent, before.link)
        return before
      }),
    rotateLink: (link, old, auditEvent, check, once) =>
      change(link.feedId, async (steps) => {
        check?.(await linksOf(steps, [link.feedId]))
        const rotated = await findNamed(steps, link)
        if (!rotated) return false
        const { tokenHash } = rotated
        const end = { ...endColumns(old.endsAt), endingSince: link.createdAt }
        if (!old.tokenHash) await endUnlessEarlier(steps, tokenHash, end)
        else if (!Buffer.from(tokenHash).equals(old.tokenHash)) return false
        else if (!(await endOpen(steps, tokenHash, end))) return false
        // Replacing a mailed link means to subscribe with the new one.
        const awaitsPoll = rotated.awaitsPoll === 1
        await takeLabel(steps, { ...link, awaitsPoll }, rotated, old.label)
        if (once) await steps.insertInto('creations').values(rowOf(once)).execute()
        await noteOnLink(steps, auditEvent, link)
        return true
      }),
    mailLink: (link, before, by) =>
      change(link.feedId, async (steps) => {
        const untouched = await listUntouched(steps, link.feedId, by.at)
        const ends = await endAll(steps, untouched.slice(before.untouchedMax - 1), by)
        await steps
          .updateTable('links')
          .set({ endsAt: before.unusedEndAt, endingSince: link.createdAt })
          .where((of) => of.and({ feedId: link.feedId, awaitsPoll: 1 }))
          .where('endsAt', 'is', null)
          .execute()
        const ended = await renameEndedLink(steps, link)
        const named = await findNamed(steps, link)
        if (named) await takeLabel(steps, link, named, before.label)
        else await addLink(steps, link, ended)
        return [...ends, await note(steps, by, named ? 'link_rotated' : 'link_created', link)]
      }),
    async takeUp(link, isBefore, by) {
      const ends = await inTurn(link.feedId, async (steps) => {
        const links = await linksOf(steps, [link.feedId])
        const waiting = steps
          .updateTable('links')
          .where((of) => of.and({ tokenHash: link.tokenHash, awaitsPoll: 1 }))
          .where(hasNoCertainEnd(by.at))
        const goesOn = { awaitsPoll: 0, endsAt: null, endingSince: null }
        const isTaken = await changeRow(waiting.set(goesOn))
        return isTaken ? endAll(steps, links.filter(isBefore), by) : []
      })
      // If it fails, the client should still get the ready answer of this link.
      if (ends.length > 0) changed.tell(link.feedId)
      return ends
    },
    async savePublication(link, before, now, ledger) {
      if (!ledger) return replacePublication(queries, link, before, now)
      const next = await nextLedger(link.tokenHash, ledger)
      const outdated = new Error('It has been changed meanwhile.')
      const saving = queries.transaction().execute(async (steps) => {
        // Locks the link first, as its removal does.
        if (!(await replacePublication(steps, link, before, now))) throw outdated
        if (!(await replaceLedger(steps, next))) throw outdated
        return true
      })
      return saving.catch((error: unknown) => {
        if (error === outdated) return false
        throw error
      })
    },
  }
}

/** False if the link no longer serves `before`. */
function replacePublication(
  queries: Queries,
  { tokenHash }: FeedLink,
  before: Publication | null,
  { fingerprint, etag, lastModified }: Publication,
): Promise<boolean> {
  const stillServing = queries
    .updateTable('links')
    .where('tokenHash', '=', tokenHash)
    .where('fingerprint', 'is not distinct from', before?.fingerprint ?? null)
    .where('etag', 'is not distinct from', before?.etag ?? null)
    .where('lastModified', 'is not distinct from', before?.lastModified ?? null)
  return changeRow(stillServing.set({ fingerprint, etag, lastModified }))
}

async function linksOf(queries: Queries, feedIds: readonly string[]): Promise<readonly FeedLink[]> {
  const links = queries.selectFrom('links').selectAll().where('feedId', 'in', feedIds)
  return (await links.orderBy('createdAt').orderBy('label').execute()).map(linkOf)
}

type LinkWithFeedRow = FeedWithDefaultsRow &
  Omit<LinkRow, 'createdAt' | 'purged'> & { linkCreatedAt: Instant; linkPurged: number }

function linksWithFeeds(
  queries: Queries,
): SelectQueryBuilder<StoreTables, 'links' | 'feeds', LinkWithFeedRow> {
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feedId')
    .select(feedColumns)
    .select(['tokenHash', 'links.feedId', 'label', 'endsAt', 'endingSince', 'awaitsPoll'])
    .select(['choices', 'fingerprint', 'etag', 'lastModified'])
    .select(['links.createdAt as linkCreatedAt', 'links.purged as linkPurged'])
}

function withToken(queries: Queries, tokenHash: Uint8Array | RawBuilder<Uint8Array>) {
  return linksWithFeeds(queries).where('tokenHash', '=', tokenHash)
}

/** On PostgreSQL, each query costs more than what it finds, so that polls at the same time share one. */
function prepareFind({
  dialect,
  queries,
  prepareRead,
}: StoreDatabase): (tokenHash: Uint8Array) => Promise<LinkWithFeedRow | undefined> {
  if (dialect === 'sqlite') {
    const query = withToken(queries, given('tokenHash'))
    const read = prepareRead<{ readonly tokenHash: Uint8Array }, LinkWithFeedRow>(query)
    return async (tokenHash) => (await read({ tokenHash }))[0]
  }
  const query = linksWithFeeds(queries).where(
    sql<SqlBool>`token_hash = any(${given('tokenHashes')})`,
  )
  const read = prepareRead<{ readonly tokenHashes: readonly Uint8Array[] }, LinkWithFeedRow>(query)
  return together(async (tokenHashes) => {
    const rows = new Map((await read({ tokenHashes })).map((row) => [linkName(row), row]))
    return tokenHashes.map((tokenHash) => rows.get(linkName({ tokenHash })))
  })
}

function linkOfFeed(row: LinkWithFeedRow): LinkOfFeed {
  const { tokenHash, feedId, label, endsAt, endingSince, awaitsPoll, choices, ...others } = row
  const { fingerprint, etag, lastModified, linkCreatedAt, linkPurged, ...feed } = others
  const ends = { createdAt: linkCreatedAt, endsAt, endingSince, purged: linkPurged, awaitsPoll }
  const publication = { fingerprint, etag, lastModified }
  const link = { tokenHash, feedId, label, ...ends, choices, ...publication }
  return { feed: feedOf(feed), link: linkOf(link) }
}

/* Reads the basis of a link's last answer in one query: the link, its feed, and everything else its bytes depend on. */

/** Each part is found by a key and combined as in `basisOf`. */
function prepareBasis({ dialect, queries, prepareRead }: StoreDatabase): LinkStore['findBasis'] {
  const basis = sql<string>`coalesce((${findBasis(queries, dialect)}), '')`
  const read = prepareRead<{ readonly asked: string }, BasisFound>(select[dialect](queries, basis))
  const find = together<readonly [BasisNames, BasisFound['seen']], BasisFound>((all) => {
    const rows = all.map(([{ tokenHash, connectionId, keys }, seen]) => {
      return [tokenHash, connectionId, keys, seen]
    })
    return read({ asked: JSON.stringify(rows) })
  })
  return (names, seen) => find([names, seen])
}

const places = { tokenHash: 0, connectionId: 1, keys: 2, seen: 3 }

function asked(name: keyof typeof places): RawBuilder<string> {
  return sql`(asked.value ->> ${sql.lit(places[name])})`
}

/** One row per request, in order. */
const select = {
  // `data_version` changes with each commit of another connection: if it has not, nothing is looked up.
  sqlite: (queries: Queries, basis: RawBuilder<string>) =>
    queries
      .selectFrom(sql`pragma_data_version`.as('versions'))
      .crossJoin(sql`json_each(${given('asked')})`.as('asked'))
      .select([
        sql<number>`data_version`.as('seen'),
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
  const hex = asked('tokenHash')
  const bytes = dialect === 'sqlite' ? sql`unhex(${hex})` : sql`decode(${hex}, 'hex')`
  const contents = inOrder(sql`select copies.key || '=' || content_hash as text from copies
    where copies.connection_id = ${asked('connectionId')}
      and ${isAmong(dialect, 'copies.key', asked('keys'))}
    order by copies.key`)
  const parts = [...ofFeed, ...ofLink, ...ofProof, contents, departed]
  const texts = parts.map((part) => sql`coalesce(cast(${part} as text), '')`)
  return queries
    .selectFrom('links')
    .innerJoin('feeds', 'feeds.id', 'links.feedId')
    .leftJoin('proofs', (join) => join.on('proofs.connectionId', '=', asked('connectionId')))
    .where('tokenHash', '=', sql<Uint8Array>`${bytes}`)
    .select(sql`${sql.join(texts, sql` || '|' || `)}`.as('basis'))
}

type Part = RawBuilder<unknown>

const ofFeed = [
  sql.ref('feeds.revision'),
  sql`coalesce((select revision from company_defaults
    where company_defaults.company_id = feeds.company_id), 0)`,
  ...refs('leavesShown', 'revokedAt', 'feeds.purgedAt', 'closedAt'),
]
const ofLink = refs('endsAt', 'links.purged', 'choices', 'fingerprint', 'etag', 'lastModified')
const ofProof = [
  sql`coalesce(proofs.state, ${sql.lit(notAsked.state)})`,
  sql`case when proofs.state is null then ${sql.lit(notAsked.reason)} else proofs.reason end`,
  sql`coalesce(proofs.since, ${sql.lit(notAsked.since)})`,
]

function refs(...names: readonly string[]): readonly Part[] {
  return names.map((name) => sql.ref(name))
}

const departed = inOrder(sql`select departures.user_id as text
  from feed_users join departures on departures.company_id = feeds.company_id
    and departures.user_id = feed_users.user_id
  where feed_users.feed_id = feeds.id and left_at is not null order by departures.user_id`)

/** One line per row. Rows come in index order, which is cheaper than sorting in the aggregate. */
function inOrder(rows: Part): Part {
  return sql`(select string_agg(text, ${sql.lit('\n')}) from (${rows}) as texts)`
}

interface EndColumns {
  readonly endsAt: Instant
  readonly endingSince: Instant
  readonly purged: number
}

function endColumns(endsAt: Instant, purged = false): EndColumns {
  return { endsAt, endingSince: endsAt, purged: purged ? 1 : 0 }
}

/** Ends the link; false if it already has a certain end. */
function endOpen(queries: Queries, tokenHash: Uint8Array, end: EndColumns): Promise<boolean> {
  return changeRow(withEnd(queries, tokenHash, end).where(hasNoCertainEnd(end.endingSince)))
}

/** Ends the link; false if it ends earlier anyway. */
function endUnlessEarlier(
  queries: Queries,
  tokenHash: Uint8Array,
  end: EndColumns,
): Promise<boolean> {
  return changeRow(
    withEnd(queries, tokenHash, end).where((links) =>
      links.or([links('endsAt', '>', end.endsAt), hasNoCertainEnd(end.endingSince)(links)]),
    ),
  )
}

function withEnd(queries: Queries, tokenHash: Uint8Array, end: EndColumns) {
  const links = queries.updateTable('links').where('tokenHash', '=', tokenHash)
  return links.set({ ...end, awaitsPoll: 0 })
}

/** Selects active links with no end, or with one only because they are unused. */
function hasNoCertainEnd(now: Instant) {
  return (links: ExpressionBuilder<StoreTables, 'links'>): Expression<SqlBool> =>
    links.or([
      links('endsAt', 'is', null),
      links.and([links('awaitsPoll', '=', 1), links('endsAt', '>', now)]),
    ])
}

type LinkName = Pick<FeedLink, 'feedId' | 'label'>
type NamedLink = Pick<LinkRow, 'tokenHash' | 'endsAt' | 'choices' | 'awaitsPoll'>

function findNamed(queries: Queries, { feedId, label }: LinkName): Promise<NamedLink | undefined> {
  return queries
    .selectFrom('links')
    .select(['tokenHash', 'endsAt', 'choices', 'awaitsPoll'])
    .where((links) => links.and({ feedId, label }))
    .executeTakeFirst()
}

/** Renames a link. */
async function renameLink(
  queries: Queries,
  { feedId, label }: LinkName,
  renamed: string,
): Promise<void> {
  const links = queries.updateTable('links').where((of) => of.and({ feedId, label }))
  await links.set({ label: renamed }).execute()
}

/** Adds the link; it continues the ledger of the ended link with its label, if any. */
async function addLink(
  queries: Queries,
  link: FeedLink,
  ended: Uint8Array | undefined,
): Promise<void> {
  await queries.insertInto('links').values(linkRow(link)).execute()
  if (ended) await copyLedger(queries, ended, link.tokenHash)
}

/** Appends the token hash to the label of the ended link; undefined if there is none. */
async function renameEndedLink(queries: Queries, link: FeedLink): Promise<Uint8Array | undefined> {
  const named = await findNamed(queries, link)
  if (!named || named.endsAt === null || named.endsAt > link.createdAt) return undefined
  const suffix = Buffer.from(named.tokenHash).toString('hex', 0, 4)
  await renameLink(queries, link, `${link.label} (${suffix})`)
  return named.tokenHash
}

/** Adds the link under the label of another, which is renamed; both continue its ledger separately. */
async function takeLabel(
  queries: Queries,
  link: FeedLink,
  before: NamedLink,
  wanted: string,
): Promise<void> {
  const taken = new Set((await linksOf(queries, [link.feedId])).map(({ label }) => label))
  let renamed = wanted
  for (let number = 2; taken.has(renamed); number += 1) renamed = `${wanted} ${number}`
  await renameLink(queries, link, renamed)
  const choices = choicesIn(link.feedId, before.choices)
  await addLink(queries, { ...link, choices }, before.tokenHash)
}

type By = Omit<AuditEvent, 'action'>

/** Mailed links without any request, not even from a browser, newest first. */
function listUntouched(
  queries: Queries,
  feedId: string,
  now: Instant,
): Promise<readonly (LinkName & Pick<FeedLink, 'tokenHash'>)[]> {
  return queries
    .selectFrom('links')
    .select(['feedId', 'label', 'tokenHash'])
    .where((of) => of.and({ feedId, awaitsPoll: 1 }))
    .where(hasNoCertainEnd(now))
    .where(
      sql<SqlBool>`not exists (select 1 from activity where activity.token_hash = links.token_hash)`,
    )
    .orderBy('createdAt', 'desc')
    .execute()
}

async function endAll(
  queries: Queries,
  links: readonly (LinkName & Pick<FeedLink, 'tokenHash'>)[],
  by: By,
): Promise<readonly LinkAuditEvent[]> {
  const ends: LinkAuditEvent[] = []
  for (const link of links) {
    if (!(await endUnlessEarlier(queries, link.tokenHash, endColumns(by.at)))) continue
    ends.push(await note(queries, by, 'link_ended', link))
  }
  return ends
}

async function note(
  queries: Queries,
  by: By,
  action: AuditAction,
  link: LinkName,
): Promise<LinkAuditEvent> {
  const auditEvent = { ...by, action }
  await noteOnLink(queries, auditEvent, link)
  return { auditEvent, label: link.label }
}

import { setImmediate as turn } from 'node:timers/promises'

import {
  type Kysely,
  type SelectQueryBuilder,
  type UpdateResult,
  type RawBuilder,
  sql,
  type SqlBool,
} from 'kysely'
import { z } from 'zod'

import type { Dialect } from '../database/database.ts'
import { given } from '../database/prepared-read.ts'
import type { Doubt } from '../domain/copy.ts'
import { AppError } from '../domain/errors.ts'
import { type Finding, findingLevels, findingOf } from '../domain/examination.ts'
import { mapOptions, type Option, readOptions, type OwnOptions } from '../domain/feed-options.ts'
import { type Feed, locales } from '../domain/feed.ts'
import { feedKinds } from '../domain/kinds.ts'
import { leaveDetails, type LeaveProof } from '../domain/leave.ts'
import type { Publication } from '../domain/ledger.ts'
import { type Choices, choicesOf, type FeedLink, choicesText } from '../domain/link.ts'
import { memo } from '../domain/memo.ts'
import type { SightingProblem } from '../domain/person.ts'
import type { FeedRow, LinkRow, ProofRow, StoreTables } from './tables.ts'

/** The noun that `read` makes of a row; `unavailable` where it cannot, naming `what`: nothing is ever half read. */
export function readRow<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw unreadable(what, cause)
  }
}

/** The same where reading takes long. */
export async function readLongRow<T>(what: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    throw unreadable(what, cause)
  }
}

function unreadable(what: string, cause: unknown): AppError {
  return new AppError('unavailable', `What the database holds of ${what} cannot be read.`, {
    cause,
  })
}

/** Changes the row of which the statement's conditions hold; false where there is none. */
export async function changeRow(statement: {
  executeTakeFirst(): Promise<UpdateResult>
}): Promise<boolean> {
  const { numUpdatedRows } = await statement.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The feed that a row holds; `unavailable` where it cannot be read. */
export function feedOf(row: FeedRow): Feed {
  return readRow(`the feed ${row.id}`, () => {
    return {
      id: row.id,
      companyId: row.company_id,
      userIds: idsColumn.parse(JSON.parse(row.user_ids)),
      audience: row.audience,
      name: row.name,
      timezone: row.timezone,
      locale: row.locale,
      ...optionsOf(row),
      revision: row.revision,
      leavesShown: row.leaves_shown === 1,
      shownCollections: shownOf(row),
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
      purgedAt: row.purged_at,
      closedAt: row.closed_at,
      closedBecause: row.closed_because,
    }
  })
}

/** The options in such a row. */
export function optionsOf({
  audience,
  own_options,
}: Pick<FeedRow, 'audience' | 'own_options'>): Pick<Feed, 'ownOptions' | 'options'> {
  const ownOptions = ownOptionsIn(own_options)
  return { ownOptions, options: readOptions(audience, ownOptions) }
}

/** What a text of options sets. Many feeds share few texts, and nobody changes what was read. */
const ownOptionsIn = memo(500, (text: string) => {
  const stored: unknown = JSON.parse(text)
  const fitting = mapOptions((option, path) => {
    const value = path.reduce<unknown>((it, step) => (isGroup(it) ? it[step] : undefined), stored)
    return isKnownValue(option, value) ? value : undefined
  })
  const set = Object.entries(fitting).filter(([name]) => isGroup(stored) && stored[name] != null)
  return ownOptionsColumn.parse(JSON.parse(JSON.stringify(Object.fromEntries(set))))
})

/** Any other stored value is ignored, so that the default holds. */
function isKnownValue({ type, values }: Option, value: unknown): boolean {
  if (type === 'flag') return typeof value === 'boolean'
  if (type === 'days' || type === 'minutes') return typeof value === 'number'
  if (type === 'choice') return values.some((it) => it === value)
  return type === 'rotation' ? isGroup(value) : idsColumn.safeParse(value).success
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The row that holds a feed. */
export function feedRow(feed: Feed): FeedRow {
  return {
    id: feed.id,
    company_id: feed.companyId,
    user_ids: JSON.stringify(feed.userIds),
    audience: feed.audience,
    name: feed.name,
    timezone: feed.timezone,
    locale: feed.locale,
    own_options: JSON.stringify(feed.ownOptions),
    revision: feed.revision,
    leaves_shown: feed.leavesShown ? 1 : 0,
    shown: shownColumn(feed.shownCollections),
    created_at: feed.createdAt,
    revoked_at: feed.revokedAt,
    purged_at: feed.purgedAt,
    closed_at: feed.closedAt,
    closed_because: feed.closedBecause,
  }
}

/** The collections that the feed of the row has been served with. */
export function shownOf({ shown }: Pick<FeedRow, 'shown'>): readonly string[] {
  return idsColumn.parse(JSON.parse(shown))
}

/** The same as they are kept. */
export function shownColumn(keys: readonly string[]): string {
  return JSON.stringify(keys)
}

/** Every feed with that person. */
export function feedsWith(
  queries: Kysely<StoreTables>,
  userId: string,
): SelectQueryBuilder<StoreTables, 'feed_users' | 'feeds', FeedRow> {
  return queries
    .selectFrom('feed_users')
    .innerJoin('feeds', 'feeds.id', 'feed_users.feed_id')
    .selectAll('feeds')
    .where('feed_users.user_id', '=', userId)
}

/** The rows in parts that one statement can take each: SQLite takes 32,766 values. */
export function inParts<T>(rows: readonly T[], rowsMax: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(rows.length / rowsMax) }, (_, part) =>
    rows.slice(part * rowsMax, (part + 1) * rowsMax),
  )
}

/** Of a connection of which nothing is known yet. */
export const notAsked: LeaveProof = {
  state: 'unproven',
  reason: 'not_asked',
  since: 0,
  batteryAt: null,
  triedAt: null,
  credential: null,
}

/** What a row says of a filter; as of one that nobody has asked yet where there is none. */
export function proofOf(row: ProofRow | undefined): LeaveProof {
  if (!row) return notAsked
  const { state, reason, since, credential } = row
  return { state, reason, since, credential, batteryAt: row.battery_at, triedAt: row.tried_at }
}

/** What is chosen; `unavailable` where it cannot be read. */
export function rowChoices({
  feed_id: feedId,
  choices,
}: Pick<LinkRow, 'feed_id' | 'choices'>): Choices {
  if (choices === null) return {}
  return readRow(`a link of the feed ${feedId}`, () => choicesColumn.parse(JSON.parse(choices)))
}

/* The columns that hold JSON, as this program writes them; of members that it does not know it takes no note. */

/** `feeds.user_ids`, `feeds.shown`, `creations.feed_ids`. */
export const idsColumn = z.array(z.string())

/** `feeds.own_options`, once what does not fit has been left out of it. */
const ownOptionsColumn = z.custom<OwnOptions>()

/** `links.choices`; those kept by a program before name every member, null where nothing is chosen. */
export const choicesColumn = z
  .object({
    hide: z.array(z.enum(feedKinds)),
    detail: z.enum(leaveDetails).nullable(),
    locale: z.enum(locales),
    reminderMinutes: z.union([z.number(), z.literal('none')]),
    onlyAway: z.boolean(),
  })
  .partial()
  .transform(choicesOf)

/** `copies.doubt`. */
export const doubtColumn = z.object({
  lostHash: z.string(),
  since: z.number(),
  ofAll: z.boolean(),
  isReplaced: z.boolean().default(false),
  readings: z.number(),
  ofMany: z.boolean(),
}) satisfies z.ZodType<Doubt>

/** `copies.held`. */
export const heldColumn = z.custom<Readonly<Record<string, number>>>(
  // Of very many a schema of each would take long.
  (held) => isObject(held) && Object.values(held).every((since) => typeof since === 'number'),
)

/** `examinations.findings`. */
export const findingsColumn = z.array(
  z
    .object({
      check: z.string(),
      level: z.enum(findingLevels).optional(),
      ok: z.boolean(),
      seen: z.string(),
      means: z.string(),
      set: z.string().nullable(),
    })
    // Releases up to 0.1 kept no level.
    .transform(({ level, ...kept }) =>
      findingOf({ ...kept, level: level ?? (kept.ok ? 'ok' : 'wrong') }),
    ),
) satisfies z.ZodType<readonly Finding[]>

/** `look_rounds.problems`. */
export const problemsColumn = z.array(
  z.object({ source: z.string(), reason: z.string() }),
) satisfies z.ZodType<readonly SightingProblem[]>

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/* Any number of texts as one value of a query that is prepared: a JSON array. */

/** Whether the column is one of the texts that are given by that name. */
export function isAmong(dialect: Dialect, column: string, name: string): RawBuilder<SqlBool> {
  return isAmongTexts(dialect, column, given(name))
}

/** Whether the column is one of the texts of that JSON array. */
export function isAmongTexts(
  dialect: Dialect,
  column: string,
  texts: RawBuilder<string>,
): RawBuilder<SqlBool> {
  const of = sql.ref(column)
  return dialect === 'sqlite'
    ? sql`${of} in (select value from json_each(${texts}))`
    : sql`${of} = any(array(select jsonb_array_elements_text(cast(${texts} as jsonb))))`
}

/** Whether the text is part of the column's, `%` and `_` like any other character. */
export function holds(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}

/** Works from one key to the next, which the work gives, until there is none; others have their turn in between. */
export async function inRanges<Key>(
  first: Key,
  work: (from: Key) => Promise<Key | undefined>,
): Promise<void> {
  for (let from: Key | undefined = first; from !== undefined; from = await work(from)) await turn()
}

/** Of feeds, by name: what is prepared stays as it is where another version of the program adds a column. */
export const feedColumns = [
  'feeds.id',
  'feeds.company_id',
  'feeds.user_ids',
  'feeds.audience',
  'feeds.name',
  'feeds.timezone',
  'feeds.locale',
  'feeds.own_options',
  'feeds.revision',
  'feeds.leaves_shown',
  'feeds.shown',
  'feeds.created_at',
  'feeds.revoked_at',
  'feeds.purged_at',
  'feeds.closed_at',
  'feeds.closed_because',
] as const satisfies readonly `feeds.${keyof FeedRow}`[]

/** The row that holds a link. */
export function linkRow(link: FeedLink): LinkRow {
  return {
    token_hash: link.tokenHash,
    feed_id: link.feedId,
    label: link.label,
    created_at: link.createdAt,
    ends_at: link.endsAt,
    ending_since: link.endingSince,
    purged: link.purged ? 1 : 0,
    awaits_poll: link.awaitsPoll ? 1 : 0,
    choices: choicesText(link.choices),
    ...publicationColumns(link.publication),
  }
}

export type PublicationColumns = Pick<LinkRow, 'fingerprint' | 'etag' | 'last_modified'>

/** What the link served last, as it is kept. */
export function publicationColumns(publication: Publication | null): PublicationColumns {
  return {
    fingerprint: publication?.fingerprint ?? null,
    etag: publication?.etag ?? null,
    last_modified: publication?.lastModified ?? null,
  }
}

import { setImmediate as turn } from 'node:timers/promises'

import {
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
  type UpdateResult,
} from 'kysely'
import { z } from 'zod'

import type { Dialect } from '../database/database.ts'
import { withDefaults, withoutDefaults } from '../domain/company-defaults.ts'
import { AppError } from '../domain/errors.ts'
import {
  mapOptions,
  type Option,
  type OptionType,
  readOptions,
  type OwnOptions,
} from '../domain/feed-options.ts'
import { type Feed, type KeptDefaults, locales, noDefaults, programLocale } from '../domain/feed.ts'
import { feedKinds } from '../domain/kinds.ts'
import type { LeaveProof } from '../domain/leave.ts'
import {
  type ChoiceName,
  choiceNames,
  type Choices,
  choicesOf,
  choicesText,
  choiceValues,
  type FeedLink,
} from '../domain/link.ts'
import { memo } from '../domain/memo.ts'
import type { Maybe } from '../domain/world.ts'
import { isObject } from '../json/read-json.ts'
import type { FeedRow, LinkRow, Queries, RowOf, StoreTables } from './tables.ts'

/** Converts an object to a row: booleans become 0 or 1, lists and objects JSON. */
export function rowOf<T extends object>(noun: T): RowOf<T>
export function rowOf(noun: object): object {
  return Object.fromEntries(Object.entries(noun).map(([name, value]) => [name, columnOf(value)]))
}

function columnOf(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  return JSON.stringify(value)
}

/** Returns what `read` returns; fails with `unavailable`, naming `what`, if the row is not valid: nothing is half read. */
export function readRow<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw unreadable(what, cause)
  }
}

export function unreadable(what: string, cause: unknown): AppError {
  return new AppError('unavailable', `What the database holds of ${what} cannot be read.`, {
    cause,
  })
}

/** Runs the update; false if no row matched. */
export async function changeRow(statement: {
  executeTakeFirst(): Promise<UpdateResult>
}): Promise<boolean> {
  const { numUpdatedRows } = await statement.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The stored defaults of the feed's company; null if there are none. */
export const companyDefaultsOfFeed = sql<string | null>`(select defaults from company_defaults
  where company_defaults.company_id = feeds.company_id)`

/** A feed with the defaults of its company. */
export type FeedWithDefaultsRow = FeedRow & { readonly defaults: string | null }

/** By name, so that prepared statements stay valid if another version adds a column. */
const columnsOfFeed = [
  'feeds.id',
  'feeds.companyId',
  'feeds.userIds',
  'feeds.audience',
  'feeds.name',
  'feeds.namedAfter',
  'feeds.timezone',
  'feeds.locale',
  'feeds.ownOptions',
  'feeds.revision',
  'feeds.leavesShown',
  'feeds.shown',
  'feeds.localeSet',
  'feeds.teamManagerId',
  'feeds.teamDepth',
  'feeds.createdAt',
  'feeds.revokedAt',
  'feeds.purgedAt',
  'feeds.closedAt',
  'feeds.closedBecause',
] as const satisfies readonly `feeds.${keyof FeedRow}`[]

export const feedColumns = [...columnsOfFeed, companyDefaultsOfFeed.as('defaults')] as const

/** Fails with `unavailable` if the row cannot be read. */
export function feedOf({ defaults, ...row }: FeedWithDefaultsRow): Feed {
  return keptFeedOf(row, defaultsIn(row.companyId, defaults))
}

/** Fails with `unavailable` if the row cannot be read. */
export function keptFeedOf(
  { shown, localeSet, teamManagerId: managerId, teamDepth: depth, ...row }: FeedRow,
  defaults: KeptDefaults,
): Feed {
  return readRow(`the feed ${row.id}`, () =>
    withDefaults({
      ...row,
      userIds: idsIn(row.userIds),
      team: managerId === null || depth === null ? null : { managerId, depth },
      isLocaleSet: isLocaleSetIn({ localeSet, locale: row.locale }),
      ownOptions: ownOptionsIn(row.ownOptions),
      defaults,
      leavesShown: row.leavesShown === 1,
      shownCollections: idsIn(shown),
    }),
  )
}

/** Until release 0.5 no column said so: there, only the program's language counts as nobody's choice. */
export function isLocaleSetIn({
  localeSet,
  locale,
}: Pick<FeedRow, 'localeSet' | 'locale'>): boolean {
  return localeSet === 1 || locale !== programLocale
}

export function optionsOf(
  row: Pick<FeedWithDefaultsRow, 'companyId' | 'audience' | 'ownOptions' | 'defaults'>,
): Feed['options'] {
  const { [row.audience]: ofCompany } = defaultsIn(row.companyId, row.defaults)
  return readOptions(row.audience, ofCompany, ownOptionsIn(row.ownOptions))
}

/** Fails with `unavailable` if they cannot be read. */
export function defaultsIn(companyId: string, text: string | null): KeptDefaults {
  if (text === null) return noDefaults
  return readRow(`the defaults of the company ${companyId}`, () => parseDefaults(text))
}

const defaultsColumn = z.object({
  revision: z.number(),
  locale: z.enum(locales).nullable(),
  name: z.string().nullable(),
  own: z.unknown(),
  others: z.unknown(),
})

/** Feeds of a company share one text. */
const parseDefaults = memo(50, (text: string): KeptDefaults => {
  const { own, others, ...kept } = defaultsColumn.parse(JSON.parse(text))
  const [ofOwn, ofOthers] = [JSON.stringify(own), JSON.stringify(others)]
  return { ...kept, own: ownOptionsIn(ofOwn), others: ownOptionsIn(ofOthers) }
})

/** Whether the feed's own options or the company's defaults contain the text; each is JSON. */
export function optionsHold(text: string): RawBuilder<SqlBool> {
  return sql`(${holds(sql.ref('feeds.ownOptions'), text)}
    or ${holds(sql`coalesce(${companyDefaultsOfFeed}, '')`, text)})`
}

const ownOptionsColumn = z.custom<OwnOptions>()

/** Parses stored options. Many feeds share few texts, and the result is never modified. */
export const ownOptionsIn = memo(500, (text: string) => {
  const stored: unknown = JSON.parse(text)
  const fitting = mapOptions((option, path) => {
    const value = path.reduce<unknown>((it, step) => (isObject(it) ? it[step] : undefined), stored)
    return isKnownValue(option, value) ? value : undefined
  })
  const set = Object.entries(fitting).filter(
    ([name, value]) => value === null || (isObject(stored) && stored[name] != null),
  )
  return ownOptionsColumn.parse(JSON.parse(JSON.stringify(Object.fromEntries(set))))
})

/** Other stored values are ignored, so that the default holds. */
function isKnownValue({ type, values }: Option, value: unknown): boolean {
  return type === 'choice' ? values.some((it) => it === value) : isOfType[type](value)
}

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isList = (value: unknown): boolean => idsColumn.safeParse(value).success
const isOfType: Readonly<Record<Exclude<OptionType, 'choice'>, (value: unknown) => boolean>> = {
  flag: (value) => typeof value === 'boolean',
  days: isNumber,
  minutes: (value) => value === null || isNumber(value),
  people: isNumber,
  ids: isList,
  texts: isList,
  categories: isList,
  choices: isList,
  rotation: isObject,
}

export function feedRow(feed: Feed): FeedRow {
  const { options: _, defaults: __, shownCollections, isLocaleSet, team, ...kept } = feed
  return {
    ...rowOf({ ...kept, ...withoutDefaults(feed) }),
    shown: JSON.stringify(shownCollections),
    localeSet: isLocaleSet ? 1 : 0,
    teamManagerId: team?.managerId ?? null,
    teamDepth: team?.depth ?? null,
  }
}

export function members(
  queries: Queries,
): SelectQueryBuilder<StoreTables, 'feedUsers' | 'feeds', object> {
  return queries.selectFrom('feedUsers').innerJoin('feeds', 'feeds.id', 'feedUsers.feedId')
}

export function feedsWith(
  queries: Queries,
  userId: string,
): SelectQueryBuilder<StoreTables, 'feedUsers' | 'feeds', FeedWithDefaultsRow> {
  return members(queries).select(feedColumns).where('feedUsers.userId', '=', userId)
}

export const isOpen = sql<SqlBool>`feeds.revoked_at is null and feeds.closed_at is null`

/** With `=`, SQLite would scan all feeds of the company; this uses the index of people. */
export function isOfCompany(companyId: string): RawBuilder<SqlBool> {
  return sql`feeds.company_id >= ${companyId} and feeds.company_id <= ${companyId}`
}

/** Fails with `unavailable` if the row cannot be read. */
export function linkOf({ fingerprint, etag, lastModified, ...row }: LinkRow): FeedLink {
  const isPublished = fingerprint !== null && etag !== null && lastModified !== null
  return {
    ...row,
    purged: row.purged === 1,
    awaitsPoll: row.awaitsPoll === 1,
    choices: choicesIn(row.feedId, row.choices),
    publication: isPublished ? { fingerprint, etag, lastModified } : null,
  }
}

export function linkRow({ choices, publication, ...link }: FeedLink): LinkRow {
  const { fingerprint = null, etag = null, lastModified = null } = publication ?? {}
  return { ...rowOf(link), choices: choicesText(choices), fingerprint, etag, lastModified }
}

/** Fails with `unavailable` if the choices cannot be read. */
export function choicesIn(feedId: string, text: string | null): Choices {
  if (text === null) return {}
  return readRow(`a link of the feed ${feedId}`, () => choicesColumn.parse(JSON.parse(text)))
}

const reminderColumn = z.union([z.number(), z.literal('none')])

/** `links.choices`. Earlier releases stored every member, null if nothing was chosen. */
export const choicesColumn = z
  .object({ hide: z.array(z.enum(feedKinds)), onlyAway: z.boolean(), ...chosenColumns() })
  .partial()
  .transform(choicesOf)

function chosenColumns(): { readonly [Name in ChoiceName]: z.ZodType<Maybe<Choices[Name]>> }
function chosenColumns(): object {
  return Object.fromEntries(
    choiceNames.map((name) => {
      const values = choiceValues(name)
      return [name, (values ? z.enum(values) : reminderColumn).nullable()]
    }),
  )
}

const idsColumn = z.array(z.string())

export function idsIn(text: string): string[] {
  return idsColumn.parse(JSON.parse(text))
}

/** The proof of a connection that was never read. */
export const notAsked: LeaveProof = {
  state: 'unproven',
  reason: 'not_asked',
  since: 0,
  batteryAt: null,
  triedAt: null,
  credential: null,
}

/** Splits rows into parts for one statement each: SQLite allows 32,766 values. */
export function inParts<T>(rows: readonly T[], rowsMax: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(rows.length / rowsMax) }, (_, part) =>
    rows.slice(part * rowsMax, (part + 1) * rowsMax),
  )
}

/** Whether the column is an element of the JSON array. */
export function isAmong(
  dialect: Dialect,
  column: string,
  texts: RawBuilder<string>,
): RawBuilder<SqlBool> {
  const of = sql.ref(column)
  return dialect === 'sqlite'
    ? sql`${of} in (select value from json_each(${texts}))`
    : sql`${of} = any(array(select jsonb_array_elements_text(cast(${texts} as jsonb))))`
}

/** Whether the column contains the text, with `%` and `_` taken literally. */
export function holds(column: RawBuilder<unknown>, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${column} like ${pattern} escape '\\'`
}

/** Repeats the work from the key it returns until there is none, with pauses for other work. */
export async function inRanges<Key>(
  first: Key,
  work: (from: Key) => Promise<Key | undefined>,
): Promise<void> {
  for (let from: Key | undefined = first; from !== undefined; from = await work(from)) await turn()
}

import type { Kysely, SelectQueryBuilder, UpdateResult } from 'kysely'

import { AppError } from '../domain/errors.ts'
import { duringLeaves, readOptions, timesheetForms } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import { leaveDetails, type LeaveProof } from '../domain/leave.ts'
import type { Choices } from '../domain/link.ts'
import { memo } from '../domain/memo.ts'
import { choicesColumn, idsColumn, ownOptionsColumn } from './json-columns.ts'
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

/** What a text of options sets; many feeds have few texts between them, and nobody changes what was read. */
const ownOptionsIn = memo(500, (text: string) =>
  ownOptionsColumn.parse(fittingGroup(JSON.parse(text), usualOptions)),
)

/** The kinds of values that options have; where one is usually null, anything may be set. */
const usualOptions = readOptions('own', { shifts: { scheduleIds: [] } })

/** Options of which only certain words are known. */
const knownWords = new Map<string, readonly string[]>([
  ['detail', leaveDetails],
  ['duringLeave', duringLeaves],
  ['as', timesheetForms],
])

/** What of a stored value is an option of this program: any other member is as if it were not there, so that its default holds. */
function fittingGroup(stored: unknown, usual: object): object {
  const given = new Map(isGroup(stored) ? Object.entries(stored) : [])
  return Object.fromEntries(
    Object.entries(usual).flatMap(([name, value]) => {
      const found = given.get(name) ?? undefined
      if (found === undefined) return []
      if (isGroup(value)) return [[name, fittingGroup(found, value)]]
      return value === null || isAlike(name, found, value) ? [[name, found]] : []
    }),
  )
}

function isAlike(name: string, stored: unknown, usual: unknown): boolean {
  if (Array.isArray(usual)) return idsColumn.safeParse(stored).success
  if (typeof stored !== typeof usual) return false
  const words = knownWords.get(name)
  return words === undefined || words.some((word) => word === stored)
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
export function choicesOf({
  feed_id: feedId,
  choices,
}: Pick<LinkRow, 'feed_id' | 'choices'>): Choices {
  if (choices === null) return {}
  return readRow(`a link of the feed ${feedId}`, () => choicesColumn.parse(JSON.parse(choices)))
}

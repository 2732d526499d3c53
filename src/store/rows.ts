import {
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
  type UpdateResult,
} from 'kysely'

import { AppError } from '../domain/errors.ts'
import { readOptions } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import { choicesColumn, idsColumn, ownOptionsColumn } from './json-columns.ts'
import type { FeedRow, StoreTables } from './tables.ts'

/** The noun that `read` makes of a row; `unavailable` where it cannot, naming `what`: nothing is ever half read. */
export function readRow<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw new AppError('unavailable', `What the database holds of ${what} cannot be read.`, {
      cause,
    })
  }
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
    const ownOptions = ownOptionsColumn.parse(JSON.parse(row.own_options))
    const choices = row.self_service_choices
    return {
      id: row.id,
      companyId: row.company_id,
      userIds: idsColumn.parse(JSON.parse(row.user_ids)),
      audience: row.audience,
      name: row.name,
      timezone: row.timezone,
      locale: row.locale,
      ownOptions,
      options: readOptions(row.audience, ownOptions),
      choices: choices === null ? null : choicesColumn.parse(JSON.parse(choices)),
      revision: row.revision,
      leavesShown: row.leaves_shown === 1,
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
      purged: row.purged === 1,
      closedAt: row.closed_at,
      closedBecause: row.closed_because,
    }
  })
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
    self_service_choices: feed.choices && JSON.stringify(feed.choices),
    revision: feed.revision,
    leaves_shown: feed.leavesShown ? 1 : 0,
    created_at: feed.createdAt,
    revoked_at: feed.revokedAt,
    purged: feed.purged ? 1 : 0,
    closed_at: feed.closedAt,
    closed_because: feed.closedBecause,
  }
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

/** Whether the text is part of the column's, `%` and `_` like any other character. */
export function holds(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`
}

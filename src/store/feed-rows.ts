import { z } from 'zod'

import { type OwnOptions, readOptions } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import type { FeedRow } from './tables.ts'

/** What this program has checked when it wrote it; of a later version's members none is an option here. */
const ownOptionsColumn = z.custom<OwnOptions>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** The feed that a row holds. */
export function feedOf(row: FeedRow): Feed {
  const ownOptions = ownOptionsColumn.parse(JSON.parse(row.own_options))
  return {
    id: row.id,
    companyId: row.company_id,
    userIds: JSON.parse(row.user_ids),
    audience: row.audience,
    name: row.name,
    timezone: row.timezone,
    locale: row.locale,
    ownOptions,
    options: readOptions(row.audience, ownOptions),
    choices: row.self_service_choices === null ? null : JSON.parse(row.self_service_choices),
    revision: row.revision,
    leavesShown: row.leaves_shown === 1,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    purged: row.purged === 1,
    closedAt: row.closed_at,
    closedBecause: row.closed_because,
  }
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

import type {
  Expression,
  ExpressionBuilder,
  Kysely,
  SqlBool,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'

import type { FeedLink } from '../../domain/link.ts'
import type { Instant } from '../../domain/world.ts'
import { changeRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'

/** How a link ends. */
interface LinkEnd extends Pick<FeedLink, 'purged'> {
  readonly endsAt: Instant
  readonly endingSince: Instant
}

type Queries = Kysely<StoreTables>
type LinkUpdate = UpdateQueryBuilder<StoreTables, 'links', 'links', UpdateResult>

/** Ends the link of that label, unless it ends earlier anyway: whether that has changed it, undefined if there is none. */
export async function endNamed(
  queries: Queries,
  { feedId, label }: Pick<FeedLink, 'feedId' | 'label'>,
  end: LinkEnd,
): Promise<boolean | undefined> {
  const links = queries.selectFrom('links').select('token_hash')
  const named = links.where('feed_id', '=', feedId).where('label', '=', label)
  const link = await named.executeTakeFirst()
  return link && endUnlessEarlier(queries, link.token_hash, end)
}

/** Ends the link of that secret; false if it has an end already that is certain, whoever gave it that meanwhile. */
export function endOpen(queries: Queries, tokenHash: Uint8Array, end: LinkEnd): Promise<boolean> {
  return changeRow(withEnd(queries, tokenHash, end).where(hasNoCertainEnd(end.endingSince)))
}

/** Ends a link that another takes the place of; false where it is not the one that was meant, or that one has an end. */
export async function endRotated(
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
export function endUnlessEarlier(
  queries: Queries,
  tokenHash: Uint8Array,
  end: LinkEnd,
): Promise<boolean> {
  return changeRow(
    withEnd(queries, tokenHash, end).where((links) =>
      links.or([links('ends_at', '>', end.endsAt), hasNoCertainEnd(end.endingSince)(links)]),
    ),
  )
}

/** Of a link that goes on at that instant, and ends at none or only for lying unused. */
export function hasNoCertainEnd(now: Instant) {
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

import type { FeedListing } from '../../feeds/feed-listing.ts'
import type { FeedView } from '../../feeds/feed-view.ts'
import { wrongCompany } from '../wrong-company.ts'

/** Feeds that a filter lets through, and what should be known of the filter, in sentences. */
export interface ListedFeeds {
  readonly feeds: readonly FeedView[]
  readonly warnings: readonly string[]
}

/** What a list of feeds may be asked for, as the API takes it. */
export type ListFilter = Readonly<Record<string, string | undefined>>

/** All of them, page by page; `invalid` for a company that neither is set up nor has a feed. */
export async function listAll(
  listing: Pick<FeedListing, 'list'>,
  companies: ReadonlyMap<string, unknown>,
  filter: ListFilter,
): Promise<ListedFeeds> {
  const feeds: FeedView[] = []
  const warnings: string[] = []
  let cursor: string | undefined
  do {
    const page = await listing.list({ ...filter, cursor, limit: 1000 })
    feeds.push(...page.data)
    warnings.push(...(page.warnings ?? []))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  const { companyId } = filter
  if (companyId !== undefined && feeds.length === 0 && !companies.has(companyId)) {
    throw wrongCompany(companyId, companies.keys())
  }
  return { feeds, warnings }
}

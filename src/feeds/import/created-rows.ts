import type { CreatedFeed } from '../feed-creation.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedView } from '../feed-view.ts'
import { type ImportedRow, importedRow, type RowOutcome } from './import-result.ts'
import type { KeptFeeds } from './kept-feeds.ts'

/** What is found and what is made, by the ids of the drafts. */
export interface ImportedPart extends KeptFeeds {
  readonly made: ReadonlyMap<string, CreatedFeed>
}

/** Those that were made, each with another calendar that its person has: an earlier one of the same table is one too. */
export function* createdRows(
  drafts: readonly FeedDraft[],
  { made, others }: ImportedPart,
): Generator<ImportedRow> {
  const before = new Map<string, FeedView>()
  for (const draft of drafts) {
    const feed = made.get(draft.feed.id)?.feed
    if (!feed) continue
    const person = JSON.stringify([feed.companyId, feed.userIds])
    const other = feed.audience === 'own' ? (others.get(feed.id) ?? before.get(person)) : undefined
    if (feed.audience === 'own') before.set(person, feed)
    const reason = other ? `has another calendar, ${other.id}` : null
    yield importedRow(draft, { ...withNewLink('created', feed), reason })
  }
}

/** Only the new link of the feed carries addresses. */
export function withNewLink(status: RowOutcome['status'], feed: FeedView): RowOutcome {
  const link = feed.links.find(({ url }) => url !== undefined)
  return { status, feed, ...(link && { link }) }
}

import type { FeedStore } from '../../domain/feed.ts'
import { defaultName } from '../feed-defaults.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedListing } from '../feed-listing.ts'
import type { FeedView } from '../feed-view.ts'

/** A person's feeds are fewer. */
const feedsOfUserMax = 1000

interface KeptFeedsDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly listing: Pick<FeedListing, 'views'>
}

/** What there is already, by the ids of the drafts. */
export interface KeptFeeds {
  /** The unrevoked feeds in whose place the drafts would stand. */
  readonly kept: ReadonlyMap<string, FeedView>
  /** An open own feed, under another name, of the person for whom the draft would be one. */
  readonly others: ReadonlyMap<string, FeedView>
}

/** Finds what the people of the drafts have; a database finds the feeds of a few people faster than a company's. */
export async function findKeptFeeds(
  { feeds, listing }: KeptFeedsDeps,
  drafts: readonly FeedDraft[],
): Promise<KeptFeeds> {
  const found = await feeds.listFeeds({
    userIds: drafts.flatMap(({ feed }) => feed.userIds),
    unrevoked: true,
    limit: drafts.length * feedsOfUserMax,
  })
  const ofOne = found.filter(({ userIds }) => userIds.length === 1)
  const byUser = Map.groupBy(await listing.views(ofOne), ({ userIds: [id] }) => id)
  const choose = (fits: (view: FeedView, draft: FeedDraft) => boolean) =>
    new Map(
      drafts.flatMap((draft) => {
        const view = byUser.get(draft.feed.userIds[0])?.find((it) => fits(it, draft))
        return view ? [[draft.feed.id, view] as const] : []
      }),
    )
  return { kept: choose(isSame), others: choose(isOther) }
}

/** Whether the person's feed is what the row asks for; while the Read API does not say their name, any name will do. */
function isSame({ companyId, name }: FeedView, { feed, users }: FeedDraft): boolean {
  if (companyId !== feed.companyId) return false
  const isUnnamed = users.length === 0 && feed.name === defaultName([], feed.audience, feed.locale)
  return isUnnamed || feed.name === name
}

function isOther(view: FeedView, draft: FeedDraft): boolean {
  const isOwn = view.audience === 'own' && draft.feed.audience === 'own'
  const isOpen = view.companyId === draft.feed.companyId && view.closedBecause === null
  return isOwn && isOpen && !isSame(view, draft)
}

/** Of drafts of the same person and name the first one. */
export function firstOfEach(drafts: readonly FeedDraft[]): readonly FeedDraft[] {
  const identities = drafts.map(({ feed }) => JSON.stringify([feed.userIds, feed.name]))
  return drafts.filter((_, index) => identities.indexOf(identities[index] ?? '') === index)
}

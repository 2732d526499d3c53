import type { Feed, FeedStore } from '../../domain/feed.ts'
import { createRests } from '../../json/rest.ts'
import { defaultName } from '../feed-defaults.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedListing } from '../feed-listing.ts'
import type { FeedView } from '../feed-view.ts'

/** A person may have thousands by mistake. */
const readAtOnce = 1000

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
  const userIds = [...new Set(drafts.flatMap(({ feed }) => feed.userIds))]
  const views: FeedView[] = []
  const rests = createRests()
  let page: readonly Feed[] = []
  do {
    const after = page.at(-1)
    page = await feeds.listFeeds({ userIds, unrevoked: true, after, limit: readAtOnce })
    views.push(...(await listing.views(page.filter((feed) => feed.userIds.length === 1))))
    if (rests.isDue()) await rests.take()
  } while (page.length === readAtOnce)
  const byUser = Map.groupBy(views, (view) => view.userIds[0])
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

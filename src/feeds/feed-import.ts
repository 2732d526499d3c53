import type { FeedStore } from '../domain/ports.ts'
import type { CsvRecord } from './csv.ts'
import { defaultName, type FeedDraft } from './feed-drafts.ts'
import type { FeedLinks } from './feed-links.ts'
import type { FeedListing } from './feed-listing.ts'
import type { FeedManager } from './feed-manager.ts'
import { atLines, feedInputs } from './feed-rows.ts'
import type { FeedView } from './feed-view.ts'

/** How many feeds are looked up, or made in one transaction. */
const feedsAtOnce = 200
const feedsOfUserMax = 100

interface FeedImportDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly manager: FeedManager
  readonly listing: Pick<FeedListing, 'views'>
  readonly links: Pick<FeedLinks, 'rotate'>
}

export interface FeedImportOptions {
  readonly companyId?: string | undefined
  /** Whether a row whose feed exists gets a new link, its old one ending now; it is skipped otherwise. */
  readonly rotateExisting?: boolean
  readonly onProgress?: (progress: ImportProgress) => void
}

export interface ImportProgress {
  readonly step: 'checked' | 'done'
  readonly count: number
  readonly total: number
}

/** What became of one row. */
export interface ImportedRow {
  readonly status: 'created' | 'rotated' | 'skipped'
  readonly feed: FeedView
  /** The new address, shown only here; null for a skipped row. */
  readonly url: string | null
  /** As the Read API knows it; empty where it does not. */
  readonly email: string
}

export interface ImportedFeeds {
  /** In the order of the table. */
  readonly rows: readonly ImportedRow[]
  readonly warnings: readonly string[]
}

/** Makes one feed per row of a table. */
export class FeedImport {
  readonly #deps: FeedImportDeps

  constructor(deps: FeedImportDeps) {
    this.#deps = deps
  }

  /**
   * All rows are checked before the first feed is made: `invalid` with the line of each fault. A row whose company,
   * user and name exist already is skipped or gets a new link, so that a table can be sent again.
   */
  async run(
    records: readonly CsvRecord[],
    { companyId, rotateExisting = false, onProgress = () => undefined }: FeedImportOptions,
  ): Promise<ImportedFeeds> {
    const total = records.length
    const drafts = await this.#deps.manager
      .drafts()
      .draftAll(feedInputs(records, companyId), (count) =>
        onProgress({ step: 'checked', count, total }),
      )
      .catch((error: unknown) => {
        throw atLines(error, records)
      })
    const rows: ImportedRow[] = []
    for (let start = 0; start < total; start += feedsAtOnce) {
      const part = drafts.slice(start, start + feedsAtOnce)
      rows.push(...(await this.#importPart(part, rotateExisting)))
      onProgress({ step: 'done', count: rows.length, total })
    }
    return { rows, warnings: [...new Set(drafts.flatMap(({ warnings }) => warnings))] }
  }

  async #importPart(
    drafts: readonly FeedDraft[],
    rotateExisting: boolean,
  ): Promise<readonly ImportedRow[]> {
    const kept = await Promise.all(drafts.map((draft) => this.#findExisting(draft)))
    const isNew = (draft: FeedDraft, index: number): boolean =>
      !kept[index] && drafts.findIndex((it) => isSame(it, draft)) === index
    const created = await this.#deps.manager.make(drafts.filter(isNew))
    const rows: ImportedRow[] = []
    for (const [index, draft] of drafts.entries()) {
      const made = created.find(({ feed }) => feed.id === draft.feed.id)
      const email = draft.users[0]?.email ?? ''
      if (made) rows.push({ status: 'created', feed: made.feed, url: made.url, email })
      else rows.push({ ...(await this.#existing(kept[index], draft, rotateExisting)), email })
    }
    return rows
  }

  /** A second row of the same part finds what the first one has made. */
  async #existing(
    kept: FeedView | undefined,
    draft: FeedDraft,
    rotateExisting: boolean,
  ): Promise<Omit<ImportedRow, 'email'>> {
    const feed = kept ?? (await this.#findExisting(draft))
    if (!feed) throw new Error('A row that is not new has a feed.')
    if (!kept || !rotateExisting) return { status: 'skipped', feed, url: null }
    const { url = null } = await this.#deps.links.rotate(feed.id, {})
    return { status: 'rotated', feed, url }
  }

  async #findExisting(draft: FeedDraft): Promise<FeedView | undefined> {
    const { companyId, name, userIds } = draft.feed
    const wanted = isUnnamed(draft) ? null : name
    const filter = { companyId, userId: userIds[0], name: wanted, unrevoked: true }
    const found = await this.#deps.feeds.listFeeds({ ...filter, limit: feedsOfUserMax })
    const own = found.filter((feed) => feed.userIds.length === 1).slice(0, 1)
    return (await this.#deps.listing.views(own))[0]
  }
}

/** While the Read API does not say the person's name, a feed of theirs under any name counts. */
function isUnnamed({ feed, users }: FeedDraft): boolean {
  return users.length === 0 && feed.name === defaultName([], feed.audience, feed.locale)
}

function isSame({ feed: one }: FeedDraft, { feed: other }: FeedDraft): boolean {
  return (
    one.companyId === other.companyId &&
    one.userIds[0] === other.userIds[0] &&
    one.name === other.name
  )
}

import { AppError, asAppError } from '../domain/errors.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import type { CsvRecord } from './csv.ts'
import { defaultName, type FeedDraft } from './feed-drafts.ts'
import type { FeedLinks } from './feed-links.ts'
import type { FeedListing } from './feed-listing.ts'
import type { CreatedFeed, FeedManager } from './feed-manager.ts'
import { type FeedView, viewFeed } from './feed-view.ts'
import { atLines, feedInputs, unknownColumns } from './import-rows.ts'

/** How many feeds are looked up, or made in one transaction. */
const feedsAtOnce = 200
const feedsOfUserMax = 100

interface FeedImportDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly manager: FeedManager
  readonly listing: Pick<FeedListing, 'views'>
  readonly feedLinks: Pick<FeedLinks, 'rotate'>
}

export interface FeedImportOptions {
  readonly companyId?: string | undefined
  /** Whether a row whose feed exists gets a new link, its old one ending now; it is skipped otherwise. */
  readonly rotateExisting?: boolean
  readonly onProgress?: (progress: ImportProgress) => void
  /** Told each row as soon as what became of it is kept, so that no address is lost when a later row fails. */
  readonly onRow?: (row: ImportedRow) => void
}

export interface ImportProgress {
  readonly step: 'checked' | 'done'
  readonly count: number
  readonly total: number
}

/** What became of one row. */
export interface ImportedRow {
  readonly status: 'created' | 'rotated' | 'skipped' | 'failed'
  /** As it would be where it could not be made. */
  readonly feed: FeedView
  /** The new address, shown only here; null for a skipped or failed row. */
  readonly url: string | null
  /** Why it failed, in a sentence. */
  readonly reason: string | null
  /** As the Read API knows it; empty where it does not. */
  readonly email: string
}

export interface ImportedFeeds {
  /** In the order in which they were done: of each part of the table the new ones first. */
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
   * user and name exist already is skipped or gets a new link, so that a table can be sent again. A row that fails
   * then is `failed`, and the others go on.
   */
  async run(
    records: readonly CsvRecord[],
    { companyId, rotateExisting = false, onProgress = ignore, onRow = ignore }: FeedImportOptions,
  ): Promise<ImportedFeeds> {
    const total = records.length
    if (total === 0) throw new AppError('invalid', 'The table holds no row below its first line.')
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
      for await (const row of this.#importPart(part, rotateExisting)) {
        rows.push(row)
        onRow(row)
      }
      onProgress({ step: 'done', count: rows.length, total })
    }
    const warnings = new Set(drafts.flatMap((draft) => draft.warnings))
    return { rows, warnings: [...unknownColumns(records), ...warnings] }
  }

  async *#importPart(
    drafts: readonly FeedDraft[],
    rotateExisting: boolean,
  ): AsyncGenerator<ImportedRow> {
    const part = await this.#makeMissing(drafts).catch(asFailure)
    if (part instanceof AppError) {
      yield* drafts.map((draft) => failedRow(draft, part))
      return
    }
    const made = new Map(part.created.map((it) => [it.feed.id, it]))
    for (const draft of drafts) {
      const created = made.get(draft.feed.id)
      if (created) yield rowOf(draft, { status: 'created', feed: created.feed, url: created.url })
    }
    for (const [index, draft] of drafts.entries()) {
      if (made.has(draft.feed.id)) continue
      const existing = this.#existing(part.kept[index], draft, rotateExisting)
      const result = await existing.catch(asFailure)
      yield result instanceof AppError ? failedRow(draft, result) : rowOf(draft, result)
    }
  }

  async #makeMissing(
    drafts: readonly FeedDraft[],
  ): Promise<{ kept: readonly (Feed | undefined)[]; created: readonly CreatedFeed[] }> {
    const kept = await Promise.all(drafts.map((draft) => this.#findExisting(draft)))
    const isNew = (draft: FeedDraft, index: number): boolean =>
      !kept[index] && drafts.findIndex((it) => isSame(it, draft)) === index
    return { kept, created: await this.#deps.manager.makeMissing(drafts.filter(isNew)) }
  }

  /** A second row of the same part finds what the first one has made, or what another node has. */
  async #existing(
    kept: Feed | undefined,
    draft: FeedDraft,
    rotateExisting: boolean,
  ): Promise<Outcome> {
    const feed = kept ?? (await this.#findExisting(draft))
    if (!feed) throw new AppError('conflict', 'The feed was ended at the same time; try again.')
    if (!kept || !rotateExisting)
      return { status: 'skipped', feed: await this.#view(feed), url: null }
    const link = await this.#deps.feedLinks.rotate(feed.id, {})
    const view = await this.#view(feed)
    const links = view.links.map((it) => (it.label === link.label ? link : it))
    return { status: 'rotated', feed: { ...view, links }, url: link.url ?? null }
  }

  async #view(feed: Feed): Promise<FeedView> {
    const [view] = await this.#deps.listing.views([feed])
    if (!view) throw new Error('One feed has one view.')
    return view
  }

  async #findExisting(draft: FeedDraft): Promise<Feed | undefined> {
    const { companyId, name, userIds } = draft.feed
    const wanted = isUnnamed(draft) ? null : name
    const filter = { companyId, userId: userIds[0], name: wanted, unrevoked: true }
    const found = await this.#deps.feeds.listFeeds({ ...filter, limit: feedsOfUserMax })
    return found.find((feed) => feed.userIds.length === 1)
  }
}

type Outcome = Pick<ImportedRow, 'status' | 'feed' | 'url'>

function rowOf(draft: FeedDraft, outcome: Outcome): ImportedRow {
  return { ...outcome, reason: null, email: draft.users[0]?.email ?? '' }
}

function failedRow(draft: FeedDraft, { message }: AppError): ImportedRow {
  const outcome = { status: 'failed', feed: viewFeed(draft.feed, []), url: null } as const
  return { ...rowOf(draft, outcome), reason: message }
}

function asFailure(error: unknown): AppError {
  const known = asAppError(error)
  if (!known) throw error
  return known
}

function ignore(): void {}

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

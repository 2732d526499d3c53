import { AppError } from '../../domain/errors.ts'
import type { FeedStore } from '../../domain/feed.ts'
import type { CreatedFeed, FeedCreation } from '../feed-creation.ts'
import { defaultName } from '../feed-defaults.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import { asFailure } from '../feed-faults.ts'
import type { FeedLinks } from '../feed-links.ts'
import type { FeedListing } from '../feed-listing.ts'
import type { FeedView } from '../feed-view.ts'
import { failedRow, type ImportedRow, importedRow, type RowOutcome } from './import-result.ts'
import { atLines, feedInputs, unknownColumns } from './import-rows.ts'
import type { CsvRecord } from './read-csv.ts'

/** How many feeds are looked up and made in one transaction. */
const feedsAtOnce = 200
const feedsOfUserMax = 100

interface FeedImportDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly creation: Pick<FeedCreation, 'drafts' | 'makeMissing'>
  readonly listing: Pick<FeedListing, 'views'>
  readonly feedLinks: Pick<FeedLinks, 'rotate'>
}

export interface FeedImportOptions {
  readonly companyId?: string | undefined
  /** Whether a row whose feed exists gets a new link, its old one ending now or after the days of grace; it is skipped otherwise. */
  readonly rotateExisting?: boolean
  /** For how many days the old link goes on. */
  readonly graceDays?: number
  readonly onProgress?: (progress: ImportProgress) => void
  /** Told each row as soon as what became of it is kept, so that no address is lost when a later row fails. */
  readonly onRow?: (row: ImportedRow) => void
}

export interface ImportProgress {
  readonly step: 'checked' | 'done'
  readonly count: number
  readonly total: number
}

export interface ImportedFeeds {
  /** In the order in which they were done: of each part of the table the new ones first. */
  readonly rows: readonly ImportedRow[]
  readonly warnings: readonly string[]
}

/** Which feeds get a new link, and for how many days the old one goes on. */
interface Rotations {
  readonly graceDays: number
  readonly includes: (feedId: string) => boolean
}

/** Makes one feed per row of a table. */
export class FeedImport {
  readonly #deps: FeedImportDeps

  constructor(deps: FeedImportDeps) {
    this.#deps = deps
  }

  /**
   * All rows are checked before the first feed is made: `invalid` with the line of each fault. A row whose company,
   * user and name exist already is skipped or gets a new link, so that a table can be sent again; one that stands in
   * the table twice counts once. A row that fails then is `failed`, and the others go on.
   */
  async run(records: readonly CsvRecord[], options: FeedImportOptions): Promise<ImportedFeeds> {
    const { companyId, rotateExisting = false, graceDays = 0 } = options
    const { onProgress = ignore, onRow = ignore } = options
    const total = records.length
    if (total === 0) throw new AppError('invalid', 'The table holds no row below its first line.')
    const drafts = await this.#check(records, companyId, (count) =>
      onProgress({ step: 'checked', count, total }),
    )
    const rows: ImportedRow[] = []
    const done = new Set<string>()
    for (let start = 0; start < total; start += feedsAtOnce) {
      const part = drafts.slice(start, start + feedsAtOnce)
      const toRotate = { graceDays, includes: (id: string) => rotateExisting && !done.has(id) }
      for await (const row of this.#importPart(part, toRotate)) {
        rows.push(row)
        done.add(row.feed.id)
        onRow(row)
      }
      onProgress({ step: 'done', count: rows.length, total })
    }
    const warnings = new Set(drafts.flatMap((draft) => draft.warnings))
    return { rows, warnings: [...unknownColumns(records), ...warnings] }
  }

  async #check(
    records: readonly CsvRecord[],
    companyId: string | undefined,
    onChecked: (count: number) => void,
  ): Promise<readonly FeedDraft[]> {
    const inputs = feedInputs(records, companyId)
    try {
      return await this.#deps.creation.drafts().draftAll(inputs, onChecked)
    } catch (error) {
      throw atLines(error, records)
    }
  }

  async *#importPart(
    drafts: readonly FeedDraft[],
    toRotate: Rotations,
  ): AsyncGenerator<ImportedRow> {
    const part = await this.#makeMissing(drafts).catch(asFailure)
    if (part instanceof AppError) {
      yield* drafts.map((draft) => failedRow(draft, part))
      return
    }
    for (const draft of drafts) {
      const created = part.made.get(draft.feed.id)
      if (created) yield importedRow(draft, withNewLink('created', created.feed))
    }
    for (const draft of drafts.filter(({ feed }) => !part.made.has(feed.id))) {
      const kept = part.kept.get(draft.feed.id)
      const isRotated = kept !== undefined && toRotate.includes(kept.id)
      const { graceDays } = toRotate
      const outcome = isRotated ? this.#rotate(draft, kept, graceDays) : this.#skip(draft, kept)
      const result = await outcome.catch(asFailure)
      yield result instanceof AppError ? failedRow(draft, result) : importedRow(draft, result)
    }
  }

  /** What is found and what is made, by the ids of the drafts. */
  async #makeMissing(drafts: readonly FeedDraft[]): Promise<{
    readonly kept: ReadonlyMap<string, FeedView>
    readonly made: ReadonlyMap<string, CreatedFeed>
  }> {
    const kept = await this.#findKept(drafts)
    const missing = firstOfEach(drafts.filter(({ feed }) => !kept.has(feed.id)))
    const created = await this.#deps.creation.makeMissing(missing)
    return { kept, made: new Map(created.map((it) => [it.feed.id, it])) }
  }

  /** The unrevoked feeds in whose place the drafts would stand; a database finds those of a few people faster than a company's. */
  async #findKept(drafts: readonly FeedDraft[]): Promise<ReadonlyMap<string, FeedView>> {
    const found = await this.#deps.feeds.listFeeds({
      userIds: drafts.flatMap(({ feed }) => feed.userIds),
      unrevoked: true,
      limit: drafts.length * feedsOfUserMax,
    })
    const ofOne = found.filter(({ userIds }) => userIds.length === 1)
    const byUser = Map.groupBy(await this.#deps.listing.views(ofOne), ({ userIds: [id] }) => id)
    const kept = drafts.flatMap((draft) => {
      const view = byUser.get(draft.feed.userIds[0])?.find((it) => isSame(it, draft))
      return view ? [[draft.feed.id, view] as const] : []
    })
    return new Map(kept)
  }

  async #rotate(draft: FeedDraft, { id }: FeedView, graceDays: number): Promise<RowOutcome> {
    const link = await this.#deps.feedLinks.rotate(id, { graceDays })
    const view = await this.#existing(draft)
    const links = view.links.map((it) => (it.label === link.label ? link : it))
    return withNewLink('rotated', { ...view, links })
  }

  /** A second row of the same part finds what the first one has made, or what another node has. */
  async #skip(draft: FeedDraft, kept: FeedView | undefined): Promise<RowOutcome> {
    return { status: 'skipped', feed: kept ?? (await this.#existing(draft)) }
  }

  async #existing(draft: FeedDraft): Promise<FeedView> {
    const view = (await this.#findKept([draft])).get(draft.feed.id)
    if (view) return view
    throw new AppError('conflict', 'The feed was ended at the same time; try again.')
  }
}

function ignore(): void {}

/** Only the new link of the feed carries addresses. */
function withNewLink(status: RowOutcome['status'], feed: FeedView): RowOutcome {
  const link = feed.links.find(({ url }) => url !== undefined)
  return { status, feed, ...(link && { link }) }
}

/** Of those of the same person and name. */
function firstOfEach(drafts: readonly FeedDraft[]): readonly FeedDraft[] {
  const identities = drafts.map(({ feed }) => JSON.stringify([feed.userIds, feed.name]))
  return drafts.filter((_, index) => identities.indexOf(identities[index] ?? '') === index)
}

/** Whether the person's feed is what the row asks for; while the Read API does not say their name, any name will do. */
function isSame({ companyId, name }: FeedView, { feed, users }: FeedDraft): boolean {
  if (companyId !== feed.companyId) return false
  const isUnnamed = users.length === 0 && feed.name === defaultName([], feed.audience, feed.locale)
  return isUnnamed || feed.name === name
}

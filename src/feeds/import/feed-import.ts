import { setImmediate } from 'node:timers/promises'

import type { Actor } from '../../domain/access/staff.ts'
import type { Connection } from '../../domain/connection.ts'
import { AppError, type InputFault } from '../../domain/errors.ts'
import type { FeedStore } from '../../domain/feed.ts'
import { connectionOf } from '../company-lookup.ts'
import type { FeedCreation } from '../feed-creation.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import { asFailure } from '../feed-faults.ts'
import type { FeedLinks } from '../feed-links.ts'
import type { FeedListing } from '../feed-listing.ts'
import type { FeedView } from '../feed-view.ts'
import type { PersonNames } from '../many/person-names.ts'
import { createdRows, type ImportedPart, withNewLink } from './created-rows.ts'
import { failedRow, type ImportedRow, importedRow, type RowOutcome } from './import-result.ts'
import { atRows, feedInputs, refuseOtherCompanies, unknownColumns } from './import-rows.ts'
import { findKeptFeeds, firstOfEach } from './kept-feeds.ts'
import { mailFaults } from './mail-column.ts'
import type { CsvRecord } from './read-csv.ts'
import { differenceNote } from './row-differences.ts'

/** How many feeds are looked up and made in one transaction, where nothing else is said. */
const usuallyAtOnce = 200

interface FeedImportDeps {
  readonly connections: ReadonlyMap<string, Connection>
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly creation: Pick<FeedCreation, 'drafts' | 'makeMissing'>
  readonly listing: Pick<FeedListing, 'views'>
  readonly feedLinks: Pick<FeedLinks, 'rotate'>
  readonly names: () => Pick<PersonNames, 'find'>
  readonly by: Pick<Actor, 'companyId'>
}

export interface FeedImportOptions {
  readonly companyId?: string | undefined
  /** Whether a row whose feed exists gets a new link, its old one ending now or after the days of grace; it is skipped otherwise. */
  readonly rotateExisting?: boolean
  /** For how many days the old link goes on. */
  readonly graceDays?: number
  /** How many are made in one transaction: what a process that dies had made and not told of is no more. */
  readonly atOnce?: number
  /** Asked before each of these: rows for which it gives one fail with it, and nothing is made of them. */
  readonly refusal?: () => AppError | undefined
  /** Ends the import where nothing that is made stays untold, by throwing its reason. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ImportProgress) => void
  /** Told each row as soon as what became of it is kept, so that no address is lost when a later row fails; the next one waits for it. */
  readonly onRow?: (row: ImportedRow) => void | Promise<void>
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

/** Which feeds get a new link, and for how many days the old one goes on; or why nothing is done. */
interface Rotations {
  readonly graceDays: number
  readonly includes: (feedId: string) => boolean
  readonly refused: AppError | undefined
}

/** Makes one feed per row of a table. */
export class FeedImport {
  readonly #deps: FeedImportDeps

  constructor(deps: FeedImportDeps) {
    this.#deps = deps
  }

  /**
   * All rows are checked before the first feed is made: `invalid` with the row of each fault. A row whose company,
   * user and name exist already is skipped or gets a new link, so that a table can be sent again; one that stands in
   * the table twice counts once. A row that fails then is `failed`, and the others go on.
   */
  async run(records: readonly CsvRecord[], options: FeedImportOptions): Promise<ImportedFeeds> {
    const { companyId, onProgress = ignore, signal } = options
    const total = records.length
    if (total === 0) throw new AppError('invalid', 'The table holds no row below its first line.')
    refuseOtherCompanies(this.#deps.by, companyId, records)
    // Said once, and not of every row.
    connectionOf(this.#deps.connections, companyId)
    const drafts = await this.#check(records, companyId, (count) => {
      onProgress({ step: 'checked', count, total })
      signal?.throwIfAborted()
    })
    const rows = await this.#importAll(drafts, options)
    const unchecked = new Set(drafts.flatMap((draft) => draft.warnings))
    const warnings = [...unknownColumns(records), ...unchecked]
    return { rows, warnings }
  }

  async #importAll(
    drafts: readonly FeedDraft[],
    options: FeedImportOptions,
  ): Promise<readonly ImportedRow[]> {
    const { signal, onProgress = ignore, onRow = ignore, atOnce = usuallyAtOnce } = options
    const total = drafts.length
    const rows: ImportedRow[] = []
    const done = new Set<string>()
    for (let start = 0; start < total; start += atOnce) {
      const part = drafts.slice(start, start + atOnce)
      for await (const row of this.#importPart(part, rotationsOf(options, done))) {
        rows.push(row)
        done.add(row.feed.id)
        await onRow(row)
        // Those that are created are made together.
        if (row.status !== 'created' && rows.length < total) await restOrEnd(signal)
      }
      onProgress({ step: 'done', count: rows.length, total })
      if (rows.length < total) await restOrEnd(signal)
    }
    return rows
  }

  async #check(
    records: readonly CsvRecord[],
    companyId: string | undefined,
    onChecked: (count: number) => void,
  ): Promise<readonly FeedDraft[]> {
    const inputs = await feedInputs(records, companyId)
    const names = this.#deps.names()
    const judge = (draft: FeedDraft, index: number): Promise<readonly InputFault[]> =>
      mailFaults(records[index], draft, names)
    try {
      return await this.#deps.creation.drafts().draftAll(inputs, onChecked, judge)
    } catch (error) {
      throw atRows(error, records)
    }
  }

  async *#importPart(
    drafts: readonly FeedDraft[],
    toRotate: Rotations,
  ): AsyncGenerator<ImportedRow> {
    const part = toRotate.refused ?? (await this.#makeMissing(drafts).catch(asFailure))
    if (part instanceof AppError) {
      yield* drafts.map((draft) => failedRow(draft, part))
      return
    }
    yield* createdRows(drafts, part)
    for (const draft of drafts.filter(({ feed }) => !part.made.has(feed.id))) {
      const kept = part.kept.get(draft.feed.id)
      const isRotated = kept !== undefined && toRotate.includes(kept.id)
      const { graceDays } = toRotate
      const outcome = isRotated ? this.#rotate(draft, kept, graceDays) : this.#skip(draft, kept)
      const result = await outcome.catch(asFailure)
      yield result instanceof AppError ? failedRow(draft, result) : importedRow(draft, result)
    }
  }

  async #makeMissing(drafts: readonly FeedDraft[]): Promise<ImportedPart> {
    const found = await findKeptFeeds(this.#deps, drafts)
    const missing = firstOfEach(drafts.filter(({ feed }) => !found.kept.has(feed.id)))
    const created = await this.#deps.creation.makeMissing(missing)
    return { ...found, made: new Map(created.map((it) => [it.feed.id, it])) }
  }

  async #rotate(draft: FeedDraft, { id }: FeedView, graceDays: number): Promise<RowOutcome> {
    const { warnings = [], ...link } = await this.#deps.feedLinks.rotate(id, { graceDays })
    const view = await this.#existing(draft)
    const links = view.links.map((it) => (it.label === link.label ? link : it))
    const reason = differenceNote(draft, view)
    return { ...withNewLink('rotated', { ...view, links }), reason, warnings }
  }

  /** A second row of the same part finds what the first one has made, or what another node has. */
  async #skip(draft: FeedDraft, kept: FeedView | undefined): Promise<RowOutcome> {
    const feed = kept ?? (await this.#existing(draft))
    return { status: 'skipped', feed, reason: differenceNote(draft, feed) }
  }

  async #existing(draft: FeedDraft): Promise<FeedView> {
    const { kept } = await findKeptFeeds(this.#deps, [draft])
    const view = kept.get(draft.feed.id)
    if (view) return view
    throw new AppError('conflict', 'The feed was ended at the same time; try again.')
  }
}

function ignore(): void {}

function rotationsOf(
  { rotateExisting = false, graceDays = 0, refusal }: FeedImportOptions,
  done: ReadonlySet<string>,
): Rotations {
  return { graceDays, includes: (id) => rotateExisting && !done.has(id), refused: refusal?.() }
}

/** SQLite answers at once: without a rest nobody could end it. */
async function restOrEnd(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate()
  signal?.throwIfAborted()
}

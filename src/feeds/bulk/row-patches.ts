import { isDeepStrictEqual } from 'node:util'

import { AppError, asFailure } from '../../domain/errors.ts'
import { namesOf } from '../../domain/feed-name.ts'
import type { Feed } from '../../domain/feed.ts'
import type { CompanyLookups, FeedChanges } from '../feed-changes.ts'
import { type FeedPatch, feedPatchSchema, parseInput } from '../feed-input.ts'
import { checkOptionsPatch } from '../feed-options.ts'
import { atRow, parseJson } from './feed-import.ts'
import {
  cellOf,
  choiceColumns,
  type CsvRecord,
  ignoredColumns,
  placeOf,
  sayIgnored,
} from './read-table.ts'
import { listColumns } from './write-table.ts'

export const patchColumns: readonly string[] = ['name', 'timezone', 'locale', 'options']
const knownColumns = new Set(['', ...choiceColumns, ...patchColumns, ...listColumns])

interface RowPatch {
  readonly patches: readonly FeedPatch[]
  /** Sentences that name the row. */
  readonly faults: readonly string[]
}

export const notPatched: RowPatch = { patches: [], faults: [] }

/** What the rows of a table change in their feeds. */
export class RowPatches {
  readonly #records: readonly CsvRecord[]
  readonly #ofAll: FeedPatch
  readonly #changes: Pick<FeedChanges, 'patched'>
  readonly #lookups: CompanyLookups = new Map()
  readonly #byFeed = new Map<string, { readonly row: number } & RowPatch>()

  /** `invalid` for a wrong `ofAll`, or if neither it nor the table has a change. */
  constructor(records: readonly CsvRecord[], ofAll: object, changes: Pick<FeedChanges, 'patched'>) {
    this.#records = records
    this.#ofAll = parsePatch(ofAll)
    const { options } = this.#ofAll
    if (options != null) checkOptionsPatch(options)
    this.#changes = changes
    const isGiven = Object.values(ofAll).some((it) => it !== undefined)
    if (isGiven || patchColumns.some((name) => name in (records[0]?.cells ?? {}))) return
    const columns = patchColumns.join(', ')
    throw new AppError(
      'invalid',
      `Give a change on the command line, or a column in the table: ${columns}.`,
    )
  }

  notes(): readonly string[] {
    return sayIgnored(ignoredColumns(this.#records, knownColumns))
  }

  /** What the row changes in that feed, checked without changing it; a feed that has ended is not checked. */
  async of(record: CsvRecord, feed: Feed): Promise<RowPatch> {
    const patches = this.#patchesOf(record, feed)
    if (patches instanceof AppError) return { patches: [], faults: this.#told(record, patches) }
    const before = this.#byFeed.get(feed.id)
    if (before && !isDeepStrictEqual(before.patches, patches)) {
      const fault = `${placeOf(record)}: Row ${before.row} changes the feed ${feed.id} differently.`
      return { patches, faults: [fault] }
    }
    if (before) return { patches, faults: [] }
    const result = { row: record.row, patches, faults: await this.#check(record, feed, patches) }
    this.#byFeed.set(feed.id, result)
    return result
  }

  /**
   * A cell takes precedence over what is for all rows; options are merged. A name that the feed has, in any language,
   * stays: lists of feeds have such a column, and names that nobody has set follow the language.
   */
  #patchesOf(record: CsvRecord, feed: Feed): readonly FeedPatch[] | AppError {
    const given = (column: string): string | undefined => cellOf(record, column) || undefined
    const [name, timezone, locale] = [given('name'), given('timezone'), given('locale')]
    const options = parseJson(given('options'))
    const cells = {
      ...(name !== undefined && { name: namesOf(feed).includes(name) ? undefined : name }),
      ...(timezone !== undefined && { timezone }),
      ...(locale !== undefined && { locale }),
    }
    try {
      const first = parsePatch({ ...this.#ofAll, ...cells })
      return options === undefined ? [first] : [first, parsePatch({ options })]
    } catch (error) {
      return asFailure(error)
    }
  }

  async #check(
    record: CsvRecord,
    feed: Feed,
    patches: readonly FeedPatch[],
  ): Promise<readonly string[]> {
    if (feed.revokedAt !== null) return []
    const checked = this.#changes.patched(feed, patches, this.#lookups)
    const failure = await checked.then(() => undefined, asFailure)
    if (failure === undefined) return []
    if (failure.code !== 'invalid') throw failure
    return this.#told(record, failure)
  }

  #told(record: CsvRecord, failure: AppError): readonly string[] {
    const index = this.#records.indexOf(record)
    if (failure.faults.length === 0) return [`${placeOf(record)}: ${failure.message}`]
    return failure.faults.map(
      ({ pointer, detail }) =>
        atRow({ pointer: `/${index}${pointer}`, detail }, this.#records).detail,
    )
  }
}

function parsePatch(input: object): FeedPatch {
  return parseInput(feedPatchSchema, input, { what: 'The change' })
}

import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import { refuseOtherCompany } from '../../domain/access/staff.ts'
import { AppError, asFailure, type ErrorCode, type InputFault } from '../../domain/errors.ts'
import { isOfSameName } from '../../domain/feed-name.ts'
import { type OwnOptions, readOptions } from '../../domain/feed-options.ts'
import { type Feed, isOfOnePerson } from '../../domain/feed.ts'
import { foldedMail } from '../../domain/person.ts'
import { displayName } from '../../domain/user.ts'
import { isObject } from '../../json/read-json.ts'
import { createRests } from '../../json/rest.ts'
import { connectionOf } from '../company-lookup.ts'
import type { FeedsDeps } from '../deps.ts'
import type { FeedCreation } from '../feed-creation.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedLinks } from '../feed-links.ts'
import type { FeedListing } from '../feed-listing.ts'
import { patchOptions } from '../feed-options.ts'
import {
  type FeedView,
  type ImportedFeedView,
  type RotatedLinkView,
  viewFeed,
} from '../feed-view.ts'
import type { PersonNames } from './person-names.ts'
import {
  cellOf,
  containersMax,
  type CsvRecord,
  feedColumns,
  ignoredColumns,
  placeOf,
  refuseMistyped,
  refuseWithout,
  sayIgnored,
  shortCell,
} from './read-table.ts'
import { type LinkRow, listColumns, noteOf, sayOthersGoOn } from './write-table.ts'

/** Feeds in one transaction, by default. */
const usuallyAtOnce = 200
const readAtOnce = 1000
const knownColumns: ReadonlySet<string> = new Set([...feedColumns, '', ...listColumns])

/** What holds for all rows, unless a row says otherwise. */
export interface ForAllRows {
  readonly name?: string | undefined
  readonly locale?: string | undefined
  readonly options?: OwnOptions | undefined
}

export interface FeedImportOptions {
  readonly companyId?: string | undefined
  readonly forAll?: ForAllRows
  /** Of the links of new feeds; left out: `default`. */
  readonly label?: string | undefined
  /** Give existing feeds a new link; otherwise their rows are skipped. */
  readonly rotateExisting?: boolean
  /** Days the old link keeps working. */
  readonly graceDays?: number
  /** Feeds per transaction: if the process dies, feeds not yet reported were not made. */
  readonly atOnce?: number
  /** Called before each transaction; if it returns an error, its rows fail. */
  readonly refusal?: () => AppError | undefined
  /** Aborting throws its reason once everything that was made is reported. */
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: {
    readonly step: 'checked' | 'done'
    readonly count: number
    readonly total: number
  }) => void
  /** Receives each row once it is stored, so that no address is lost if a later row fails; the next row waits for it. */
  readonly onRow?: (row: ImportedRow) => void | Promise<void>
}

/** All rows, without faults. */
interface CheckedTable {
  readonly drafts: readonly FeedDraft[]
  /** Columns of the table that have no meaning. */
  readonly ignored: readonly string[]
}

/** What would become of a row. */
export interface PlannedRow {
  readonly draft: FeedDraft
  /** The feed that exists already, and the one of the same person under another name. */
  readonly kept: Feed | null
  readonly other: Feed | null
}

export interface ImportedRow extends LinkRow {
  readonly status: 'created' | 'rotated' | 'skipped' | 'failed'
  /** Of a failed row. */
  readonly failure?: ErrorCode
  /** For a failed row, the feed that it requested. */
  readonly feed: FeedView
}

/** Existing feeds, by the ids of the drafts. */
interface KeptFeeds {
  /** Unrevoked feeds of the same company, person and name. */
  readonly kept: ReadonlyMap<string, KeptFeed>
  /** Open own feeds of the same person under another name. */
  readonly others: ReadonlyMap<string, KeptFeed>
}

interface KeptFeed {
  readonly feed: Feed
  readonly view: FeedView
}

type FeedImportDeps = FeedsDeps & {
  readonly creation: FeedCreation
  readonly listing: FeedListing
  readonly feedLinks: FeedLinks
  readonly names: () => PersonNames
}

/** Makes one feed per row of a table. */
export class FeedImport {
  readonly #deps: FeedImportDeps

  constructor(deps: FeedImportDeps) {
    this.#deps = deps
  }

  /**
   * Checks all rows before making the first feed: `invalid` with the row of each fault. If a feed with the same company,
   * user and name exists, the row is skipped or gets a new link, so a table can be sent again; duplicate rows count once. A
   * row that fails later is `failed`, and the rest continues. Returns the rows in the order in which they were done: in
   * each part of the table the new ones first.
   */
  async run(
    records: readonly CsvRecord[],
    options: FeedImportOptions,
  ): Promise<{ readonly rows: readonly ImportedRow[]; readonly warnings: readonly string[] }> {
    const { drafts, ignored } = await this.check(records, options).catch((error: unknown) => {
      throw atRows(error, records)
    })
    const warnings = [...sayIgnored(ignored), ...new Set(drafts.flatMap((it) => it.warnings))]
    return { rows: await this.make(drafts, options), warnings }
  }

  /** `invalid` with all faults; each pointer starts with the index of the record. */
  async check(
    records: readonly CsvRecord[],
    { companyId, forAll, onProgress, signal }: FeedImportOptions,
  ): Promise<CheckedTable> {
    const total = records.length
    if (total === 0) throw new AppError('invalid', 'The table has no rows below its header.')
    for (const named of [companyId, ...records.map(({ cells }) => cells['companyId'])]) {
      if (named?.trim() !== '') refuseOtherCompany(this.#deps.by.companyId, named?.trim())
    }
    // Reported once, not for every row.
    connectionOf(this.#deps.connections, companyId)
    const inputs = await feedInputs(records, companyId, forAll)
    const names = this.#deps.names()
    const onChecked = (count: number): void => {
      onProgress?.({ step: 'checked', count, total })
      signal?.throwIfAborted()
    }
    const drafts = await this.#deps.creation
      .drafts()
      .draftAll(inputs, onChecked, (draft, index) => mailFaults(records[index], draft, names))
    return { drafts, ignored: ignoredColumns(records, knownColumns) }
  }

  /** What `make` would find of each draft; nothing is made. */
  async plan(drafts: readonly FeedDraft[]): Promise<readonly PlannedRow[]> {
    const { kept, others } = await this.#findKept(drafts)
    return drafts.map((draft) => ({
      draft,
      kept: kept.get(draft.feed.id)?.feed ?? null,
      other: others.get(draft.feed.id)?.feed ?? null,
    }))
  }

  async make(
    drafts: readonly FeedDraft[],
    options: FeedImportOptions,
  ): Promise<readonly ImportedRow[]> {
    const { signal, onProgress, onRow, atOnce = usuallyAtOnce, refusal } = options
    const total = drafts.length
    const rows: ImportedRow[] = []
    const done = new Set<string>()
    // SQLite answers at once: without a pause the import could not be stopped.
    const restOrEnd = async (): Promise<void> => {
      if (rows.length === total) return
      await setImmediate()
      signal?.throwIfAborted()
    }
    const keep = async (row: ImportedRow): Promise<void> => {
      rows.push(row)
      done.add(row.feed.id)
      await onRow?.(row)
    }
    for (let start = 0; start < total; start += atOnce) {
      const part = drafts.slice(start, start + atOnce)
      const found = refusal?.() ?? (await this.#makeMissing(part, options.label).catch(asFailure))
      if (found instanceof AppError) {
        for (const draft of part) {
          await keep(failedRow(draft, found))
          await restOrEnd()
        }
      } else {
        // Made together, so all of them are reported before the import may stop.
        for (const row of found.created) await keep(row)
        for (const draft of part.filter(({ feed }) => !found.madeIds.has(feed.id))) {
          const kept = found.kept.get(draft.feed.id)
          const isRotated = options.rotateExisting && kept && !done.has(kept.feed.id)
          const row = isRotated ? this.#rotate(draft, kept, options) : this.#skip(draft, kept)
          const result = await row.catch(asFailure)
          await keep(result instanceof AppError ? failedRow(draft, result) : result)
          await restOrEnd()
        }
      }
      onProgress?.({ step: 'done', count: rows.length, total })
      await restOrEnd()
    }
    return rows
  }

  async #makeMissing(drafts: readonly FeedDraft[], label: string | undefined) {
    const { kept, others } = await this.#findKept(drafts)
    const missing = drafts.filter(({ feed }) => !kept.has(feed.id))
    const made = await this.#deps.creation.makeMissing(missing, label)
    const views = new Map(made.map(({ feed }) => [feed.id, feed]))
    // An earlier row of the table counts as another calendar, too.
    const before = new Map<string, FeedView>()
    const created = drafts.flatMap((draft) => {
      const feed = views.get(draft.feed.id)
      if (!feed) return []
      const person = JSON.stringify([feed.companyId, feed.userIds])
      const other = feed.audience === 'own' && (others.get(feed.id)?.view ?? before.get(person))
      if (feed.audience === 'own') before.set(person, feed)
      return [rowOf(draft, 'created', feed, other ? `has another calendar, ${other.id}` : null)]
    })
    return { kept, created, madeIds: new Set(views.keys()) }
  }

  /** A feed without a link of the label that was asked for gets one; its other links go on. */
  async #rotate(
    draft: FeedDraft,
    { feed: { id }, view: before }: KeptFeed,
    { graceDays = 0, label }: FeedImportOptions,
  ): Promise<ImportedRow> {
    const { feedLinks } = this.#deps
    const isThere = label === undefined || before.links.some((it) => it.label === label)
    const made: RotatedLinkView = isThere
      ? await feedLinks.rotate(id, { label, graceDays })
      : await feedLinks.create(id, { label })
    const { warnings = [], ...link } = made
    const { feed, view } = await this.#existing(draft)
    const links = view.links.map((it) => (it.label === link.label ? link : it))
    return { ...rowOf(draft, 'rotated', { ...view, links }, differenceNote(draft, feed)), warnings }
  }

  /** The feed may have been made by an earlier row or by another node. */
  async #skip(draft: FeedDraft, kept: KeptFeed | undefined): Promise<ImportedRow> {
    const { feed, view } = kept ?? (await this.#existing(draft))
    return rowOf(draft, 'skipped', view, differenceNote(draft, feed))
  }

  async #existing(draft: FeedDraft): Promise<KeptFeed> {
    const { kept } = await this.#findKept([draft])
    const found = kept.get(draft.feed.id)
    if (found) return found
    throw new AppError('conflict', 'The feed was ended at the same time; try again.')
  }

  async #findKept(drafts: readonly FeedDraft[]): Promise<KeptFeeds> {
    const { feeds, listing } = this.#deps
    const userIds = [...new Set(drafts.flatMap(({ feed }) => feed.userIds))]
    const found: KeptFeed[] = []
    const rests = createRests()
    let page: readonly Feed[] = []
    do {
      const after = page.at(-1)
      page = await feeds.listFeeds({ userIds, unrevoked: true, after, limit: readAtOnce })
      const some = page.filter((feed) => isOfOnePerson(feed))
      const views = new Map((await listing.views(some)).map((view) => [view.id, view]))
      for (const feed of some) {
        const view = views.get(feed.id)
        if (view) found.push({ feed, view })
      }
      if (rests.isDue()) await rests.take()
    } while (page.length === readAtOnce)
    const byUser = Map.groupBy(found, ({ feed }) => feed.userIds[0])
    const choose = (fits: (kept: Feed, draft: FeedDraft) => boolean) =>
      new Map(
        drafts.flatMap((draft) => {
          const kept = byUser.get(draft.feed.userIds[0])?.find(({ feed }) => fits(feed, draft))
          return kept ? [[draft.feed.id, kept] as const] : []
        }),
      )
    return { kept: choose(isSame), others: choose(isAnother) }
  }
}

/** While the Read API does not tell the person's name, any name matches. */
function isSame(kept: Feed, { feed, users }: FeedDraft): boolean {
  if (kept.companyId !== feed.companyId) return false
  const isUnnamed = users.length === 0 && feed.namedAfter === ''
  return isUnnamed || isOfSameName(kept, feed)
}

function isAnother(kept: Feed, draft: FeedDraft): boolean {
  const isOwn = kept.audience === 'own' && draft.feed.audience === 'own'
  const isOpen = kept.companyId === draft.feed.companyId && kept.closedBecause === null
  return isOwn && isOpen && !isSame(kept, draft)
}

function rowOf(
  { users: [user] }: FeedDraft,
  status: ImportedRow['status'],
  feed: FeedView,
  reason: string | null,
): ImportedRow {
  // Only a new link carries addresses.
  const link = feed.links.find(({ url }) => url !== undefined) ?? null
  return {
    status,
    feed,
    userId: feed.userIds[0] ?? '',
    displayName: displayName(user),
    email: user?.email ?? '',
    feedId: feed.id,
    label: link?.label ?? '',
    link,
    reason,
  }
}

function failedRow(draft: FeedDraft, { message, code }: AppError): ImportedRow {
  const row = rowOf(draft, 'failed', viewFeed(draft.feed, [], undefined), message)
  return { ...row, feedId: '', failure: code }
}

export function viewRow({ feed, status, email, ...row }: ImportedRow): ImportedFeedView {
  const reason = noteOf(row)
  const { displayName: name, mail } = row
  const told = { ...(reason !== null && { reason }), ...(mail && { mail }) }
  return { ...feed, status, displayName: name, email, ...told }
}

/** Warnings for the sender of the table. */
export function rowWarnings(rows: readonly ImportedRow[]): readonly string[] {
  const noted = rows.filter(({ status, reason }) => status !== 'failed' && reason !== null)
  const doubled = noted.filter(({ status }) => status === 'created').length
  const others = noted.length - doubled
  const calendars = doubled === 1 ? 'calendar was' : 'calendars were'
  const feeds = others === 1 ? 'row differs from its feed' : 'rows differ from their feeds'
  const warnings: string[] = []
  if (doubled > 0) {
    const warning = `${doubled} ${calendars} made for people who have another: company, user and name together decide; the status names it.`
    warnings.push(warning)
  }
  if (others > 0) {
    const warning = `${others} ${feeds}, of which nothing was changed: the status says in what.`
    warnings.push(warning)
  }
  return [...warnings, ...sayOthersGoOn(rows)]
}

/** The columns in which a row differs from the existing feed; null if none. Empty cells match anything. */
function differenceNote({ wanted }: FeedDraft, kept: Feed): string | null {
  const isOther = (column: 'locale' | 'timezone' | 'audience'): boolean =>
    wanted[column] !== undefined && wanted[column] !== kept[column]
  const differs = {
    ...optionDifferences(wanted.options, kept),
    locale: isOther('locale'),
    timezone: isOther('timezone'),
    audience: isOther('audience'),
  }
  const order = ['options', 'locale', 'timezone', 'scheduleIds', 'audience'] as const
  const columns = order.filter((column) => differs[column])
  if (columns.length === 0) return null
  const never = differs.audience ? ' (the audience never changes)' : ''
  return `differs in ${columns.join(', ')}; use feed update${never}`
}

/** Options differ if merging them would change something. */
function optionDifferences(
  wanted: FeedDraft['wanted']['options'],
  { audience, ownOptions, defaults, options: kept }: Feed,
): { readonly options: boolean; readonly scheduleIds: boolean } {
  if (wanted === undefined) return { options: false, scheduleIds: false }
  const asked = readOptions(audience, defaults[audience], patchOptions(ownOptions, wanted))
  const { scheduleIds } = asked.shifts
  const known = kept.shifts.scheduleIds
  const comparable = { ...asked, shifts: { ...asked.shifts, scheduleIds: known } }
  return {
    options: !isDeepStrictEqual(comparable, kept),
    scheduleIds: scheduleIds !== null && !isDeepStrictEqual(scheduleIds, known),
  }
}

/**
 * Mail goes to the address in the workforce system; a different one in the table is a fault. No fault while the person
 * cannot be looked up, since the draft has a warning then.
 */
async function mailFaults(
  record: CsvRecord | undefined,
  { users: [user], feed }: FeedDraft,
  names: PersonNames,
): Promise<readonly InputFault[]> {
  const given = cellOf(record, 'email')
  if (given === '') return []
  const known = user
    ? (user.email ?? '')
    : (await names.find(feed.companyId, feed.userIds[0] ?? '')).email || undefined
  if (known === undefined || foldedMail(given) === foldedMail(known)) return []
  const has = known.trim() || 'no address of this person'
  const detail = `The workforce system has ${has}: correct it there, or leave this cell empty.`
  return [{ pointer: '/email', detail }]
}

/** One input per record. `invalid` without a userId column, with a mistyped column, or if the options are too large. */
export async function feedInputs(
  records: readonly CsvRecord[],
  companyId: string | undefined,
  { name, locale, options }: ForAllRows = {},
): Promise<readonly unknown[]> {
  refuseMistyped(records, feedColumns)
  refuseWithout(records, ['userId'])
  const inputs: unknown[] = []
  const rests = createRests()
  let containers = 0
  for (const record of records) {
    // An upper bound for the objects and lists in the cell.
    containers += (record.cells['options'] ?? '').replaceAll(/[^[{]+/g, '').length
    if (containers > containersMax) {
      const message = `The options in the table are too long: at most ${containersMax} objects and lists in one request; send it in parts.`
      throw new AppError('invalid', message)
    }
    const given = (column: string): string | undefined => cellOf(record, column) || undefined
    inputs.push({
      companyId,
      userIds: [cellOf(record, 'userId')],
      name: given('name') ?? name,
      timezone: given('timezone'),
      locale: given('locale') ?? locale,
      audience: given('audience'),
      options: withSchedules(
        withForAll(parseJson(given('options')), options),
        given('scheduleIds'),
      ),
    })
    if (rests.isDue()) await rests.take()
  }
  return inputs
}

/** What a row sets counts more than what holds for all. */
function withForAll(ofRow: unknown, forAll: OwnOptions | undefined): unknown {
  if (forAll === undefined || (ofRow !== undefined && !isObject(ofRow))) return ofRow
  const merged = new Map<string, unknown>(Object.entries(forAll))
  for (const [name, value] of Object.entries(ofRow ?? {})) {
    const before = merged.get(name)
    merged.set(name, isObject(before) && isObject(value) ? { ...before, ...value } : value)
  }
  return Object.fromEntries(merged)
}

/** What is not JSON stays text and is refused later. */
export function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return text
  }
}

function withSchedules(options: unknown, scheduleIds: string | undefined): unknown {
  if (scheduleIds === undefined) return options
  const ids = scheduleIds.split('|').map((id) => id.trim())
  const shifts = { scheduleIds: ids.filter((id) => id !== '') }
  if (options === undefined) return { shifts }
  if (!isObject(options)) return options
  return { ...options, shifts: { ...Object(options['shifts']), ...shifts } }
}

/** Ignores the columns of tables that the bridge writes itself. */
export function unknownColumns(records: readonly CsvRecord[]): readonly string[] {
  return sayIgnored(ignoredColumns(records, knownColumns))
}

/** The same error, with row, person and column for each fault. */
export function atRows(error: unknown, records: readonly CsvRecord[]): unknown {
  if (!(error instanceof AppError)) return error
  if (!error.faults.some(({ pointer }) => /^\/\d/.test(pointer))) return error
  const faults = error.faults.map((fault) => atRow(fault, records))
  const message = 'Some rows of the table are not valid. No calendar was made.'
  const { moreFaults } = error
  return new AppError(error.code, message, { cause: error, faults, moreFaults })
}

/** The same fault with row, person and column; its pointer begins with the index of the record. */
export function atRow({ pointer, detail }: InputFault, records: readonly CsvRecord[]): InputFault {
  const [, index, member = '', ...rest] = pointer.split('/')
  const record = records[Number(index)]
  const place = `${placeOf(record)}, ${columnOf(record, member, rest)}`
  if (member !== 'options' || rest.length > 0) return { pointer, detail: `${place}: ${detail}` }
  const example = 'such as {"leaves": {"detail": "absent"}}'
  const cell = cellOf(record, 'options')
  const isJson = typeof parseJson(cell) !== 'string' || cell.startsWith('"')
  const why = isJson
    ? `Is JSON but not an object ${example}.`
    : `Is not JSON: write an object with straight quotes, ${example}.`
  return { pointer, detail: `${place}: ${why}` }
}

function columnOf(record: CsvRecord | undefined, member: string, rest: readonly string[]): string {
  if (member === 'userIds') return 'userId'
  if (rest[1] === 'scheduleIds') return 'scheduleIds'
  if (member === 'options') return rest.length > 0 ? `options (${rest.join('.')})` : member
  const cell = shortCell(record, member)
  return cell === undefined ? member : `${member} "${cell}"`
}

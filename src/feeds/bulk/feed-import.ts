import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

import type { Actor } from '../../domain/access/staff.ts'
import type { Connection } from '../../domain/connection.ts'
import { AppError, type InputFault } from '../../domain/errors.ts'
import { readOptions } from '../../domain/feed-options.ts'
import type { FeedStore, Feed } from '../../domain/feed.ts'
import { foldedMail } from '../../domain/person.ts'
import { displayName } from '../../domain/user.ts'
import { createRests } from '../../json/rest.ts'
import { connectionOf, asFailure } from '../company-lookup.ts'
import type { FeedCreation, CreatedFeed } from '../feed-creation.ts'
import type { FeedDraft } from '../feed-drafts.ts'
import type { FeedLinks } from '../feed-links.ts'
import type { FeedListing } from '../feed-listing.ts'
import { defaultName, patchOptions } from '../feed-options.ts'
import { type FeedView, type ImportedFeedView, type LinkView, viewFeed } from '../feed-view.ts'
import { atRows, feedInputs, refuseOtherCompanies, unknownColumns } from './import-rows.ts'
import type { PersonNames } from './person-names.ts'
import { type CsvRecord, type LinkRow, noteOf, sayOthersGoOn, readCell } from './tables.ts'

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

/** What is found and what is made, by the ids of the drafts. */
export interface ImportedPart extends KeptFeeds {
  readonly made: ReadonlyMap<string, CreatedFeed>
}

/** Those that were made, each with another calendar that its person has: an earlier one of the same table is one too. */
function* createdRows(
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
function withNewLink(status: RowOutcome['status'], feed: FeedView): RowOutcome {
  const link = feed.links.find(({ url }) => url !== undefined)
  return { status, feed, ...(link && { link }) }
}

/** What became of one row. */
export interface ImportedRow extends LinkRow {
  readonly status: 'created' | 'rotated' | 'skipped' | 'failed'
  /** As it would be where it could not be made. */
  readonly feed: FeedView
}

/** What became of a row that did not fail. */
export interface RowOutcome extends Pick<ImportedRow, 'status' | 'feed'> {
  /** The one that was made. */
  readonly link?: LinkView
  /** What should be known of it. */
  readonly reason?: string | null
  /** Which other addresses of the feed go on. */
  readonly warnings?: readonly string[]
}

/** A row that did not fail. */
function importedRow(draft: FeedDraft, outcome: RowOutcome): ImportedRow {
  return { ...rowOf(draft, outcome), feedId: outcome.feed.id }
}

/** A row whose feed could not be made or rotated. */
function failedRow(draft: FeedDraft, { message }: AppError): ImportedRow {
  const feed = viewFeed(draft.feed, [])
  return { ...rowOf(draft, { status: 'failed', feed }), reason: message }
}

/** What became of a row as programs see it. */
export function viewRow({ feed, status, email, ...row }: ImportedRow): ImportedFeedView {
  const reason = noteOf(row)
  const said = reason === null ? {} : { reason }
  const { displayName: name, mail } = row
  return { ...feed, status, displayName: name, email, ...said, ...(mail && { mail }) }
}

function rowOf(
  { users: [user] }: FeedDraft,
  { link, reason = null, ...outcome }: RowOutcome,
): ImportedRow {
  return {
    ...outcome,
    userId: outcome.feed.userIds[0] ?? '',
    displayName: displayName(user),
    email: user?.email ?? '',
    feedId: '',
    label: link?.label ?? '',
    link: link ?? null,
    reason,
  }
}

/** What whoever sent the table should look at, in sentences. */
export function rowWarnings(rows: readonly ImportedRow[]): readonly string[] {
  const noted = rows.filter(({ status, reason }) => status !== 'failed' && reason !== null)
  const doubled = noted.filter(({ status }) => status === 'created').length
  const others = noted.length - doubled
  const calendars = doubled === 1 ? 'calendar was' : 'calendars were'
  const feeds = others === 1 ? 'row differs from its feed' : 'rows differ from their feeds'
  return [
    ...(doubled > 0
      ? [
          `${doubled} ${calendars} made for people who have another: company, user and name together decide; the status names it.`,
        ]
      : []),
    ...(others > 0
      ? [`${others} ${feeds}, of which nothing was changed: the status says in what.`]
      : []),
    ...sayOthersGoOn(rows),
  ]
}

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
async function findKeptFeeds(
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
function firstOfEach(drafts: readonly FeedDraft[]): readonly FeedDraft[] {
  const identities = drafts.map(({ feed }) => JSON.stringify([feed.userIds, feed.name]))
  return drafts.filter((_, index) => identities.indexOf(identities[index] ?? '') === index)
}

/**
 * What is wrong with the mail address of a row: mail goes to the address that the workforce system has, so another one
 * would be ignored. Nothing where nobody knows the person at the moment, of which the draft warns.
 */
async function mailFaults(
  record: CsvRecord | undefined,
  draft: FeedDraft,
  names: Pick<PersonNames, 'find'>,
): Promise<readonly InputFault[]> {
  const given = readCell(record?.cells['email'] ?? '').trim()
  if (given === '') return []
  const known = await knownMail(draft, names)
  if (known === undefined || foldedMail(given) === foldedMail(known)) return []
  const has = known.trim() || 'no address of this person'
  const detail = `The workforce system has ${has}: correct it there, or leave this cell empty.`
  return [{ pointer: '/email', detail }]
}

/** Empty where the person has none; undefined where nobody says. */
async function knownMail(
  { users: [user], feed }: FeedDraft,
  names: Pick<PersonNames, 'find'>,
): Promise<string | undefined> {
  if (user) return user.email ?? ''
  const { email } = await names.find(feed.companyId, feed.userIds[0] ?? '')
  return email || undefined
}

/** The columns in which a row says anything else than the feed that exists; what it leaves out differs in nothing. */
function rowDifferences({ wanted }: FeedDraft, kept: FeedView): readonly string[] {
  const { options, scheduleIds } = optionDifferences(wanted.options, kept)
  const differs = {
    options,
    locale: isDifferent(wanted.locale, kept.locale),
    timezone: isDifferent(wanted.timezone, kept.timezone),
    scheduleIds,
    audience: isDifferent(wanted.audience, kept.audience),
  }
  return Object.entries(differs).flatMap(([column, isSo]) => (isSo ? [column] : []))
}

function isDifferent(wanted: string | undefined, kept: string): boolean {
  return wanted !== undefined && wanted !== kept
}

/** The row's options are none of the feed's if merging them over those changes what holds. */
function optionDifferences(
  wanted: FeedDraft['wanted']['options'],
  { audience, options, ownOptions }: FeedView,
): { readonly options: boolean; readonly scheduleIds: boolean } {
  if (wanted === undefined) return { options: false, scheduleIds: false }
  const asked = readOptions(audience, patchOptions(patchOptions({}, ownOptions), wanted))
  const { scheduleIds } = asked.shifts
  const comparable = {
    ...asked,
    shifts: { ...asked.shifts, scheduleIds: options.shifts.scheduleIds },
  }
  return {
    options: !isDeepStrictEqual(comparable, options),
    scheduleIds:
      scheduleIds !== null && !isDeepStrictEqual(scheduleIds, options.shifts.scheduleIds),
  }
}

/** What to say of a row whose feed exists; null where it says nothing else. */
function differenceNote(draft: FeedDraft, kept: FeedView): string | null {
  const columns = rowDifferences(draft, kept)
  if (columns.length === 0) return null
  const never = columns.includes('audience') ? ' (the audience never changes)' : ''
  return `differs in ${columns.join(', ')}; use feed update${never}`
}

import { noCompany } from '../../domain/company.ts'
import { AppError, type InputFault } from '../../domain/errors.ts'
import type { Feed, FeedStore } from '../../domain/feed.ts'
import type { FeedLink, LinkStore } from '../../domain/link.ts'
import type { Clock } from '../../domain/world.ts'
import { asFailure, invalidFeed } from '../company-lookup.ts'
import type { FeedChanges } from '../feed-changes.ts'
import { type FeedLinks, refuseReplaced } from '../feed-links.ts'
import type { LinkView } from '../feed-view.ts'
import { placeOf } from './import-rows.ts'
import type { PersonNames } from './person-names.ts'
import {
  type CsvRecord,
  choiceColumns,
  refuseMistyped,
  refuseWithout,
  readCell,
  type LinkRow,
  noteOf,
} from './tables.ts'

interface FeedTableChangesDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'listFeeds'>
  readonly links: Pick<LinkStore, 'listLinks'>
  readonly changes: Pick<FeedChanges, 'revoke'>
  readonly feedLinks: Pick<FeedLinks, 'rotate' | 'end'>
  readonly names: () => Pick<PersonNames, 'find'>
  readonly connections: ReadonlyMap<string, object>
  readonly clock: Clock
}

/** What is done to each feed. */
export type TableChange =
  | { readonly kind: 'rotate'; readonly label?: string | undefined; readonly graceDays: number }
  | { readonly kind: 'revoke'; readonly label?: string | undefined; readonly purge: boolean }

const firstLabel = 'default'
/** Asked for together before their feeds are changed, so that no change waits for the Read API. */
const namesAtOnce = 64

/** Changes every feed that a table names. */
export class FeedTableChanges {
  readonly #deps: FeedTableChangesDeps

  constructor(deps: FeedTableChangesDeps) {
    this.#deps = deps
  }

  /** All rows are checked before anything is changed: `invalid` with the row of each fault, or for a company that there is not. */
  async choose(
    records: readonly CsvRecord[],
    change: TableChange | { readonly kind: 'remind' },
    companyId?: string,
  ): Promise<ChosenFeeds> {
    if (companyId !== undefined) await this.#refuseUnknown(companyId)
    return chooseFeeds(this.#deps, records, { companyId, ...choiceFor(change) })
  }

  /**
   * Each feed as soon as it is changed; one that cannot be is `failed`, and the others go on. What has ended already is
   * skipped, so a revocation can be sent again; a rotation that is sent again gives every feed yet another link.
   */
  run(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    return this.#rows(feeds, change, (chosen) => this.#change(chosen, change))
  }

  /** What `run` would do to each; changes nothing. */
  plan(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    const would = `would be ${change.kind === 'rotate' ? 'rotated' : 'revoked'}` as const
    return this.#rows(feeds, change, async (chosen) => {
      if (this.#isDone(chosen, change)) return skipped
      if (change.kind === 'rotate') this.#refuseReplaced(chosen, change.label)
      return { status: would, link: null, reason: null }
    })
  }

  #refuseReplaced({ feed, links }: ChosenFeed, label = firstLabel): void {
    const link = links.find((it) => it.label === label)
    if (link) refuseReplaced(feed, link, this.#deps.clock.now())
  }

  /** The feeds of a company that is set up no longer can still be ended. */
  async #refuseUnknown(companyId: string): Promise<void> {
    const { connections, feeds } = this.#deps
    if (connections.has(companyId)) return
    if ((await feeds.listFeeds({ companyId, limit: 1 })).length > 0) return
    throw invalidFeed('/companyId', noCompany(companyId, connections.keys()))
  }

  async *#rows(
    feeds: readonly ChosenFeed[],
    change: TableChange,
    apply: (chosen: ChosenFeed) => Promise<Outcome>,
  ): AsyncGenerator<ChangedRow> {
    const names = this.#deps.names()
    for (const [index, chosen] of feeds.entries()) {
      if (index % namesAtOnce === 0) await findNames(names, feeds.slice(index, index + namesAtOnce))
      const { id: feedId, companyId, userIds } = chosen.feed
      const [userId = ''] = userIds
      const { displayName, email } = await names.find(companyId, userId)
      const outcome = await apply(chosen).catch(asFailure)
      const row = { userId, displayName, email, feedId, label: change.label ?? '' }
      yield outcome instanceof AppError
        ? { ...row, link: null, status: 'failed', reason: outcome.message }
        : { ...row, label: outcome.link?.label ?? row.label, ...outcome }
    }
  }

  async #change(chosen: ChosenFeed, change: TableChange): Promise<Outcome> {
    const { changes, feedLinks } = this.#deps
    const { id } = chosen.feed
    if (this.#isDone(chosen, change)) return skipped
    if (change.kind === 'rotate') {
      const { label = firstLabel, graceDays } = change
      const { warnings = [], ...link } = await feedLinks.rotate(id, { label, graceDays })
      return { status: 'rotated', link, reason: null, warnings }
    }
    const { label, purge } = change
    await (label === undefined ? changes.revoke(id, purge) : feedLinks.end(id, label, purge))
    return { status: 'revoked', link: null, reason: null }
  }

  /** A purge can be added to a feed that has ended, and to no link. */
  #isDone({ feed, links }: ChosenFeed, change: TableChange): boolean {
    if (feed.revokedAt !== null && !this.#canPurge(feed, change)) return true
    return change.kind === 'revoke' && this.#hasEnded(links, change.label)
  }

  #canPurge({ purgedAt }: Feed, change: TableChange): boolean {
    return change.kind === 'revoke' && change.purge && purgedAt === null
  }

  #hasEnded(links: readonly FeedLink[], label: string | undefined): boolean {
    const now = this.#deps.clock.now()
    const link = links.find((it) => it.label === label)
    return link?.endsAt != null && link.endsAt <= now
  }
}

function choiceFor(
  change: TableChange | { readonly kind: 'remind' },
): Pick<Choice, 'label' | 'revoked'> {
  if (change.kind === 'remind') return { revoked: false }
  const { kind, label } = change
  return kind === 'rotate'
    ? { label: label ?? firstLabel, revoked: false }
    : { label, revoked: true }
}

async function findNames(
  names: Pick<PersonNames, 'find'>,
  feeds: readonly ChosenFeed[],
): Promise<void> {
  const found = feeds.map(({ feed }) => names.find(feed.companyId, feed.userIds[0] ?? ''))
  await Promise.all(found)
}

interface Outcome {
  readonly status: ChangedRow['status']
  readonly link: LinkView | null
  readonly reason: string | null
  readonly warnings?: readonly string[]
}

const skipped: Outcome = { status: 'skipped', link: null, reason: 'has ended' }

/** How many rows are looked up at once. */
const rowsAtOnce = 100
/** A person's feeds are fewer. */
const feedsOfUserMax = 1000

const notesMax = 20

interface ChosenFeedsDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'listFeeds'>
  readonly links: Pick<LinkStore, 'listLinks'>
}

/** What the feeds of a table are chosen for. */
export interface Choice {
  /** Only feeds of this company. */
  readonly companyId?: string | undefined
  /** Only feeds with a link of this label. */
  readonly label?: string | undefined
  /** Whether those of a person that have been revoked are among them, and need a link of that label. */
  readonly revoked: boolean
}

/** A feed with its links. */
export interface ChosenFeed {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
}

/** The feeds that a table names, each once in its order, and what else should be known of the choice, in sentences. */
export interface ChosenFeeds {
  readonly feeds: readonly ChosenFeed[]
  readonly notes: readonly string[]
}

interface ChosenRow {
  readonly feeds: readonly ChosenFeed[]
  readonly note?: string
}

/**
 * The feeds that the rows name by `feedId`, or by `userId`: then all that this person has alone. `invalid` with the row
 * of each fault: an unknown id, a feed that is not that person's, a missing label.
 */
async function chooseFeeds(
  deps: ChosenFeedsDeps,
  records: readonly CsvRecord[],
  choice: Choice,
): Promise<ChosenFeeds> {
  refuseUnreadable(records)
  const rows: ChosenRow[] = []
  const faults: InputFault[] = []
  for (let start = 0; start < records.length; start += rowsAtOnce) {
    const part = records.slice(start, start + rowsAtOnce)
    const found = await Promise.all(part.map((it) => chooseRow(deps, it, choice).catch(asFailure)))
    for (const [index, row] of found.entries()) {
      if (!(row instanceof AppError)) rows.push(row)
      else if (row.code !== 'invalid') throw row
      else
        faults.push({
          pointer: `/${start + index}`,
          detail: `${placeOf(part[index])}, ${row.message}`,
        })
    }
  }
  if (faults.length > 0) {
    throw new AppError('invalid', 'Some rows name no feed. Nothing was changed.', { faults })
  }
  const feeds = new Map(rows.flatMap((row) => row.feeds.map((it) => [it.feed.id, it])))
  return { feeds: [...feeds.values()], notes: notesOf(rows) }
}

/** Each once, and no more than anybody reads. */
function notesOf(rows: readonly ChosenRow[]): readonly string[] {
  const notes = [...new Set(rows.flatMap(({ note }) => note ?? []))]
  if (notes.length <= notesMax) return notes
  return [...notes.slice(0, notesMax), `The same holds for ${notes.length - notesMax} more people.`]
}

function refuseUnreadable(records: readonly CsvRecord[]): void {
  const [first] = records
  if (!first) throw new AppError('invalid', 'The table holds no row below its first line.')
  refuseMistyped(records, choiceColumns)
  refuseWithout(records, choiceColumns)
}

async function chooseRow(
  deps: ChosenFeedsDeps,
  { cells }: CsvRecord,
  choice: Choice,
): Promise<ChosenRow> {
  const feedId = readCell(cells['feedId'] ?? '').trim()
  const userId = readCell(cells['userId'] ?? '').trim()
  if (feedId !== '') return { feeds: [await findOne(deps, { feedId, userId }, choice)] }
  if (userId !== '') return findAll(deps, userId, choice)
  throw wrong('feedId', 'Must name a feed, or userId a person.')
}

async function findOne(
  deps: ChosenFeedsDeps,
  { feedId, userId }: { readonly feedId: string; readonly userId: string },
  { companyId, label, revoked }: Choice,
): Promise<ChosenFeed> {
  const feed = await deps.feeds.findFeed(feedId)
  if (!feed || (companyId !== undefined && feed.companyId !== companyId)) {
    throw wrong('feedId', `There is no feed "${feedId}".`)
  }
  if (userId !== '' && !feed.userIds.includes(userId)) {
    throw wrong('userId', `The feed ${feedId} is not of "${userId}" but of ${feed.userIds[0]}.`)
  }
  const links = await deps.links.listLinks([feedId])
  const hasEnded = feed.revokedAt !== null && !revoked
  if (hasEnded || hasLabel(links, label)) return { feed, links }
  throw wrong('feedId', `There is no link "${label}" of the feed ${feedId}.`)
}

async function findAll(
  deps: ChosenFeedsDeps,
  userId: string,
  { companyId, label, revoked }: Choice,
): Promise<ChosenRow> {
  const all = await deps.feeds.listFeeds({ companyId, userIds: [userId], limit: feedsOfUserMax })
  const open = all.filter(({ revokedAt }) => revokedAt === null)
  const found = revoked || open.length === 0 ? all : open
  const alone = found.filter(({ userIds }) => userIds.length === 1)
  refuseSeveralCompanies(alone)
  const links = Map.groupBy(
    await deps.links.listLinks(alone.map(({ id }) => id)),
    ({ feedId }) => feedId,
  )
  const feeds = alone
    .map((feed) => ({ feed, links: links.get(feed.id) ?? [] }))
    .filter((it) => hasLabel(it.links, label))
  const shared = found.length - alone.length
  if (feeds.length > 0) return { feeds, ...personNote(userId, feeds.length, shared) }
  const ofLabel = alone.length === 0 ? '' : ` with a link "${label}"`
  throw wrong('userId', `There is no feed of "${userId}" alone${ofLabel}.`)
}

/** One id may be two people's. */
function refuseSeveralCompanies(feeds: readonly Feed[]): void {
  const companies = [...new Set(feeds.map((feed) => feed.companyId))]
  if (companies.length < 2) return
  throw wrong('userId', `Is known in ${companies.join(' and ')}: say in which with --company.`)
}

function hasLabel(links: readonly FeedLink[], label: string | undefined): boolean {
  return label === undefined || links.some((link) => link.label === label)
}

function personNote(userId: string, count: number, shared: number): { note?: string } {
  const all = count > 1 ? [`${userId} has ${count} feeds; all of them are meant`] : []
  const stay =
    shared > 0 ? [`${userId} is in ${shared} with others too, which stay as they are`] : []
  const note = [...all, ...stay].join('; ')
  return note === '' ? {} : { note: `${note}.` }
}

function wrong(column: string, detail: string): AppError {
  return new AppError('invalid', `${column}: ${detail}`)
}

/** What became of one feed. */
export interface ChangedRow extends LinkRow {
  readonly status:
    | 'rotated'
    | 'revoked'
    | 'skipped'
    | 'failed'
    | `would be ${'rotated' | 'revoked'}`
}

/** What became of a feed as programs see it. */
export function viewChanged({ link, status, reason: why, warnings, ...row }: ChangedRow): object {
  const reason = noteOf({ reason: why, ...(warnings && { warnings }) })
  const addresses = link ? { url: link.url, page: link.page } : {}
  const said = reason === null ? {} : { [status === 'failed' ? 'error' : 'note']: reason }
  return { ...row, status: wordOf(status), ...addresses, ...said }
}

/** What has ended before is done as well. */
function wordOf(status: ChangedRow['status']): string {
  return status === 'failed' || status.startsWith('would') ? status : 'done'
}

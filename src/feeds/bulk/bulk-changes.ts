import { noCompany } from '../../domain/company.ts'
import type { Creation } from '../../domain/creation.ts'
import { AppError, asFailure, type InputFault } from '../../domain/errors.ts'
import { type Feed, isOfOnePerson } from '../../domain/feed.ts'
import type { FeedLink } from '../../domain/link.ts'
import type { FeedsDeps } from '../deps.ts'
import type { CompanyLookups, FeedChanges } from '../feed-changes.ts'
import type { FeedPatch } from '../feed-input.ts'
import type { FeedLinks } from '../feed-links.ts'
import { refuseReplaced } from '../link-replacement.ts'
import type { PersonNames } from './person-names.ts'
import {
  cellOf,
  choiceColumns,
  refuseMistyped,
  refuseWithout,
  type CsvRecord,
  placeOf,
} from './read-table.ts'
import { notPatched, patchColumns, RowPatches } from './row-patches.ts'
import { type LinkRow, noteOf } from './write-table.ts'

export interface ChangedRow extends LinkRow {
  readonly status:
    | 'changed'
    | 'unchanged'
    | 'rotated'
    | 'revoked'
    | 'skipped'
    | 'failed'
    | `would be ${'changed' | 'rotated' | 'revoked'}`
}

export function viewChanged({ link, status, reason: why, warnings, ...row }: ChangedRow): object {
  const reason = noteOf({ reason: why, ...(warnings && { warnings }) })
  const addresses = link ? { url: link.url, page: link.page } : {}
  const said = reason === null ? {} : { [status === 'failed' ? 'error' : 'note']: reason }
  // Ended before counts as done.
  const became = status === 'failed' || status.startsWith('would') ? status : 'done'
  return { ...row, status: became, ...addresses, ...said }
}

const rowsAtOnce = 100
/** More than any person has. */
const feedsOfUserMax = 1000
const notesMax = 20
const defaultLabel = 'default'
/** Looked up together before their feeds change, so that no change waits for the Read API. */
const namesAtOnce = 64

type LinkChange =
  | { readonly kind: 'rotate'; readonly label?: string | undefined; readonly graceDays: number }
  | { readonly kind: 'revoke'; readonly label?: string | undefined; readonly purge: boolean }

/** `patch` is for all rows and not checked yet; a row's own cells take precedence. */
export type TableChange = LinkChange | { readonly kind: 'update'; readonly patch: object }

/** The patches are applied one after the other. */
type OneChange =
  | LinkChange
  | {
      readonly kind: 'update'
      readonly patches: readonly FeedPatch[]
      readonly lookups: CompanyLookups
    }

type FeedWithLinks = Pick<ChosenFeed, 'feed' | 'links'>

export interface ChosenFeed {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
  /** For an update. */
  readonly patches: readonly FeedPatch[]
}

interface Choice {
  /** Only feeds of this company. */
  readonly companyId: string | undefined
  /** Only feeds with a link of this label. */
  readonly label?: string | undefined
  /** Includes a person's revoked feeds, which then need a link with that label. */
  readonly revoked: boolean
}

type Outcome = Pick<ChangedRow, 'status' | 'link' | 'reason' | 'warnings'>

interface ChangeDeps {
  readonly changes: FeedChanges
  readonly feedLinks: FeedLinks
}

/** Changes one feed. A rotation fails with `conflict` if `once` is stored already. */
export async function changeOne(
  { changes, feedLinks }: ChangeDeps,
  id: string,
  change: OneChange,
  once?: Creation,
): Promise<Outcome> {
  if (change.kind === 'update') {
    const { isChanged, warnings } = await changes.patch(id, change.patches, change.lookups)
    return { status: isChanged ? 'changed' : 'unchanged', link: null, reason: null, warnings }
  }
  if (change.kind === 'rotate') {
    const { label = defaultLabel, graceDays } = change
    const { warnings = [], ...link } = await feedLinks.rotate(id, { label, graceDays }, once)
    return { status: 'rotated', link, reason: null, warnings }
  }
  const { label, purge } = change
  await (label === undefined ? changes.revoke(id, purge) : feedLinks.end(id, label, purge))
  return { status: 'revoked', link: null, reason: null }
}

const skipped: Outcome = { status: 'skipped', link: null, reason: 'has ended' }

type BulkChangesDeps = FeedsDeps & ChangeDeps & { readonly names: () => PersonNames }

/** Changes every feed in a table. */
export class BulkChanges {
  readonly #deps: BulkChangesDeps

  constructor(deps: BulkChangesDeps) {
    this.#deps = deps
  }

  /**
   * The feeds in the rows, named by `feedId` or by `userId` (then all that show only this person), each once, with notes
   * for the operator. Changes nothing. `invalid` with the row of each fault (unknown id, another person's feed, missing
   * label, a change that cannot be made or differs from that of another row), or for an unknown company.
   */
  async choose(
    records: readonly CsvRecord[],
    change: TableChange | { readonly kind: 'remind' },
    companyId?: string,
  ): Promise<{ readonly feeds: readonly ChosenFeed[]; readonly notes: readonly string[] }> {
    if (companyId !== undefined) await refuseUnknownCompany(this.#deps, companyId, '/companyId')
    if (records.length === 0) {
      throw new AppError('invalid', 'The table has no rows below its header.')
    }
    const patches =
      change.kind === 'update' ? new RowPatches(records, change.patch, this.#deps.changes) : null
    refuseMistyped(records, patches ? [...choiceColumns, ...patchColumns] : choiceColumns)
    refuseWithout(records, choiceColumns)
    const choice = { companyId, ...labelOf(change), revoked: change.kind === 'revoke' }
    const feeds = new Map<string, ChosenFeed>()
    const notes = new Set<string>()
    const faults: InputFault[] = []
    for (let start = 0; start < records.length; start += rowsAtOnce) {
      const part = records.slice(start, start + rowsAtOnce)
      const rows = part.map((record) => this.#chooseRow(record, choice).catch(asFailure))
      for (const [index, row] of (await Promise.all(rows)).entries()) {
        const record = part[index]
        if (!(row instanceof AppError)) {
          for (const it of row.feeds) {
            const found = patches && record ? await patches.of(record, it.feed) : notPatched
            feeds.set(it.feed.id, { ...it, patches: found.patches })
            for (const detail of found.faults) faults.push({ pointer: `/${start + index}`, detail })
          }
          if (row.note !== undefined) notes.add(row.note)
        } else if (row.code === 'invalid') {
          const detail = `${placeOf(record)}, ${row.message}`
          faults.push({ pointer: `/${start + index}`, detail })
        } else throw row
      }
    }
    if (faults.length > 0) {
      const what = patches ? 'are not valid' : 'name no feed'
      throw new AppError('invalid', `Some rows ${what}. Nothing was changed.`, { faults })
    }
    for (const note of patches?.notes() ?? []) notes.add(note)
    const more = notes.size - notesMax
    const told = [...notes].slice(0, notesMax)
    if (more > 0) told.push(`The same holds for ${more} more people.`)
    return { feeds: [...feeds.values()], notes: told }
  }

  /**
   * Yields each feed once it is changed; failures are `failed` rows, and the rest continues. Feeds that have ended are
   * skipped, so an update or a revocation can be repeated; a repeated rotation gives each feed another new link.
   */
  run(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    return this.#rows(feeds, change, ({ feed: { id }, patches }, lookups) =>
      changeOne(
        this.#deps,
        id,
        change.kind === 'update' ? { ...change, patches, lookups } : change,
      ),
    )
  }

  /** What `run` would do; changes nothing. */
  plan(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    return this.#rows(feeds, change, async ({ feed, links, patches }, lookups) => {
      if (change.kind === 'update') {
        const { isChanged, warnings } = await this.#deps.changes.patched(feed, patches, lookups)
        const status = isChanged ? 'would be changed' : 'unchanged'
        return { status, link: null, reason: null, warnings }
      }
      if (change.kind === 'revoke') return { status: 'would be revoked', link: null, reason: null }
      const link = links.find((it) => it.label === (change.label ?? defaultLabel))
      if (link) refuseReplaced(feed, link, this.#deps.clock.now())
      return { status: 'would be rotated', link: null, reason: null }
    })
  }

  async *#rows(
    feeds: readonly ChosenFeed[],
    change: TableChange,
    apply: (chosen: ChosenFeed, lookups: CompanyLookups) => Promise<Outcome>,
  ): AsyncGenerator<ChangedRow> {
    const names = this.#deps.names()
    const label = change.kind === 'update' ? undefined : change.label
    const lookups: CompanyLookups = new Map()
    const personOf = ({ feed }: ChosenFeed) => names.findFirst(feed)
    for (const [index, chosen] of feeds.entries()) {
      if (index % namesAtOnce === 0) {
        await Promise.all(feeds.slice(index, index + namesAtOnce).map(personOf))
        lookups.clear()
      }
      const { id: feedId } = chosen.feed
      const { userId, displayName, email } = await personOf(chosen)
      const outcome = this.#isDone(chosen, change)
        ? skipped
        : await apply(chosen, lookups).catch(asFailure)
      const row = { userId, displayName, email, feedId, label: label ?? '' }
      yield outcome instanceof AppError
        ? { ...row, link: null, status: 'failed', reason: outcome.message }
        : { ...row, label: outcome.link?.label ?? row.label, ...outcome }
    }
  }

  /** A purge can be added to a feed that has ended, but not to a link. */
  #isDone({ feed, links }: ChosenFeed, change: TableChange): boolean {
    const canPurge = change.kind === 'revoke' && change.purge && feed.purgedAt === null
    if (feed.revokedAt !== null && !canPurge) return true
    if (change.kind !== 'revoke') return false
    const link = links.find((it) => it.label === change.label)
    return link?.endsAt != null && link.endsAt <= this.#deps.clock.now()
  }

  async #chooseRow(
    record: CsvRecord,
    choice: Choice,
  ): Promise<{ readonly feeds: readonly FeedWithLinks[]; readonly note?: string | undefined }> {
    const feedId = cellOf(record, 'feedId')
    const userId = cellOf(record, 'userId')
    if (feedId !== '') return { feeds: [await this.#findOne(feedId, userId, choice)] }
    if (userId !== '') return this.#findAll(userId, choice)
    throw wrong('feedId', 'Must name a feed, or userId a person.')
  }

  async #findOne(
    feedId: string,
    userId: string,
    { companyId, label, revoked }: Choice,
  ): Promise<FeedWithLinks> {
    const feed = await this.#deps.feeds.findFeed(feedId)
    if (!feed || (companyId !== undefined && feed.companyId !== companyId)) {
      throw wrong('feedId', `There is no feed "${feedId}".`)
    }
    if (userId !== '' && !feed.userIds.includes(userId)) {
      const [owner = 'nobody'] = feed.userIds
      throw wrong('userId', `The feed ${feedId} shows ${owner}, not "${userId}".`)
    }
    const links = await this.#deps.links.listLinks([feedId])
    const isSkipped = feed.revokedAt !== null && !revoked
    if (isSkipped || hasLabel(links, label)) return { feed, links }
    throw wrong('feedId', `There is no link "${label}" of the feed ${feedId}.`)
  }

  async #findAll(userId: string, { companyId, label, revoked }: Choice) {
    const { feeds, links } = this.#deps
    const all = await feeds.listFeeds({ companyId, userIds: [userId], limit: feedsOfUserMax })
    const open = all.filter(({ revokedAt }) => revokedAt === null)
    const found = revoked || open.length === 0 ? all : open
    const alone = found.filter((feed) => isOfOnePerson(feed))
    // The same id in two companies may be two people.
    const companies = [...new Set(alone.map((feed) => feed.companyId))]
    if (companies.length > 1) {
      throw wrong('userId', `Is known in ${companies.join(' and ')}: choose one with --company.`)
    }
    const listed = await links.listLinks(alone.map(({ id }) => id))
    const byFeed = Map.groupBy(listed, ({ feedId }) => feedId)
    const chosen = alone
      .map((feed) => ({ feed, links: byFeed.get(feed.id) ?? [] }))
      .filter((it) => hasLabel(it.links, label))
    if (chosen.length === 0) {
      const ofLabel = alone.length === 0 ? '' : ` with a link "${label}"`
      throw wrong('userId', `There is no feed of "${userId}" alone${ofLabel}.`)
    }
    const shared = found.length - alone.length
    const notes: string[] = []
    if (chosen.length > 1) {
      notes.push(`${userId} has ${chosen.length} feeds; all of them are included`)
    }
    if (shared > 0)
      notes.push(
        `${userId} is in ${shared} ${shared === 1 ? 'feed' : 'feeds'} with others too; ${shared === 1 ? 'it does' : 'they do'} not change`,
      )
    return { feeds: chosen, note: notes.length > 0 ? `${notes.join('; ')}.` : undefined }
  }
}

/** Feeds of a company that is no longer set up can still be ended. */
export async function refuseUnknownCompany(
  { connections, feeds }: Pick<FeedsDeps, 'connections' | 'feeds'>,
  companyId: string,
  pointer: string,
): Promise<void> {
  if (connections.has(companyId)) return
  if ((await feeds.listFeeds({ companyId, limit: 1 })).length > 0) return
  const faults = [{ pointer, detail: noCompany(companyId, connections.keys()) }]
  throw new AppError('invalid', 'The request is not valid.', { faults })
}

function labelOf(change: TableChange | { readonly kind: 'remind' }): Pick<Choice, 'label'> {
  if (change.kind === 'remind' || change.kind === 'update') return {}
  return { label: change.kind === 'rotate' ? (change.label ?? defaultLabel) : change.label }
}

function hasLabel(links: readonly FeedLink[], label: string | undefined): boolean {
  return label === undefined || links.some((link) => link.label === label)
}

function wrong(column: string, detail: string): AppError {
  return new AppError('invalid', `${column}: ${detail}`)
}

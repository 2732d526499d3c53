import { noCompany } from '../../domain/company.ts'
import { AppError, type InputFault } from '../../domain/errors.ts'
import { type Feed, isOfOnePerson } from '../../domain/feed.ts'
import type { FeedLink } from '../../domain/link.ts'
import type { FeedsDeps } from '../deps.ts'
import type { FeedChanges } from '../feed-changes.ts'
import type { FeedLinks } from '../feed-links.ts'
import { asFailure, invalidFeed, refuseReplaced } from '../link-replacement.ts'
import type { PersonNames } from './person-names.ts'
import {
  cellOf,
  choiceColumns,
  refuseMistyped,
  refuseWithout,
  type CsvRecord,
  placeOf,
} from './read-table.ts'
import { type LinkRow, noteOf } from './write-table.ts'

export interface ChangedRow extends LinkRow {
  readonly status:
    | 'rotated'
    | 'revoked'
    | 'skipped'
    | 'failed'
    | `would be ${'rotated' | 'revoked'}`
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

export type TableChange =
  | { readonly kind: 'rotate'; readonly label?: string | undefined; readonly graceDays: number }
  | { readonly kind: 'revoke'; readonly label?: string | undefined; readonly purge: boolean }

export interface ChosenFeed {
  readonly feed: Feed
  readonly links: readonly FeedLink[]
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

const skipped: Outcome = { status: 'skipped', link: null, reason: 'has ended' }

type BulkChangesDeps = FeedsDeps & {
  readonly changes: FeedChanges
  readonly feedLinks: FeedLinks
  readonly names: () => PersonNames
}

/** Changes every feed in a table. */
export class BulkChanges {
  readonly #deps: BulkChangesDeps

  constructor(deps: BulkChangesDeps) {
    this.#deps = deps
  }

  /**
   * The feeds in the rows, named by `feedId` or by `userId` (then all that show only this person), each once, with notes
   * for the operator. Changes nothing. `invalid` with the row of each fault (unknown id, another person's feed, missing
   * label), or for an unknown company.
   */
  async choose(
    records: readonly CsvRecord[],
    change: TableChange | { readonly kind: 'remind' },
    companyId?: string,
  ): Promise<{ readonly feeds: readonly ChosenFeed[]; readonly notes: readonly string[] }> {
    if (companyId !== undefined) await this.#refuseUnknown(companyId)
    if (records.length === 0) {
      throw new AppError('invalid', 'The table has no rows below its header.')
    }
    refuseMistyped(records, choiceColumns)
    refuseWithout(records, choiceColumns)
    const choice = { companyId, ...labelOf(change), revoked: change.kind === 'revoke' }
    const feeds = new Map<string, ChosenFeed>()
    const notes = new Set<string>()
    const faults: InputFault[] = []
    for (let start = 0; start < records.length; start += rowsAtOnce) {
      const part = records.slice(start, start + rowsAtOnce)
      const rows = part.map((record) => this.#chooseRow(record, choice).catch(asFailure))
      for (const [index, row] of (await Promise.all(rows)).entries()) {
        if (!(row instanceof AppError)) {
          for (const it of row.feeds) feeds.set(it.feed.id, it)
          if (row.note !== undefined) notes.add(row.note)
        } else if (row.code === 'invalid') {
          const detail = `${placeOf(part[index])}, ${row.message}`
          faults.push({ pointer: `/${start + index}`, detail })
        } else throw row
      }
    }
    if (faults.length > 0) {
      throw new AppError('invalid', 'Some rows name no feed. Nothing was changed.', { faults })
    }
    const more = notes.size - notesMax
    const told = [...notes].slice(0, notesMax)
    if (more > 0) told.push(`The same holds for ${more} more people.`)
    return { feeds: [...feeds.values()], notes: told }
  }

  /**
   * Yields each feed once it is changed; failures are `failed` rows, and the rest continues. Feeds that have ended are
   * skipped, so a revocation can be repeated; a repeated rotation gives each feed another new link.
   */
  run(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    const { changes, feedLinks } = this.#deps
    return this.#rows(feeds, change, async ({ feed: { id } }) => {
      if (change.kind === 'rotate') {
        const { label = defaultLabel, graceDays } = change
        const { warnings = [], ...link } = await feedLinks.rotate(id, { label, graceDays })
        return { status: 'rotated', link, reason: null, warnings }
      }
      const { label, purge } = change
      await (label === undefined ? changes.revoke(id, purge) : feedLinks.end(id, label, purge))
      return { status: 'revoked', link: null, reason: null }
    })
  }

  /** What `run` would do; changes nothing. */
  plan(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    return this.#rows(feeds, change, async ({ feed, links }) => {
      if (change.kind === 'revoke') return { status: 'would be revoked', link: null, reason: null }
      const link = links.find((it) => it.label === (change.label ?? defaultLabel))
      if (link) refuseReplaced(feed, link, this.#deps.clock.now())
      return { status: 'would be rotated', link: null, reason: null }
    })
  }

  async *#rows(
    feeds: readonly ChosenFeed[],
    change: TableChange,
    apply: (chosen: ChosenFeed) => Promise<Outcome>,
  ): AsyncGenerator<ChangedRow> {
    const names = this.#deps.names()
    const personOf = ({ feed }: ChosenFeed) => names.findFirst(feed)
    for (const [index, chosen] of feeds.entries()) {
      if (index % namesAtOnce === 0) {
        await Promise.all(feeds.slice(index, index + namesAtOnce).map(personOf))
      }
      const { id: feedId } = chosen.feed
      const { userId, displayName, email } = await personOf(chosen)
      const outcome = this.#isDone(chosen, change) ? skipped : await apply(chosen).catch(asFailure)
      const row = {
        userId,
        displayName,
        email,
        feedId,
        label: change.label ?? '',
      }
      yield outcome instanceof AppError
        ? { ...row, link: null, status: 'failed', reason: outcome.message }
        : { ...row, label: outcome.link?.label ?? row.label, ...outcome }
    }
  }

  /** A purge can be added to a feed that has ended, but not to a link. */
  #isDone({ feed, links }: ChosenFeed, change: TableChange): boolean {
    const canPurge = change.kind === 'revoke' && change.purge && feed.purgedAt === null
    if (feed.revokedAt !== null && !canPurge) return true
    const link = links.find((it) => it.label === change.label)
    const hasEnded = link?.endsAt != null && link.endsAt <= this.#deps.clock.now()
    return change.kind === 'revoke' && hasEnded
  }

  /** Feeds of a company that is no longer set up can still be ended. */
  async #refuseUnknown(companyId: string): Promise<void> {
    const { connections, feeds } = this.#deps
    if (connections.has(companyId)) return
    if ((await feeds.listFeeds({ companyId, limit: 1 })).length > 0) return
    throw invalidFeed('/companyId', noCompany(companyId, connections.keys()))
  }

  async #chooseRow(
    record: CsvRecord,
    choice: Choice,
  ): Promise<{ readonly feeds: readonly ChosenFeed[]; readonly note?: string | undefined }> {
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
  ): Promise<ChosenFeed> {
    const feed = await this.#deps.feeds.findFeed(feedId)
    if (!feed || (companyId !== undefined && feed.companyId !== companyId)) {
      throw wrong('feedId', `There is no feed "${feedId}".`)
    }
    if (userId !== '' && !feed.userIds.includes(userId)) {
      throw wrong('userId', `The feed ${feedId} is not of "${userId}" but of ${feed.userIds[0]}.`)
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
    if (shared > 0) notes.push(`${userId} is in ${shared} with others too, which do not change`)
    return { feeds: chosen, note: notes.length > 0 ? `${notes.join('; ')}.` : undefined }
  }
}

function labelOf(change: TableChange | { readonly kind: 'remind' }): Pick<Choice, 'label'> {
  if (change.kind === 'remind') return {}
  return { label: change.kind === 'rotate' ? (change.label ?? defaultLabel) : change.label }
}

function hasLabel(links: readonly FeedLink[], label: string | undefined): boolean {
  return label === undefined || links.some((link) => link.label === label)
}

function wrong(column: string, detail: string): AppError {
  return new AppError('invalid', `${column}: ${detail}`)
}

import { AppError, type InputFault } from '../../domain/errors.ts'
import type { Feed, FeedStore } from '../../domain/feed.ts'
import type { FeedLink, LinkStore } from '../../domain/link.ts'
import { asFailure } from '../feed-faults.ts'
import { choiceColumns, refuseMistyped, refuseWithout } from '../import/columns.ts'
import { type CsvRecord } from '../import/read-csv.ts'
import { placeOf } from '../import/row-place.ts'
import { readCell } from '../import/write-csv.ts'

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
export async function chooseFeeds(
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
  if (feeds.length > 0) return { feeds, ...noteOf(userId, feeds.length, shared) }
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

function noteOf(userId: string, count: number, shared: number): { note?: string } {
  const all = count > 1 ? [`${userId} has ${count} feeds; all of them are meant`] : []
  const stay =
    shared > 0 ? [`${userId} is in ${shared} with others too, which stay as they are`] : []
  const note = [...all, ...stay].join('; ')
  return note === '' ? {} : { note: `${note}.` }
}

function wrong(column: string, detail: string): AppError {
  return new AppError('invalid', `${column}: ${detail}`)
}

import type { Connection } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import { type OwnOptions, readOptions } from '../domain/feed-options.ts'
import type { Feed, Creation, FeedStore, FeedWithLink } from '../domain/feed.ts'
import { makeToken } from '../domain/link.ts'
import type { Clock } from '../domain/world.ts'
import { Directory } from './company-lookup.ts'
import {
  askForPeople,
  connectionOf,
  defaultName,
  type FeedDraft,
  FeedDrafts,
  fillSchedules,
  invalidFeed,
} from './feed-drafts.ts'
import { type FeedPatch, feedPatchSchema, parseInput } from './feed-input.ts'
import type { FeedListing } from './feed-listing.ts'
import { patchOptions } from './feed-options.ts'
import { refuseTooManyShifts } from './feed-size.ts'
import { type FeedView, feedUrl, viewFeed, viewLink } from './feed-view.ts'
import { newLink } from './new-link.ts'

interface FeedManagerDeps {
  readonly feeds: FeedStore
  readonly clock: Clock
  readonly connections: ReadonlyMap<string, Connection>
  readonly publicUrl: string
  readonly listing: Pick<FeedListing, 'views'>
}

/** A feed that was changed, and what could not be checked, in sentences. */
export interface ChangedFeed {
  readonly feed: FeedView
  readonly warnings: readonly string[]
}

/** A feed just made: the only time its secret is shown. */
export interface CreatedFeed {
  readonly feed: FeedView
  readonly url: string
  readonly token: string
  /** What could not be checked, in sentences. */
  readonly warnings: readonly string[]
}

/** Makes and changes feeds. */
export class FeedManager {
  readonly #deps: FeedManagerDeps

  constructor(deps: FeedManagerDeps) {
    this.#deps = deps
  }

  /**
   * Makes a feed with its first link. `invalid` for wrong input and for users that the Read API does not know; while
   * it does not answer the feed is made all the same, with a warning.
   */
  async create(input: unknown): Promise<CreatedFeed> {
    const [created] = await this.make([await this.draft(input)])
    if (!created) throw new Error('One draft makes one feed.')
    return created
  }

  /** The feed that the input describes, its users checked and every default filled in, but not kept. */
  draft(input: unknown): Promise<FeedDraft> {
    return this.drafts().draft(input)
  }

  /** Checks any number of feeds, asking for each person and company once. */
  drafts(): FeedDrafts {
    return new FeedDrafts(this.#deps)
  }

  /** Makes the drafted feeds, all or none, each with its first link; `conflict` if the creation is known already. */
  async make(
    drafts: readonly FeedDraft[],
    creation?: Pick<Creation, 'keyHash' | 'requestHash'>,
  ): Promise<readonly CreatedFeed[]> {
    const made = drafts.map(withFirstLink)
    const feedIds = drafts.map(({ feed }) => feed.id)
    const createdAt = this.#deps.clock.now()
    await this.#deps.feeds.createFeeds(made, creation && { ...creation, feedIds, createdAt })
    return made.map((it) => this.#created(it))
  }

  /** Makes those whose company, only user and name no unrevoked feed has yet, on whatever nodes it is asked for. */
  async makeMissing(drafts: readonly FeedDraft[]): Promise<readonly CreatedFeed[]> {
    const wanted = drafts.map(withFirstLink)
    const made = await this.#deps.feeds.createMissingFeeds(wanted)
    return wanted.filter(({ feed }) => made.has(feed.id)).map((it) => this.#created(it))
  }

  #created({ feed, link, token, warnings }: MadeFeed): CreatedFeed {
    const url = feedUrl(this.#deps.publicUrl, token, feed.name)
    return { feed: viewFeed(feed, [viewLink(link, { url })]), url, token, warnings }
  }

  /**
   * Changes a feed by an RFC 7396 merge patch. `not_found` for an unknown feed, `conflict` for a revoked one, `invalid`
   * for wrong members and unknown users; `unavailable` where a default name needs the Read API and it is down. Company and audience never change, nor does the user of an own feed.
   */
  async update(id: string, input: unknown): Promise<ChangedFeed> {
    const patch = parseInput(feedPatchSchema, input, 'The change')
    const warnings: string[] = []
    const changed = await this.#deps.feeds.changeFeed(id, async (before) => {
      const patched = await this.#patched(refuseRevoked(before), patch)
      warnings.splice(0, Infinity, ...patched.warnings)
      return patched.changed
    })
    if (!changed) throw noFeed(id)
    const [feed] = await this.#deps.listing.views([changed])
    if (!feed) throw new Error('One feed has one view.')
    return { feed, warnings }
  }

  async #patched(
    feed: Feed,
    patch: FeedPatch,
  ): Promise<{ changed: Feed; warnings: readonly string[] }> {
    const directory = new Directory(connectionOf(this.#deps.connections, feed.companyId))
    const { company } = directory.connection
    const { userIds, warnings } = await patchedUsers(feed, patch, directory)
    const ownOptions = await patchedOptions(feed, patch.options, directory)
    const changed = {
      ...feed,
      userIds,
      locale: changedOr(patch.locale, feed.locale, 'en'),
      name: await patchedName(feed, patch, directory),
      timezone: changedOr(patch.timezone, feed.timezone, company.timezone),
      ownOptions,
      options: readOptions(feed.audience, ownOptions),
    }
    refuseTooManyShifts(changed)
    return { changed, warnings }
  }
}

interface MadeFeed extends FeedWithLink {
  readonly token: string
  readonly warnings: readonly string[]
}

function withFirstLink({ feed, warnings }: FeedDraft): MadeFeed {
  const token = makeToken()
  const link = newLink(token, { feedId: feed.id, label: 'default', createdAt: feed.createdAt })
  return { feed, link, token, warnings }
}

/** The feed of that id; `not_found` where there is none, `conflict` where it has been revoked. */
export async function changeableFeed(
  feeds: Pick<FeedStore, 'findFeed'>,
  id: string,
): Promise<Feed> {
  const feed = await feeds.findFeed(id)
  if (!feed) throw noFeed(id)
  return refuseRevoked(feed)
}

function noFeed(id: string): AppError {
  return new AppError('not_found', `There is no feed ${id}.`)
}

function refuseRevoked(feed: Feed): Feed {
  if (feed.revokedAt === null) return feed
  throw new AppError('conflict', `The feed ${feed.id} has been revoked.`)
}

/** RFC 7396: what is not there stays, null takes the default. */
function changedOr<T>(change: T | null | undefined, kept: T, fallback: T): T {
  if (change === undefined) return kept
  return change ?? fallback
}

async function patchedUsers(
  feed: Feed,
  { userIds }: FeedPatch,
  directory: Directory,
): Promise<{ userIds: Feed['userIds']; warnings: readonly string[] }> {
  if (userIds === undefined) return { userIds: feed.userIds, warnings: [] }
  if (feed.audience === 'own' && userIds.join('\n') !== feed.userIds.join('\n')) {
    throw invalidFeed('/userIds', 'Cannot change in a feed of audience own: make another feed.')
  }
  const { warnings } = await askForPeople(directory, userIds)
  return { userIds, warnings }
}

async function patchedName(feed: Feed, patch: FeedPatch, directory: Directory): Promise<string> {
  if (patch.name !== null) return patch.name ?? feed.name
  const { users, warnings } = await askForPeople(directory, feed.userIds)
  if (feed.audience === 'own' && warnings.length > 0) {
    throw new AppError('unavailable', 'The Read API does not say the name now; try again later.')
  }
  return defaultName(users, feed.audience, changedOr(patch.locale, feed.locale, 'en'))
}

/** The schedules are filled in again only where the patch takes them away. */
async function patchedOptions(
  { ownOptions }: Feed,
  patch: FeedPatch['options'],
  directory: Directory,
): Promise<OwnOptions> {
  if (patch === undefined) return ownOptions
  const patched = patch === null ? {} : patchOptions(ownOptions, patch)
  if (!ownOptions.shifts?.scheduleIds || patched.shifts?.scheduleIds) return patched
  const filled = await fillSchedules(patched, directory)
  if (filled.failure) throw filled.failure
  return filled.ownOptions
}

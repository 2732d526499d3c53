import type { Connection } from '../domain/connection.ts'
import type { Creation } from '../domain/creation.ts'
import { AppError } from '../domain/errors.ts'
import type { Feed } from '../domain/feed.ts'
import type { Clock, FeedStore } from '../domain/ports.ts'
import { Directory } from './directory.ts'
import {
  askForPeople,
  connectionOf,
  defaultName,
  type FeedDraft,
  FeedDrafts,
  invalidFeed,
} from './feed-drafts.ts'
import { type FeedPatch, feedPatchSchema, parseInput } from './feed-input.ts'
import { defaultOptions, mergeOptions } from './feed-options.ts'
import { refuseTooManyShifts } from './feed-size.ts'
import { type FeedView, feedUrl, viewFeed, viewLink } from './feed-view.ts'
import { newLink } from './new-link.ts'
import { makeToken } from './token.ts'

const attemptsMax = 10

interface FeedManagerDeps {
  readonly feeds: FeedStore
  readonly clock: Clock
  readonly connections: ReadonlyMap<string, Connection>
  readonly publicUrl: string
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
    const made = drafts.map(({ feed, warnings }) => {
      const token = makeToken()
      const link = newLink(token, { feedId: feed.id, label: 'default', createdAt: feed.createdAt })
      return { feed, link, token, warnings }
    })
    const feedIds = drafts.map(({ feed }) => feed.id)
    const createdAt = this.#deps.clock.now()
    await this.#deps.feeds.createFeeds(made, creation && { ...creation, feedIds, createdAt })
    return made.map(({ feed, link, token, warnings }) => {
      const url = feedUrl(this.#deps.publicUrl, token, feed.name)
      return { feed: viewFeed(feed, [viewLink(link, { url })]), url, token, warnings }
    })
  }

  /**
   * Changes a feed by an RFC 7396 merge patch. `not_found` for an unknown feed, `conflict` for a revoked one, `invalid`
   * for wrong members and unknown users. Company and audience never change, nor does the user of an own feed.
   */
  async update(id: string, input: unknown): Promise<FeedView> {
    const patch = parseInput(feedPatchSchema, input, 'The change')
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const changed = await this.#patched(await changeableFeed(this.#deps.feeds, id), patch)
      if (await this.#deps.feeds.updateFeed(changed)) return this.#view(changed)
    }
    throw new AppError('conflict', 'The feed is being changed by others; try again.')
  }

  async #patched(feed: Feed, patch: FeedPatch): Promise<Feed> {
    const directory = new Directory(connectionOf(this.#deps.connections, feed.companyId))
    const { company } = directory.connection
    const changed = {
      ...feed,
      userIds: await patchedUsers(feed, patch, directory),
      locale: changedOr(patch.locale, feed.locale, 'en'),
      name: await patchedName(feed, patch, directory),
      timezone: changedOr(patch.timezone, feed.timezone, company.timezone),
      options: await patchedOptions(feed, patch.options, directory),
      revision: feed.revision + 1,
    }
    refuseTooManyShifts(changed)
    return changed
  }

  async #view(feed: Feed): Promise<FeedView> {
    const links = await this.#deps.feeds.listLinks([feed.id])
    return viewFeed(
      feed,
      links.map((link) => viewLink(link)),
    )
  }
}

/** The feed of that id; `not_found` where there is none, `conflict` where it has been revoked. */
export async function changeableFeed(
  feeds: Pick<FeedStore, 'findFeed'>,
  id: string,
): Promise<Feed> {
  const feed = await feeds.findFeed(id)
  if (!feed) throw new AppError('not_found', `There is no feed ${id}.`)
  if (feed.revokedAt !== null) throw new AppError('conflict', `The feed ${id} has been revoked.`)
  return feed
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
): Promise<Feed['userIds']> {
  if (userIds === undefined) return feed.userIds
  if (feed.audience === 'own' && userIds.join('\n') !== feed.userIds.join('\n')) {
    throw invalidFeed('/userIds', 'Cannot change in a feed of audience own: make another feed.')
  }
  await askForPeople(directory, userIds)
  return userIds
}

async function patchedName(feed: Feed, patch: FeedPatch, directory: Directory): Promise<string> {
  if (patch.name !== null) return patch.name ?? feed.name
  const { users } = await askForPeople(directory, feed.userIds)
  return defaultName(users, feed.audience, changedOr(patch.locale, feed.locale, 'en'))
}

async function patchedOptions(
  feed: Feed,
  patch: FeedPatch['options'],
  directory: Directory,
): Promise<Feed['options']> {
  if (patch === undefined) return feed.options
  const schedules = asksForSchedules(patch) ? await directory.defaultSchedules() : []
  if (schedules instanceof AppError) throw schedules
  const defaults = defaultOptions(feed.audience, schedules)
  return patch === null ? defaults : mergeOptions(feed.options, patch, defaults)
}

/** The schedules are chosen again only where the patch takes them away. */
function asksForSchedules(patch: NonNullable<FeedPatch['options']> | null): boolean {
  if (patch === null || patch['shifts'] === null) return true
  const shifts = Object(patch['shifts'])
  return 'scheduleIds' in shifts && shifts.scheduleIds === null
}

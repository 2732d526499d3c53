import { randomUUID } from 'node:crypto'

import type { Connection } from '../domain/connection.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Audience, Feed, FeedLink, Locale } from '../domain/feed.ts'
import type { Clock, FeedStore } from '../domain/ports.ts'
import type { User } from '../domain/user.ts'
import {
  type FeedPatch,
  feedPatchSchema,
  type NewFeed,
  newFeedSchema,
  parseInput,
} from './feed-input.ts'
import { defaultOptions, mergeOptions } from './feed-options.ts'
import { type FeedView, feedUrl, viewFeed, viewLink } from './feed-view.ts'
import { hashToken, makeToken } from './token.ts'

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

/** A feed as it would be made. */
export interface FeedDraft {
  readonly feed: Feed
  readonly connection: Connection
  readonly warnings: readonly string[]
}

interface KnownPeople {
  readonly users: readonly User[]
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
    const { feed, warnings } = await this.draft(input)
    const token = makeToken()
    const link = newLink(feed, token, 'default')
    await this.#deps.feeds.createFeed(feed, link)
    const url = feedUrl(this.#deps.publicUrl, token, feed.name)
    const view = viewFeed(feed, [viewLink(link, url)])
    return { feed: view, url, token, warnings }
  }

  /** The feed that the input describes, its users checked and every default filled in, but not kept. */
  async draft(input: unknown): Promise<FeedDraft> {
    const wanted = parseInput(newFeedSchema, input, 'The feed')
    const connection = this.#connectionOf(wanted.companyId)
    const { users, warnings } = await askForPeople(connection, wanted.userIds)
    return { feed: await this.#plan(wanted, connection, users), connection, warnings }
  }

  /**
   * Changes a feed by an RFC 7396 merge patch. `not_found` for an unknown feed, `invalid` for wrong members and
   * unknown users. The audience never changes, so an own feed keeps exactly one user.
   */
  async update(id: string, input: unknown): Promise<FeedView> {
    const patch = parseInput(feedPatchSchema, input, 'The change')
    for (let attempts = 0; attempts < attemptsMax; attempts += 1) {
      const feed = await this.#existing(id)
      const changed = await this.#patched(feed, patch)
      if (await this.#deps.feeds.updateFeed(changed)) return this.#view(changed)
    }
    throw new AppError('conflict', 'The feed is being changed by others; try again.')
  }

  async #patched(feed: Feed, patch: FeedPatch): Promise<Feed> {
    const connection = this.#connectionOf(feed.companyId)
    const userIds = patch.userIds ?? feed.userIds
    if (feed.audience === 'own' && userIds.length !== 1) {
      throw invalid('/userIds', 'Must be exactly one user in a feed of audience own.')
    }
    const { users } = await askForPeople(connection, patch.userIds ?? [])
    const defaults = defaultOptions(feed.audience, await defaultSchedules(connection))
    const locale = patch.locale === undefined ? feed.locale : (patch.locale ?? 'en')
    return {
      ...feed,
      userIds,
      locale,
      name:
        patch.name === null ? defaultName(users, feed.audience, locale) : (patch.name ?? feed.name),
      timezone:
        patch.timezone === null ? connection.company.timezone : (patch.timezone ?? feed.timezone),
      options:
        patch.options === null
          ? defaults
          : mergeOptions(feed.options, patch.options ?? {}, defaults),
      revision: feed.revision + 1,
    }
  }

  async #existing(id: string): Promise<Feed> {
    const feed = await this.#deps.feeds.findFeed(id)
    if (!feed) throw new AppError('not_found', `There is no feed ${id}.`)
    return feed
  }

  async #view(feed: Feed): Promise<FeedView> {
    const links = await this.#deps.feeds.listLinks([feed.id])
    return viewFeed(
      feed,
      links.map((link) => viewLink(link)),
    )
  }

  async #plan(wanted: NewFeed, connection: Connection, users: readonly User[]): Promise<Feed> {
    const audience = audienceOf(wanted)
    const locale = wanted.locale ?? 'en'
    const defaults = defaultOptions(audience, await defaultSchedules(connection))
    return {
      id: `feed_${randomUUID().replaceAll('-', '')}`,
      companyId: connection.company.id,
      userIds: wanted.userIds,
      audience,
      name: wanted.name ?? defaultName(users, audience, locale),
      timezone: wanted.timezone ?? connection.company.timezone,
      locale,
      options: mergeOptions(defaults, wanted.options ?? {}, defaults),
      selfServiceChoices: null,
      revision: 1,
      leavesShown: false,
      createdAt: this.#deps.clock.now(),
      revokedAt: null,
      purged: false,
      closedAt: null,
      closedBecause: null,
    }
  }

  #connectionOf(companyId: string | undefined): Connection {
    const { connections } = this.#deps
    const only = connections.size === 1 ? [...connections.values()][0] : undefined
    const connection = companyId === undefined ? only : connections.get(companyId)
    if (connection) return connection
    const detail =
      companyId === undefined
        ? `Must be one of ${[...connections.keys()].join(', ')}, since there are several companies.`
        : `There is no company "${companyId}".`
    throw invalid('/companyId', detail)
  }
}

/** The users as the Read API knows them; `invalid` naming those it does not know. */
async function askForPeople({ api }: Connection, userIds: readonly string[]): Promise<KnownPeople> {
  const answers = await Promise.all(userIds.map((id) => api.getUser(id).catch(asFailure)))
  const faults = answers.flatMap((answer, index) =>
    answer instanceof AppError && answer.code === 'upstream_not_found'
      ? [{ pointer: `/userIds/${index}`, detail: `There is no user "${userIds[index]}".` }]
      : [],
  )
  if (faults.length > 0) throw new AppError('invalid', 'The feed is not valid.', { faults })
  const failures = answers.filter((answer) => answer instanceof AppError)
  return {
    users: answers.filter((answer): answer is User => !(answer instanceof AppError)),
    warnings: failures
      .slice(0, 1)
      .map(
        ({ message }) =>
          `The users could not be checked, the feed was made all the same: ${message}`,
      ),
  }
}

function asFailure(error: unknown): AppError {
  const known = asAppError(error)
  if (!known) throw error
  return known
}

function audienceOf({ audience, userIds }: NewFeed): Audience {
  if (audience !== 'own' || userIds.length === 1) {
    return audience ?? (userIds.length === 1 ? 'own' : 'others')
  }
  throw invalid('/audience', 'Must be "others" for a feed of several users.')
}

function invalid(pointer: string, detail: string): AppError {
  return new AppError('invalid', 'The feed is not valid.', { faults: [{ pointer, detail }] })
}

/** As set for the company, else its only active schedule, else none. */
async function defaultSchedules({ company, api }: Connection): Promise<readonly string[]> {
  if (company.schedules.length > 0) return company.schedules
  try {
    const { records } = await api.listSchedules({})
    const active = records.filter(({ isActive }) => isActive !== false)
    return active.length === 1 ? active.map(({ id }) => id) : []
  } catch (error) {
    asFailure(error)
    return []
  }
}

function defaultName(users: readonly User[], audience: Audience, locale: Locale): string {
  const firstName = audience === 'own' ? users[0]?.firstName?.trim() : undefined
  if (locale === 'de') return firstName ? `Arbeitskalender von ${firstName}` : 'Arbeitskalender'
  return firstName ? `${firstName}'s work calendar` : 'Work calendar'
}

function newLink(feed: Feed, token: string, label: string): FeedLink {
  const tokenHash = hashToken(token)
  if (!tokenHash) throw new Error('A new token is always well formed.')
  return {
    feedId: feed.id,
    label,
    tokenHash,
    createdAt: feed.createdAt,
    endsAt: null,
    endingSince: null,
    purged: false,
    publication: null,
  }
}

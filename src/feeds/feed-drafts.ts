import { randomUUID } from 'node:crypto'

import type { Connection } from '../domain/connection.ts'
import { AppError, type InputFault } from '../domain/errors.ts'
import { type Audience, readOptions } from '../domain/feed-options.ts'
import type { Feed } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import type { Clock } from '../domain/world.ts'
import { CompanyLookup, connectionOf, type KnownUsers } from './company-lookup.ts'
import { defaultLocale, defaultName } from './feed-defaults.ts'
import { asFailure, invalidFeed } from './feed-faults.ts'
import { type NewFeed, newFeedSchema, parseInput } from './feed-input.ts'
import { refuseTooManyShifts } from './feed-size.ts'
import { patchOptions } from './patch-options.ts'
import { checkSchedules, settleSchedules } from './schedule-options.ts'

/** How many feeds are checked at once. */
const draftsAtOnce = 64

/** A feed as it would be made. */
export interface FeedDraft {
  readonly feed: Feed
  /** As the Read API knows them; without those that it did not answer for. */
  readonly users: readonly User[]
  /** What could not be checked, in sentences. */
  readonly warnings: readonly string[]
}

interface FeedDraftsDeps {
  readonly clock: Clock
  readonly connections: ReadonlyMap<string, Connection>
}

/** Feeds as inputs describe them, checked against the Read API, every default filled in, none of them kept. */
export class FeedDrafts {
  readonly #deps: FeedDraftsDeps
  readonly #lookups = new Map<string, CompanyLookup>()

  constructor(deps: FeedDraftsDeps) {
    this.#deps = deps
  }

  /**
   * `invalid` for wrong input and for users that the Read API does not know; while it does not answer the draft
   * carries a warning instead.
   */
  async draft(input: unknown): Promise<FeedDraft> {
    const wanted = parseInput(newFeedSchema, input, 'The feed')
    const lookup = this.#lookupOf(wanted.companyId)
    const known = await lookup.findUsers(wanted.userIds)
    const audience = audienceOf(wanted)
    if (audience === 'own') refuseDeparted(known.users)
    return this.#filled({ ...wanted, audience }, lookup, known)
  }

  /** All of them or none: `invalid` with the faults of all, each pointer starting with the input's index. */
  async draftAll(
    inputs: readonly unknown[],
    onChecked: (count: number) => void = () => undefined,
  ): Promise<readonly FeedDraft[]> {
    const drafts: FeedDraft[] = []
    const faults: InputFault[] = []
    for (let start = 0; start < inputs.length; start += draftsAtOnce) {
      const part = inputs.slice(start, start + draftsAtOnce)
      const results = await Promise.all(part.map((input) => this.draft(input).catch(asInvalid)))
      for (const [index, result] of results.entries()) {
        if (result instanceof AppError) faults.push(...faultsAt(start + index, result))
        else drafts.push(result)
      }
      onChecked(start + part.length)
    }
    if (faults.length === 0) return drafts
    throw new AppError('invalid', 'Some of the feeds are not valid, none was made.', { faults })
  }

  async #filled(
    wanted: NewFeed & { readonly audience: Audience },
    lookup: CompanyLookup,
    { users, warnings }: KnownUsers,
  ): Promise<FeedDraft> {
    const { company } = lookup.connection
    const { userIds, audience, locale = defaultLocale } = wanted
    const set = wanted.options ?? {}
    const own = patchOptions({}, set)
    const unchecked = await checkSchedules(set, lookup)
    const { ownOptions, warnings: awaited } = await settleSchedules(own, audience, lookup)
    const options = readOptions(audience, ownOptions)
    refuseTooManyShifts({ userIds, options })
    const feed = {
      ...newFeed(this.#deps.clock),
      companyId: company.id,
      userIds,
      audience,
      name: wanted.name ?? defaultName(users, audience, locale),
      timezone: wanted.timezone ?? company.timezone,
      locale,
      ownOptions,
      options,
    }
    return { feed, users, warnings: [...warnings, ...unchecked, ...awaited] }
  }

  #lookupOf(companyId: string | undefined): CompanyLookup {
    const connection = connectionOf(this.#deps.connections, companyId)
    const { id } = connection.company
    const lookup = this.#lookups.get(id) ?? new CompanyLookup(connection)
    this.#lookups.set(id, lookup)
    return lookup
  }
}

function audienceOf({ audience, userIds }: NewFeed): Audience {
  if (audience !== 'own' || userIds.length === 1) {
    return audience ?? (userIds.length === 1 ? 'own' : 'others')
  }
  throw invalidFeed('/audience', 'Must be "others" for a feed of several users.')
}

function refuseDeparted([user]: readonly User[]): void {
  if (user?.isActive !== false) return
  throw invalidFeed(
    '/userIds/0',
    `The user "${user.id}" has left: the Read API says "isActive": false.`,
  )
}

/** What every feed is when it is made. */
function newFeed(clock: Clock) {
  return {
    id: `feed_${randomUUID().replaceAll('-', '')}`,
    choices: null,
    revision: 1,
    leavesShown: false,
    shownCollections: [],
    createdAt: clock.now(),
    revokedAt: null,
    purgedAt: null,
    closedAt: null,
    closedBecause: null,
  } satisfies Partial<Feed>
}

function asInvalid(error: unknown): AppError {
  const failure = asFailure(error)
  if (failure.code !== 'invalid') throw error
  return failure
}

function faultsAt(index: number, { faults }: AppError): readonly InputFault[] {
  return faults.map(({ pointer, detail }) => ({ pointer: `/${index}${pointer}`, detail }))
}

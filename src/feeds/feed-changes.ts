import { isDeepStrictEqual } from 'node:util'

import { withDefaults } from '../domain/company-defaults.ts'
import { AppError } from '../domain/errors.ts'
import { inLanguage } from '../domain/feed-name.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import { type Feed, programLocale } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import { followTeam } from '../people/teams.ts'
import { CompanyLookup, connectionOf } from './company-lookup.ts'
import type { FeedsDeps } from './deps.ts'
import { namedOr, refuseTooManyShifts } from './feed-drafts.ts'
import { type FeedPatch, feedPatchSchema, fixedIn, parseInput } from './feed-input.ts'
import type { FeedListing } from './feed-listing.ts'
import { patchOptions, refuseForAudience } from './feed-options.ts'
import { patchedTeam, settleTeam, teamWarnings } from './feed-team.ts'
import { feedSchema, type FeedView } from './feed-view.ts'
import { auditEventOf, tellOfFeed, invalidFeed, noFeed } from './link-replacement.ts'
import {
  checkSchedules,
  type SettledOptions,
  settleSchedules,
  takesSchedules,
} from './schedule-options.ts'

type FeedChangesDeps = FeedsDeps & { readonly listing: FeedListing }

export interface ChangedFeed {
  readonly feed: FeedView
  readonly warnings: readonly string[]
}

export interface Patched {
  readonly changed: Feed
  readonly warnings: readonly string[]
  readonly isChanged: boolean
}

export const fixedMembers = fixedIn(feedSchema, feedPatchSchema)

/** By company. Changes that belong together share them, so that nothing is looked up twice. */
export type CompanyLookups = Map<string, CompanyLookup>

/** Changes and ends feeds; their addresses stay the same. */
export class FeedChanges {
  readonly #deps: FeedChangesDeps

  constructor(deps: FeedChangesDeps) {
    this.#deps = deps
  }

  /**
   * Applies a merge patch (RFC 7396); one without effect is not logged. `not_found`, `conflict` for a revoked feed,
   * `invalid` for wrong members, unknown users and schedules; `unavailable` if the default name is needed and the Read API
   * is down. Company and audience never change, nor does the user of an own feed.
   */
  async update(id: string, input: unknown): Promise<ChangedFeed> {
    const patch = parseInput(feedPatchSchema, input, {
      what: 'The change',
      fixed: fixedMembers,
    })
    const { changed, warnings } = await this.patch(id, [patch])
    const [feed] = await this.#deps.listing.views([changed])
    if (!feed) throw new Error('One feed has one view.')
    return { feed, warnings }
  }

  /** Like `update`, with patches that have been parsed, one applied to the result of the other. */
  async patch(
    id: string,
    patches: readonly FeedPatch[],
    lookups?: CompanyLookups,
  ): Promise<Patched> {
    let last: Patched | undefined
    const auditEvent = auditEventOf(this.#deps, 'feed_changed')
    const change = async (before: Feed): Promise<Feed | null> => {
      last = await this.patched(before, patches, lookups)
      return last.isChanged ? last.changed : null
    }
    const changed = await this.#deps.feeds.changeFeed(id, change, auditEvent)
    if (!changed || !last) throw noFeed(id)
    if (last.isChanged) tellOfFeed(this.#deps, auditEvent, changed)
    if (last.isChanged && changed.team) await followTeam(this.#deps, id)
    return { ...last, changed }
  }

  /** The feed as `patch` would change it; changes nothing. */
  async patched(
    before: Feed,
    patches: readonly FeedPatch[],
    lookups: CompanyLookups = new Map(),
  ): Promise<Patched> {
    const { companyId } = refuseRevoked(before)
    const lookup = lookups.get(companyId) ?? this.#lookupOf(companyId)
    lookups.set(companyId, lookup)
    let changed = before
    const warnings: string[] = []
    for (const patch of patches) {
      const next = await patchedFeed(this.#deps, changed, patch, lookup)
      changed = next.changed
      warnings.push(...next.warnings)
    }
    return { changed, warnings, isChanged: !isDeepStrictEqual(changed, before) }
  }

  /**
   * Ends a feed now; with `purge` its calendar says so for 30 days. Repeating it can only add the purge, and the days begin
   * then. `not_found`.
   */
  async revoke(id: string, purge: boolean): Promise<void> {
    const auditEvent = auditEventOf(this.#deps, 'feed_revoked')
    const { at } = auditEvent
    const last = { isChanged: false }
    const end = (feed: Feed): Feed | null => {
      last.isChanged = feed.revokedAt === null || (purge && feed.purgedAt === null)
      if (!last.isChanged) return null
      return { ...feed, revokedAt: feed.revokedAt ?? at, purgedAt: purge ? at : null }
    }
    const revoked = await this.#deps.feeds.changeFeed(id, end, auditEvent)
    if (!revoked) throw noFeed(id)
    if (last.isChanged) tellOfFeed(this.#deps, auditEvent, revoked)
  }

  #lookupOf(companyId: string): CompanyLookup {
    return new CompanyLookup(connectionOf(this.#deps.connections, companyId), this.#deps)
  }
}

async function patchedFeed(
  deps: FeedsDeps,
  feed: Feed,
  patch: FeedPatch,
  lookup: CompanyLookup,
): Promise<Pick<Patched, 'changed' | 'warnings'>> {
  const { warnings: ofUsers, manager, ...people } = await patchedPeople(deps, feed, patch, lookup)
  const { ownOptions, warnings } = await patchedOptions(feed, patch.options, lookup)
  const changed = withDefaults({
    ...feed,
    ...people,
    ...(await patchedName({ ...feed, ...people }, patch, lookup, manager)),
    timezone: changedOr(patch.timezone, feed.timezone, lookup.connection.company.timezone),
    isLocaleSet: patch.locale === undefined ? feed.isLocaleSet : patch.locale !== null,
    ownOptions,
  })
  // If only the company's defaults make them too many, that is no fault of this change.
  if (patch.options !== undefined || patch.userIds !== undefined) refuseTooManyShifts(changed)
  const ofTeam = patch.team ? await teamWarnings(deps, changed) : []
  return { changed, warnings: [...ofUsers, ...ofTeam, ...warnings] }
}

/** The manager, if the team has changed. */
async function patchedPeople(
  deps: FeedsDeps,
  feed: Feed,
  patch: FeedPatch,
  lookup: CompanyLookup,
): Promise<PatchedPeople> {
  const team = patch.team === undefined ? feed.team : patchedTeam(feed, patch.team)
  if (!team) {
    const isNobody = feed.team && feed.userIds.length === 0 && patch.userIds === undefined
    if (!isNobody) return patchedUsers(feed, patch, lookup)
    throw invalidFeed('/userIds', 'Is missing: the team has no members to keep.')
  }
  if (patch.userIds !== undefined) {
    const detail = `Cannot be set in the team of "${team.managerId}", which follows the people directory; over the API, "team": null ends that.`
    throw invalidFeed('/userIds', detail)
  }
  if (isDeepStrictEqual(team, feed.team)) return { team, userIds: feed.userIds, warnings: [] }
  return { team, ...(await settleTeam(deps, lookup, team)) }
}

/** `not_found`, or `conflict` if it is revoked. */
export async function changeableFeed(
  feeds: Pick<FeedStore, 'findFeed'>,
  id: string,
): Promise<Feed> {
  const feed = await feeds.findFeed(id)
  if (!feed) throw noFeed(id)
  return refuseRevoked(feed)
}

function refuseRevoked(feed: Feed): Feed {
  if (feed.revokedAt === null) return feed
  throw new AppError('conflict', `The feed ${feed.id} has been revoked.`)
}

function changedOr<T>(change: T | null | undefined, kept: T, fallback: T): T {
  if (change === undefined) return kept
  return change ?? fallback
}

interface PatchedPeople extends Pick<Feed, 'team' | 'userIds'> {
  readonly manager?: readonly User[]
  readonly warnings: readonly string[]
}

async function patchedUsers(
  feed: Feed,
  { userIds }: FeedPatch,
  lookup: CompanyLookup,
): Promise<PatchedPeople> {
  const team = null
  if (userIds === undefined) return { team, userIds: feed.userIds, warnings: [] }
  if (feed.audience === 'own' && userIds.join('\n') !== feed.userIds.join('\n')) {
    throw invalidFeed('/userIds', 'Cannot change in a feed of audience own: make another feed.')
  }
  const { warnings } = await lookup.findUsersToShow(userIds, feed.userIds)
  return { team, userIds, warnings }
}

/** Schedules are filled in again if the patch removes them. */
async function patchedOptions(
  { ownOptions, audience }: Feed,
  patch: FeedPatch['options'],
  lookup: CompanyLookup,
): Promise<SettledOptions> {
  if (patch === undefined) return { ownOptions, warnings: [] }
  if (patch === null) return settleSchedules({}, audience, lookup)
  const patched = patchOptions(ownOptions, patch)
  refuseForAudience(audience, patched)
  const unchecked = await checkSchedules(patch, lookup)
  if (!takesSchedules(patch)) return { ownOptions: patched, warnings: unchecked }
  const settled = await settleSchedules(patched, audience, lookup)
  return { ...settled, warnings: [...unchecked, ...settled.warnings] }
}

async function patchedName(
  feed: Feed,
  patch: FeedPatch,
  lookup: CompanyLookup,
  manager?: readonly User[],
): Promise<Pick<Feed, 'locale' | 'name' | 'namedAfter'>> {
  const { audience, team, defaults } = feed
  const locale = changedOr(patch.locale, feed.locale, defaults.locale ?? programLocale)
  if (patch.name != null) return { locale, name: patch.name, namedAfter: null }
  const isUsual = patch.name === null || feed.namedAfter !== null
  if (manager && isUsual) {
    return { locale, ...namedOr(null, { users: manager, audience, team, locale, defaults }) }
  }
  if (patch.name === undefined) {
    const named = nameOf(inLanguage(feed, locale))
    // That name came from the former team.
    return patch.team === null ? { ...named, namedAfter: null } : named
  }
  const { users, warnings } = await lookup.findUsers(team ? [team.managerId] : feed.userIds)
  if ((audience === 'own' || team) && warnings.length > 0) {
    throw new AppError('unavailable', 'The Read API does not say the name now; try again later.')
  }
  return { locale, ...namedOr(null, { users, audience, team, locale, defaults }) }
}

function nameOf({ locale, name, namedAfter }: Feed): Pick<Feed, 'locale' | 'name' | 'namedAfter'> {
  return { locale, name, namedAfter }
}

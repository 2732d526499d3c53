import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import { refuseOtherCompany } from '../domain/access/staff.ts'
import { withDefaults } from '../domain/company-defaults.ts'
import { AppError, asFailure, faultsToldMax, type InputFault } from '../domain/errors.ts'
import { defaultName, usualNames } from '../domain/feed-name.ts'
import type { Audience } from '../domain/feed-options.ts'
import { hasTooManyShifts, shiftsMax } from '../domain/feed-size.ts'
import { type Feed, programLocale } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { isObject } from '../json/read-json.ts'
import { createRests, type Rests } from '../json/rest.ts'
import { CompanyLookup, connectionOf, type KnownUsers } from './company-lookup.ts'
import type { FeedsDeps } from './deps.ts'
import { type NewFeed, newFeedSchema, inputFaults } from './feed-input.ts'
import { type OptionsPlace, patchOptions, refuseForAudience } from './feed-options.ts'
import { refuseOtherThanOne, type SettledTeam, settleTeam } from './feed-team.ts'
import { invalidFeed } from './link-replacement.ts'
import { checkSchedules, type SettledOptions, settleSchedules } from './schedule-options.ts'

const draftsAtOnce = 64
/** Per list: each is looked up and kept until all are checked. */
const listedPeopleMax = 10_000

/** A feed as it would be created. */
export interface FeedDraft {
  readonly feed: Feed
  /** The input, without defaults. */
  readonly wanted: NewFeed
  /** Without those that the Read API did not answer for; of a team nobody. */
  readonly users: readonly User[]
  readonly askedAt: Instant
  readonly warnings: readonly string[]
}

/** Checks inputs against the Read API and fills in defaults; stores nothing. */
export class FeedDrafts {
  readonly #deps: FeedsDeps
  readonly #lookups = new Map<string, CompanyLookup>()
  /** Further faults come without a suggestion. */
  #hintsLeft = faultsToldMax

  constructor(deps: FeedsDeps) {
    this.#deps = deps
  }

  /**
   * `invalid` for wrong input and unknown users; while the Read API is down the draft has a warning instead. `not_found`
   * for another company than the actor's.
   */
  async draft(input: unknown): Promise<FeedDraft> {
    const parsed = newFeedSchema.safeParse(input, { reportInput: true })
    const part = parsed.success ? parsed.data : fittingPart.parse(input)
    refuseOtherCompany(this.#deps.by.companyId, part.companyId)
    const checks = [
      this.#checkPeople(part),
      this.#checkOptions(part),
      isObject(input) ? refuseOtherThanOne(input) : undefined,
    ] as const
    const words = { hintsMax: this.#hintsLeft }
    const found = parsed.success ? [] : inputFaults(parsed.error, newFeedSchema, words)
    const refusal = await allFaults(found, checks)
    this.#hintsLeft = Math.max(0, this.#hintsLeft - (refusal?.faults.length ?? 0))
    if (!parsed.success || refusal) throw refusal ?? new Error('What does not fit has a fault.')
    return this.#filled(parsed.data, await checks[0], await checks[1])
  }

  /**
   * All or none: `invalid` with all faults, each pointer starting with the index of the input, or for too many people.
   * `judge` may add faults to a draft.
   */
  async draftAll(
    inputs: readonly unknown[],
    onChecked: (count: number) => void = () => undefined,
    judge: (draft: FeedDraft, index: number) => Promise<readonly InputFault[]> = async () => [],
  ): Promise<readonly FeedDraft[]> {
    const drafts: FeedDraft[] = []
    const faults: InputFault[] = []
    let moreFaults = 0
    let members = 0
    const rests = createRests()
    await refuseTooManyPeople(inputs, rests)
    for (let start = 0; start < inputs.length; start += draftsAtOnce) {
      const part = inputs.slice(start, start + draftsAtOnce)
      const checks: Promise<FeedDraft | AppError>[] = []
      for (const [index, input] of part.entries()) {
        const check = this.draft(input)
          .then((draft) => judged(draft, judge(draft, start + index)))
          .catch(asInvalid)
        // Awaited below; a failure during a pause is not unhandled.
        check.catch(() => undefined)
        checks.push(check)
        if (rests.isDue()) await rests.take()
      }
      for (const [index, result] of (await Promise.all(checks)).entries()) {
        if (!(result instanceof AppError)) {
          drafts.push(result)
          members += result.feed.team ? result.feed.userIds.length : 0
          if (members > listedPeopleMax) throw tooManyPeople()
          continue
        }
        const told = result.faults.slice(0, faultsToldMax - faults.length)
        for (const { pointer, detail } of told) {
          faults.push({ pointer: `/${start + index}${pointer}`, detail })
        }
        moreFaults += result.faults.length - told.length + result.moreFaults
      }
      onChecked(start + part.length)
    }
    if (faults.length + moreFaults === 0) return drafts
    const message = 'Some of the feeds are not valid, none was made.'
    throw new AppError('invalid', message, { faults, moreFaults })
  }

  async #checkPeople(part: FittingPart): Promise<DraftPeople> {
    const { companyId, userIds, team, audience } = part
    const lookup = this.#lookupOf(companyId)
    if (team && !userIds) {
      if (audience === 'own') throw invalidFeed('/audience', 'Must be "others" for a team.')
      return { users: [], ...(await settleTeam(this.#deps, lookup, team)) }
    }
    if (!userIds) return { users: [], warnings: [] }
    const known = await lookup.findUsersToShow(userIds)
    if (audienceOf({ audience, userIds }) === 'own') refuseDeparted(known.users)
    return known
  }

  async #checkOptions(part: FittingPart): Promise<SettledOptions> {
    const { companyId, userIds, audience, options: set = {} } = part
    const lookup = this.#lookupOf(companyId)
    const words = { hintsMax: this.#hintsLeft }
    const ownOptions = patchOptions({}, set, words)
    if (userIds) refuseForAudience(audienceOf({ audience, userIds }), ownOptions)
    return { ownOptions, warnings: await checkSchedules(set, lookup, words) }
  }

  async #filled(
    wanted: NewFeed,
    { users, manager, userIds = wanted.userIds ?? [], warnings }: DraftPeople,
    { ownOptions: own, warnings: unchecked }: SettledOptions,
  ): Promise<FeedDraft> {
    const lookup = this.#lookupOf(wanted.companyId)
    const { company } = lookup.connection
    const defaults = await lookup.findDefaults()
    const { locale = defaults.locale ?? programLocale } = wanted
    const team = wanted.team ?? null
    const audience = team ? 'others' : audienceOf({ ...wanted, userIds })
    const named = { users: manager ?? users, team, audience, locale, defaults }
    const { ownOptions, warnings: awaited } = await settleSchedules(own, audience, lookup)
    const feed = withDefaults({
      ...newFeed(this.#deps.clock),
      companyId: company.id,
      userIds,
      team,
      audience,
      ...namedOr(wanted.name, named),
      timezone: wanted.timezone ?? company.timezone,
      locale,
      isLocaleSet: wanted.locale !== undefined,
      ownOptions,
      defaults,
    })
    refuseTooManyShifts(feed)
    const { askedAt } = lookup
    return { feed, wanted, users, askedAt, warnings: [...warnings, ...unchecked, ...awaited] }
  }

  #lookupOf(companyId: string | undefined): CompanyLookup {
    const connection = connectionOf(this.#deps.connections, companyId)
    const { id } = connection.company
    const lookup = this.#lookups.get(id) ?? new CompanyLookup(connection, this.#deps)
    this.#lookups.set(id, lookup)
    return lookup
  }
}

/**
 * The given name, else the default one, after the user or the team's manager. A given name that equals the program's own also
 * follows the language, unless the company has another default: in older feeds, the two cannot be told apart.
 */
export function namedOr(
  given: string | null | undefined,
  of: { readonly users: readonly User[] } & Pick<Feed, 'audience' | 'locale' | 'defaults'> &
    Partial<Pick<Feed, 'team'>>,
): Pick<Feed, 'name' | 'namedAfter'> {
  const { users, audience, team = null, defaults } = of
  const isOfOne = audience === 'own' || team
  const namedAfter = (isOfOne ? users[0]?.firstName?.trim() : undefined) ?? ''
  if (given == null) return { name: defaultName(namedAfter, of), namedAfter }
  const hasUsual = team !== null || defaults.name === null
  const isUsual = hasUsual && usualNames(namedAfter, team).includes(given)
  return { name: given, namedAfter: isUsual ? namedAfter : null }
}

async function judged(
  draft: FeedDraft,
  judging: Promise<readonly InputFault[]>,
): Promise<FeedDraft> {
  const faults = await judging
  if (faults.length === 0) return draft
  throw new AppError('invalid', 'The feed is not valid.', { faults })
}

async function refuseTooManyPeople(inputs: readonly unknown[], rests: Rests): Promise<void> {
  const people = new Set<string>()
  for (const input of inputs) {
    const { userIds = [] } = fittingPart.parse(input)
    for (const id of userIds) people.add(id)
    if (people.size > listedPeopleMax) throw tooManyPeople()
    if (rests.isDue()) await rests.take()
  }
}

function tooManyPeople(): AppError {
  const message = `The feeds show more than ${listedPeopleMax} people: send them in parts.`
  return new AppError('invalid', message)
}

type DraftPeople = KnownUsers & Partial<Pick<SettledTeam, 'userIds' | 'manager'>>

function audienceOf({
  audience,
  userIds,
}: Pick<NewFeed, 'audience'> & Pick<Feed, 'userIds'>): Audience {
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

function newFeed(clock: Clock) {
  return {
    id: `feed_${randomUUID().replaceAll('-', '')}`,
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

/** What can be checked of an input with other faults. */
export const fittingPart = z
  .object({
    companyId: newFeedSchema.shape.companyId.catch(undefined),
    userIds: newFeedSchema.shape.userIds.catch(undefined),
    team: newFeedSchema.shape.team.catch(undefined),
    audience: newFeedSchema.shape.audience.catch(undefined),
    options: newFeedSchema.shape.options.catch(undefined),
  })
  .catch({})
export type FittingPart = z.output<typeof fittingPart>

/** The given faults and those of the failing checks, as `invalid`; undefined if there are none. Other failures are thrown. */
async function allFaults(
  found: readonly InputFault[],
  checks: readonly unknown[],
): Promise<AppError | undefined> {
  const results = await Promise.allSettled(checks)
  const failed = results.flatMap((it) => (it.status === 'rejected' ? asInvalid(it.reason) : []))
  const all = [...found, ...failed.flatMap((it) => it.faults)]
  const faults = [...new Map(all.map((it) => [it.pointer, it])).values()]
  const moreFaults = failed.reduce((sum, it) => sum + it.moreFaults, 0)
  if (faults.length + moreFaults === 0) return undefined
  return new AppError('invalid', 'The feed is not valid.', { faults, moreFaults })
}

function asInvalid(error: unknown): AppError {
  const failure = asFailure(error)
  if (failure.code !== 'invalid') throw error
  return failure
}

const tooManyShifts = `Must be shorter for so many users and schedules: at most ${shiftsMax} shifts are possible.`

/** `invalid` if the shifts are more than any calendar can show. */
export function refuseTooManyShifts(
  feed: Pick<Feed, 'userIds' | 'options'>,
  { pointer = '/options' }: OptionsPlace = {},
): void {
  if (!hasTooManyShifts(feed)) return
  throw invalidFeed(`${pointer}/window`, tooManyShifts)
}

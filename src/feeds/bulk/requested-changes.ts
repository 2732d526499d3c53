import { z } from 'zod'

import { refuseOtherCompany } from '../../domain/access/staff.ts'
import { AppError, asFailure } from '../../domain/errors.ts'
import type { Feed } from '../../domain/feed.ts'
import { withoutSecrets } from '../../domain/secrets.ts'
import type { Instant } from '../../domain/world.ts'
import { CompanyLookup } from '../company-lookup.ts'
import type { FeedsDeps } from '../deps.ts'
import { type CompanyLookups, type FeedChanges, fixedMembers } from '../feed-changes.ts'
import { type CreationKey, creationKey, findKnown, hash } from '../feed-creation.ts'
import {
  type FeedPatch,
  feedListSchema,
  feedPatchSchema,
  idField,
  listField,
  parseInput,
  rotationSchema,
} from '../feed-input.ts'
import type { FeedLinks } from '../feed-links.ts'
import { checkOptionsPatch } from '../feed-options.ts'
import { type Answer, linkSchema } from '../feed-view.ts'
import { checkSchedules } from '../schedule-options.ts'
import { changeOne, refuseUnknownCompany } from './bulk-changes.ts'
import { tableRowsMax } from './read-table.ts'

const { neverPolled } = feedListSchema.shape

/** As in the query of a list of feeds, without pages. */
const filterSchema = feedListSchema.omit({ limit: true, cursor: true }).extend({
  neverPolled: z
    .boolean()
    .optional()
    .describe(neverPolled.description ?? ''),
})

const changeSchema = z
  .strictObject({
    patch: feedPatchSchema.optional(),
    rotate: rotationSchema.optional(),
    revoke: z
      .strictObject({
        purge: z
          .boolean()
          .default(false)
          .describe('For 30 days, serve a calendar with one event that says it has ended'),
      })
      .optional(),
  })
  .refine((it) => Object.keys(it).length === 1, 'Must have one of patch, rotate and revoke.')
  .describe('Exactly one of patch, rotate and revoke')

export const feedChangesSchema = z
  .strictObject({
    ids: listField(tableRowsMax, z.array(idField).min(1)).optional(),
    filter: filterSchema
      .optional()
      .describe('All feeds that match; an empty filter means all feeds'),
    change: changeSchema,
  })
  .refine((it) => 'ids' in it !== 'filter' in it, 'Must have either ids or filter.')
  .describe('Either ids or filter, and a change')

export const feedChangeSchema = z
  .strictObject({
    feedId: z.string(),
    status: z.enum(['done', 'failed']),
    url: linkSchema.shape.url,
    page: linkSchema.shape.page,
    warnings: z.array(z.string()).optional().describe('As in the answer to a single change'),
    error: z.string().optional().describe('Why it failed'),
  })
  .describe('One line for each feed, written once its change is stored')

/** What became of one feed; the addresses of a new link are shown only here. */
export type FeedChangeLine = Answer<typeof feedChangeSchema>

type Change = z.output<typeof changeSchema>
type Filter = z.output<typeof filterSchema>

/** One request, as each of its changes needs it. */
interface Run {
  readonly change: Change
  /** Feeds created later do not change. */
  readonly beganAt: Instant
  /** With an Idempotency-Key. */
  readonly key?: CreationKey
}

const feedsAtOnce = 100

type RequestedChangesDeps = FeedsDeps & {
  readonly changes: FeedChanges
  readonly feedLinks: FeedLinks
}

/** One change of many feeds, by request. */
export class RequestedChanges {
  readonly #deps: RequestedChangesDeps

  constructor(deps: RequestedChangesDeps) {
    this.#deps = deps
  }

  /**
   * Checks the request before anything changes: `invalid`, `not_found` for a company that is not the actor's, `conflict` for
   * a key of another request. Each feed changes when its line is read; failures are `failed` lines, and the rest continues.
   * Patches and revocations can be repeated. So can a rotation with the same key within 24 hours: a feed that was rotated is
   * `done`, without addresses.
   */
  async begin(input: unknown, key?: string): Promise<AsyncGenerator<FeedChangeLine>> {
    const { ids, filter, change } = parseInput(feedChangesSchema, input, {
      what: 'The request',
      fixed: fixedMembers.map((pointer) => `/change/patch${pointer}`),
    })
    await this.#refuseCompany(filter?.companyId)
    await this.#checkOptions(change.patch?.options, filter?.companyId)
    const run = await this.#runOf(change, input, change.rotate && key)
    const pages = ids ? pagesOf([...new Set(ids)]) : this.#pagesThatFit(filter ?? {}, run)
    return this.#lines(pages, run)
  }

  async #refuseCompany(companyId: string | undefined): Promise<void> {
    if (companyId === undefined) return
    refuseOtherCompany(this.#deps.by.companyId, companyId)
    await refuseUnknownCompany(this.#deps, companyId, '/filter/companyId')
  }

  /** Schedules belong to one company: if it is not known yet, they are checked for each feed. */
  async #checkOptions(options: FeedPatch['options'], companyId: string | undefined): Promise<void> {
    if (options == null) return
    const { connections, by } = this.#deps
    const [only, ...others] = connections.values()
    const named = connections.get(companyId ?? by.companyId ?? '')
    const connection = named ?? (others.length === 0 ? only : undefined)
    const place = { pointer: '/change/patch/options' }
    checkOptionsPatch(options, place)
    if (connection) await checkSchedules(options, new CompanyLookup(connection, this.#deps), place)
  }

  /** A repeated run covers the feeds of the first one. */
  async #runOf(change: Change, input: unknown, given: string | undefined): Promise<Run> {
    const beganAt = this.#deps.clock.now()
    if (given === undefined) return { change, beganAt }
    const { keyHash, requestHash } = creationKey(given, input, this.#deps.by)
    // The request may name people: with the key, nobody can guess it from its hash.
    const key = { keyHash, requestHash: hash(`${given}\n${requestHash}`) }
    try {
      await this.#deps.feeds.createFeeds([], { ...key, feedIds: [], createdAt: beganAt })
      return { change, key, beganAt }
    } catch (error) {
      const known = await findKnown(this.#deps, key)
      if (!known) throw error
      return { change, key, beganAt: known.createdAt }
    }
  }

  /** In order of creation, each feed once. */
  async *#pagesThatFit(
    { userId, ...filter }: Filter,
    { beganAt }: Run,
  ): AsyncGenerator<readonly string[]> {
    const userIds = userId === undefined ? null : [userId]
    let after: Feed | undefined
    do {
      const limit = feedsAtOnce
      const page = await this.#deps.feeds.listFeeds({ ...filter, userIds, after, limit })
      const before = page.filter(({ createdAt }) => createdAt <= beganAt)
      yield before.map(({ id }) => id)
      after = before.length === limit ? before.at(-1) : undefined
    } while (after)
  }

  async *#lines(
    pages: Iterable<readonly string[]> | AsyncIterable<readonly string[]>,
    run: Run,
  ): AsyncGenerator<FeedChangeLine> {
    for await (const feedIds of pages) {
      const lookups: CompanyLookups = new Map()
      for (const feedId of feedIds) yield await this.#lineOf(feedId, run, lookups)
    }
  }

  async #lineOf(feedId: string, run: Run, lookups: CompanyLookups): Promise<FeedChangeLine> {
    const { change, key, beganAt: createdAt } = run
    const once = key && {
      ...key,
      keyHash: hash(`${key.keyHash}\n${feedId}`),
      feedIds: [feedId],
      createdAt,
    }
    const changing = changeOne(this.#deps, feedId, oneChange(change, lookups), once)
    const outcome = await changing.catch(asFailure)
    if (!(outcome instanceof AppError)) {
      const { link, warnings = [] } = outcome
      const addresses = link ? { url: link.url, page: link.page } : {}
      const told = warnings.length > 0 ? { warnings } : {}
      return { feedId, status: 'done', ...addresses, ...told }
    }
    // The same request has done this already, here or on another node.
    if (once && outcome.code === 'conflict') {
      const stored = await this.#deps.feeds.findCreation(once.keyHash)
      if (stored) return { feedId, status: 'done' }
    }
    return { feedId, status: 'failed', error: withoutSecrets(sentenceOf(outcome)) }
  }
}

function oneChange(
  { patch, rotate, revoke }: Change,
  lookups: CompanyLookups,
): Parameters<typeof changeOne>[2] {
  if (patch) return { kind: 'update', patches: [patch], lookups }
  if (rotate) return { kind: 'rotate', ...rotate }
  return { kind: 'revoke', purge: revoke?.purge ?? false }
}

/** Includes the faults that the answer to a single change would list. */
function sentenceOf({ message, faults }: AppError): string {
  return [message, ...faults.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join(' ')
}

function* pagesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += feedsAtOnce) {
    yield ids.slice(start, start + feedsAtOnce)
  }
}

import { createHash } from 'node:crypto'

import type { Actor } from '../domain/access/staff.ts'
import { type Creation, creationKeptMs } from '../domain/creation.ts'
import { AppError } from '../domain/errors.ts'
import { isOfSameName } from '../domain/feed-name.ts'
import type { FeedWithLink } from '../domain/feed-store.ts'
import { createRests, mapInSlices } from '../json/rest.ts'
import { followTeam } from '../people/teams.ts'
import type { FeedsDeps } from './deps.ts'
import { type FeedDraft, FeedDrafts } from './feed-drafts.ts'
import type { FeedListing } from './feed-listing.ts'
import { teamWarnings } from './feed-team.ts'
import {
  type LinkAddresses,
  linkAddresses,
  type FeedView,
  viewFeed,
  viewLink,
} from './feed-view.ts'
import { auditEventOf, tellOfFeed, newLink } from './link-replacement.ts'

const feedsOfUserMax = 100

/** A new feed; its addresses are shown only here. */
export interface CreatedFeed extends LinkAddresses {
  readonly feed: FeedView
  readonly warnings: readonly string[]
}

interface MadeFeed extends FeedWithLink, Pick<CreatedFeed, 'warnings'> {
  readonly token: string
}

/** Creates feeds, each with its first link. */
export class FeedCreation {
  readonly #deps: FeedsDeps

  constructor(deps: FeedsDeps) {
    this.#deps = deps
  }

  /** `invalid` for wrong input and unknown users; while the Read API is down the feed is created with a warning. */
  async create(input: unknown): Promise<CreatedFeed> {
    const [created] = await this.make([await this.drafts().draft(input)])
    if (!created) throw new Error('One draft makes one feed.')
    return created
  }

  drafts(): FeedDrafts {
    return new FeedDrafts(this.#deps)
  }

  /** Creates all drafts or none; `conflict` if the creation is known already. */
  async make(
    drafts: readonly FeedDraft[],
    creation?: CreationKey,
  ): Promise<readonly CreatedFeed[]> {
    const warned = drafts.length === 1 ? await this.#warned(drafts) : drafts
    const made = await mapInSlices(warned, (draft) => withFirstLink(draft))
    const feedIds = drafts.map(({ feed }) => feed.id)
    const auditEvent = auditEventOf(this.#deps, 'feed_created')
    const known = creation && { ...creation, feedIds, createdAt: auditEvent.at }
    await this.#deps.feeds.createFeeds(made, known, auditEvent)
    await mapInSlices(made, (it) => tellOfFeed(this.#deps, auditEvent, it.feed, it.link.label))
    await this.#keepPeople(drafts)
    for (const { feed } of made) if (feed.team) await followTeam(this.#deps, feed.id)
    return mapInSlices(made, (it) => this.#created(it))
  }

  /** Creates those for which no unrevoked feed with the same company, only user and name exists, on any node. */
  async makeMissing(drafts: readonly FeedDraft[], label?: string): Promise<readonly CreatedFeed[]> {
    const wanted = drafts.map((draft) => withFirstLink(draft, { label }))
    const auditEvent = auditEventOf(this.#deps, 'feed_created')
    const ids = await this.#deps.feeds.createMissingFeeds(wanted, auditEvent)
    await this.#keepPeople(drafts.filter(({ feed }) => ids.has(feed.id)))
    const made = wanted.filter(({ feed }) => ids.has(feed.id))
    for (const { feed, link } of made) tellOfFeed(this.#deps, auditEvent, feed, link.label)
    return made.map((it) => this.#created(it))
  }

  /** Creates the feed with that secret, unless its person has or had an own feed, on any node. */
  async makeOnly(draft: FeedDraft, token: string): Promise<void> {
    const made = withFirstLink(draft, { secret: token })
    const auditEvent = auditEventOf(this.#deps, 'feed_created')
    if (!(await this.#deps.feeds.createOnlyFeed(made, auditEvent))) return
    await this.#keepPeople([draft])
    tellOfFeed(this.#deps, auditEvent, made.feed, made.link.label)
  }

  /** Without an idempotency key, a repeated request makes a second calendar with the same name. */
  #warned(drafts: readonly FeedDraft[]): Promise<readonly FeedDraft[]> {
    return Promise.all(
      drafts.map(async (draft) => {
        const { companyId, userIds, audience } = draft.feed
        if (audience !== 'own') {
          const ofTeam = await teamWarnings(this.#deps, draft.feed)
          return { ...draft, warnings: [...draft.warnings, ...ofTeam] }
        }
        const filter = { companyId, userIds, state: 'open', limit: feedsOfUserMax } as const
        const before = (await this.#deps.feeds.listFeeds(filter)).find(
          (it) => it.audience === 'own' && isOfSameName(it, draft.feed),
        )
        if (!before) return draft
        const warning = `The user "${userIds[0]}" has an open feed of this name already: ${before.id}.`
        return { ...draft, warnings: [...draft.warnings, warning] }
      }),
    )
  }

  /** The answers need not be fetched again at the first poll. */
  async #keepPeople(drafts: readonly FeedDraft[]): Promise<void> {
    for (const [companyId, some] of Map.groupBy(drafts, ({ feed }) => feed.companyId)) {
      const users = some.flatMap((draft) => draft.users)
      const askedAt = Math.min(...some.map((draft) => draft.askedAt))
      await this.#deps.sources.get(companyId)?.keepPeople(users, askedAt)
    }
  }

  #created({ feed, link, token, warnings }: MadeFeed): CreatedFeed {
    const addresses = linkAddresses(this.#deps.publicUrl, token, feed.name)
    const company = this.#deps.connections.get(feed.companyId)?.company
    const view = viewFeed(feed, [viewLink(link, { addresses })], company)
    return { feed: view, ...addresses, warnings }
  }
}

function withFirstLink(
  { feed, warnings }: FeedDraft,
  {
    label = 'default',
    secret,
  }: { readonly label?: string | undefined; readonly secret?: string } = {},
): MadeFeed {
  const { id: feedId, createdAt } = feed
  return { feed, warnings, ...newLink({ feedId, label, createdAt }, secret) }
}

const keyLengthMax = 255
const readAtOnce = 100

type IdempotentCreationDeps = FeedsDeps & {
  readonly creation: FeedCreation
  readonly listing: FeedListing
}

/** What a request created, now or when it came first; then without addresses. */
export interface CreationResult {
  readonly feeds: readonly FeedView[]
  readonly warnings: readonly string[]
  readonly replayed: boolean
}

export type CreationKey = Pick<Creation, 'keyHash' | 'requestHash'>

/** Creates feeds once per Idempotency-Key within 24 hours, on any node. */
export class IdempotentCreation {
  readonly #deps: IdempotentCreationDeps

  constructor(deps: IdempotentCreationDeps) {
    this.#deps = deps
  }

  /** `invalid` for wrong input; `conflict` for a key of another request. */
  create(input: unknown, key?: string): Promise<CreationResult> {
    return this.#once(input, key, async (known) => {
      const { creation } = this.#deps
      return creation.make([await creation.drafts().draft(input)], known)
    })
  }

  createAll(inputs: readonly unknown[], key?: string): Promise<CreationResult> {
    return this.#once(inputs, key, async (known) => {
      const { creation } = this.#deps
      return creation.make(await creation.drafts().draftAll(inputs), known)
    })
  }

  async #once(
    input: unknown,
    key: string | undefined,
    make: (known?: CreationKey) => Promise<readonly CreatedFeed[]>,
  ): Promise<CreationResult> {
    if (key === undefined) return resultOf(await make())
    const known = creationKey(key, input, this.#deps.by)
    const before = await this.#replay(known)
    if (before) return before
    try {
      return resultOf(await make(known))
    } catch (error) {
      const meanwhile = await this.#replay(known)
      if (meanwhile) return meanwhile
      throw error
    }
  }

  async #replay(key: CreationKey): Promise<CreationResult | undefined> {
    const { feeds, listing } = this.#deps
    const made = await findKnown(this.#deps, key)
    if (!made) return undefined
    const views: FeedView[] = []
    const rests = createRests()
    for (let start = 0; start < made.feedIds.length; start += readAtOnce) {
      const ids = made.feedIds.slice(start, start + readAtOnce)
      const found = await Promise.all(ids.map((id) => feeds.findFeed(id)))
      views.push(...(await listing.views(found.filter((feed) => feed !== undefined))))
      if (rests.isDue()) await rests.take()
    }
    return { feeds: views, warnings: [], replayed: true }
  }
}

/** What was stored under the key within 24 hours; `conflict` for a key of another request. */
export async function findKnown(
  { feeds, clock }: Pick<FeedsDeps, 'feeds' | 'clock'>,
  { keyHash, requestHash }: CreationKey,
): Promise<Creation | undefined> {
  const made = await feeds.findCreation(keyHash)
  if (!made || made.createdAt <= clock.now() - creationKeptMs) return undefined
  if (made.requestHash === requestHash) return made
  throw new AppError('conflict', 'This Idempotency-Key was used for another request.')
}

/** Companies have separate keys: no header holds a line break. */
export function creationKey(
  key: string,
  input: unknown,
  { companyId }: Pick<Actor, 'companyId'>,
): CreationKey {
  if (key.length === 0 || key.length > keyLengthMax) {
    throw new AppError('invalid', `An Idempotency-Key has 1 to ${keyLengthMax} characters.`)
  }
  return {
    keyHash: hash(companyId === null ? key : `${companyId}\n${key}`),
    requestHash: hash(JSON.stringify(input)),
  }
}

function resultOf(created: readonly CreatedFeed[]): CreationResult {
  return {
    feeds: created.map(({ feed }) => feed),
    warnings: [...new Set(created.flatMap(({ warnings }) => warnings))],
    replayed: false,
  }
}

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

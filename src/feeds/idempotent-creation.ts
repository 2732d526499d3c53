import { createHash } from 'node:crypto'

import type { Actor } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import { type Creation, creationKeptMs, type FeedStore } from '../domain/feed.ts'
import type { Clock } from '../domain/world.ts'
import { createRests } from '../json/rest.ts'
import type { CreatedFeed, FeedCreation } from './feed-creation.ts'
import type { FeedListing } from './feed-listing.ts'
import type { FeedView } from './feed-view.ts'

const keyLengthMax = 255
/** Of the feeds that were made under a key. */
const readAtOnce = 100

interface IdempotentCreationDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'findCreation'>
  readonly creation: Pick<FeedCreation, 'drafts' | 'make'>
  readonly listing: Pick<FeedListing, 'views'>
  readonly clock: Clock
  readonly by: Pick<Actor, 'companyId'>
}

/** What a request has made, or had made when it came before: then without any address. */
export interface CreationResult {
  readonly feeds: readonly FeedView[]
  readonly warnings: readonly string[]
  readonly replayed: boolean
}

type CreationKey = Pick<Creation, 'keyHash' | 'requestHash'>

/** Makes feeds once per Idempotency-Key, on whatever node the request arrives, for 24 hours. */
export class IdempotentCreation {
  readonly #deps: IdempotentCreationDeps

  constructor(deps: IdempotentCreationDeps) {
    this.#deps = deps
  }

  /** One feed. `invalid` for wrong input; `conflict` for a key that was used for another request. */
  create(input: unknown, key?: string): Promise<CreationResult> {
    return this.#once(input, key, async (known) => {
      const { creation } = this.#deps
      return creation.make([await creation.drafts().draft(input)], known)
    })
  }

  /** All of them or none. */
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

  async #replay({ keyHash, requestHash }: CreationKey): Promise<CreationResult | undefined> {
    const { feeds, listing, clock } = this.#deps
    const made = await feeds.findCreation(keyHash)
    if (!made || made.createdAt <= clock.now() - creationKeptMs) return undefined
    if (made.requestHash !== requestHash) {
      throw new AppError('conflict', 'This Idempotency-Key was used for another request.')
    }
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

/** Those of one company have keys of their own: no header holds the end of line between the two. */
function creationKey(
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

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

import type { Source } from '../copies/source.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { Connection } from '../domain/connection.ts'
import type { Creation, FeedStore, FeedWithLink } from '../domain/feed.ts'
import { each, mapped } from '../json/long-lists.ts'
import { inSteps } from '../json/rest.ts'
import type { IdentityDeps } from './company-lookup.ts'
import { type DeedDeps, deedOf, tellOfFeed } from './deeds.ts'
import { type LinkAddresses, linkAddresses } from './feed-address.ts'
import { type FeedDraft, FeedDrafts } from './feed-drafts.ts'
import { type FeedView, viewFeed, viewLink } from './feed-view.ts'
import type { NearestPersonDeps } from './nearest-person.ts'
import { newLink } from './new-link.ts'

/** Nobody has more of one's own. */
const feedsOfUserMax = 100

interface FeedCreationDeps extends NearestPersonDeps, IdentityDeps, DeedDeps {
  readonly feeds: Pick<
    FeedStore,
    'createFeeds' | 'createMissingFeeds' | 'createOnlyFeed' | 'listFeeds'
  >
  /** By company. */
  readonly connections: ReadonlyMap<string, Connection>
  readonly sources: ReadonlyMap<string, Pick<Source, 'keepPeople'>>
  readonly publicUrl: string
  readonly by: Actor
}

/** A feed just made: the only time its secret is shown. */
export interface CreatedFeed extends LinkAddresses {
  readonly feed: FeedView
  /** What could not be checked, in sentences. */
  readonly warnings: readonly string[]
}

interface MadeFeed extends FeedWithLink, Pick<CreatedFeed, 'warnings'> {
  readonly token: string
}

/** Makes feeds, each with its first link. */
export class FeedCreation {
  readonly #deps: FeedCreationDeps

  constructor(deps: FeedCreationDeps) {
    this.#deps = deps
  }

  /**
   * One feed. `invalid` for wrong input and for users that the Read API does not know; while it does not answer the
   * feed is made all the same, with a warning.
   */
  async create(input: unknown): Promise<CreatedFeed> {
    const [created] = await this.make([await this.drafts().draft(input)])
    if (!created) throw new Error('One draft makes one feed.')
    return created
  }

  /** Checks any number of feeds, asking for each person and company once; keeps none of them. */
  drafts(): FeedDrafts {
    return new FeedDrafts(this.#deps)
  }

  /** Makes the drafted feeds, all or none; `conflict` if the creation is known already. */
  async make(
    drafts: readonly FeedDraft[],
    creation?: Pick<Creation, 'keyHash' | 'requestHash'>,
  ): Promise<readonly CreatedFeed[]> {
    const warned = drafts.length === 1 ? await this.#warnedOfNamesake(drafts) : drafts
    const made = await inSteps(mapped(warned, (draft) => withFirstLink(draft)))
    const feedIds = drafts.map(({ feed }) => feed.id)
    const deed = deedOf(this.#deps, 'feed_created')
    const known = creation && { ...creation, feedIds, createdAt: deed.at }
    await this.#deps.feeds.createFeeds(made, known, deed)
    await inSteps(each(made, (it) => tellOfFeed(this.#deps, deed, it.feed, it.link.label)))
    await this.#keepPeople(drafts)
    return inSteps(mapped(made, (it) => this.#created(it)))
  }

  /** Makes those whose company, only user and name no unrevoked feed has yet, on whatever nodes it is asked for. */
  async makeMissing(drafts: readonly FeedDraft[]): Promise<readonly CreatedFeed[]> {
    const wanted = drafts.map((draft) => withFirstLink(draft))
    const deed = deedOf(this.#deps, 'feed_created')
    const ids = await this.#deps.feeds.createMissingFeeds(wanted, deed)
    await this.#keepPeople(drafts.filter(({ feed }) => ids.has(feed.id)))
    const made = wanted.filter(({ feed }) => ids.has(feed.id))
    for (const { feed, link } of made) tellOfFeed(this.#deps, deed, feed, link.label)
    return made.map((it) => this.#created(it))
  }

  /** Makes the feed, its first link of that secret, unless its person has or had one of their own, on whatever nodes it is asked for. */
  async makeOnly(draft: FeedDraft, token: string): Promise<void> {
    const made = withFirstLink(draft, token)
    const deed = deedOf(this.#deps, 'feed_created')
    if (!(await this.#deps.feeds.createOnlyFeed(made, deed))) return
    await this.#keepPeople([draft])
    tellOfFeed(this.#deps, deed, made.feed, made.link.label)
  }

  /** Who asks twice without a key has two calendars of one name, and may not know. */
  #warnedOfNamesake(drafts: readonly FeedDraft[]): Promise<readonly FeedDraft[]> {
    return Promise.all(
      drafts.map(async (draft) => {
        const { companyId, userIds, audience, name } = draft.feed
        if (audience !== 'own') return draft
        const filter = { companyId, userIds, state: 'open', limit: feedsOfUserMax } as const
        const before = (await this.#deps.feeds.listFeeds(filter)).find(
          (it) => it.audience === 'own' && it.name === name,
        )
        if (!before) return draft
        const warning = `The user "${userIds[0]}" has an open feed of this name already: ${before.id}.`
        return { ...draft, warnings: [...draft.warnings, warning] }
      }),
    )
  }

  /** What was answered for those who are in feeds now need not be asked again when these are polled. */
  async #keepPeople(drafts: readonly FeedDraft[]): Promise<void> {
    for (const [companyId, some] of Map.groupBy(drafts, ({ feed }) => feed.companyId)) {
      const users = some.flatMap((draft) => draft.users)
      const askedAt = Math.min(...some.map((draft) => draft.askedAt))
      await this.#deps.sources.get(companyId)?.keepPeople({ users, askedAt })
    }
  }

  #created({ feed, link, token, warnings }: MadeFeed): CreatedFeed {
    const addresses = linkAddresses(this.#deps.publicUrl, token, feed.name)
    return { feed: viewFeed(feed, [viewLink(link, { addresses })]), ...addresses, warnings }
  }
}

function withFirstLink({ feed, warnings }: FeedDraft, secret?: string): MadeFeed {
  const { id: feedId, createdAt } = feed
  return { feed, warnings, ...newLink({ feedId, label: 'default', createdAt }, secret) }
}

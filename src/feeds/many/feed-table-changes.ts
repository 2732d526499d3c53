import { noCompany } from '../../domain/company.ts'
import { AppError } from '../../domain/errors.ts'
import type { Feed, FeedStore } from '../../domain/feed.ts'
import type { FeedLink, LinkStore } from '../../domain/link.ts'
import type { Clock } from '../../domain/world.ts'
import type { FeedChanges } from '../feed-changes.ts'
import { asFailure, invalidFeed } from '../feed-faults.ts'
import type { FeedLinks } from '../feed-links.ts'
import type { LinkView } from '../feed-view.ts'
import type { CsvRecord } from '../import/read-csv.ts'
import { refuseReplaced } from '../links-going-on.ts'
import type { ChangedRow } from './changed-row.ts'
import { type Choice, type ChosenFeed, type ChosenFeeds, chooseFeeds } from './chosen-feeds.ts'
import type { PersonNames } from './person-names.ts'

interface FeedTableChangesDeps {
  readonly feeds: Pick<FeedStore, 'findFeed' | 'listFeeds'>
  readonly links: Pick<LinkStore, 'listLinks'>
  readonly changes: Pick<FeedChanges, 'revoke'>
  readonly feedLinks: Pick<FeedLinks, 'rotate' | 'end'>
  readonly names: () => Pick<PersonNames, 'find'>
  readonly connections: ReadonlyMap<string, object>
  readonly clock: Clock
}

/** What is done to each feed. */
export type TableChange =
  | { readonly kind: 'rotate'; readonly label?: string | undefined; readonly graceDays: number }
  | { readonly kind: 'revoke'; readonly label?: string | undefined; readonly purge: boolean }

const firstLabel = 'default'
/** Asked for together before their feeds are changed, so that no change waits for the Read API. */
const namesAtOnce = 64

/** Changes every feed that a table names. */
export class FeedTableChanges {
  readonly #deps: FeedTableChangesDeps

  constructor(deps: FeedTableChangesDeps) {
    this.#deps = deps
  }

  /** All rows are checked before anything is changed: `invalid` with the row of each fault, or for a company that there is not. */
  async choose(
    records: readonly CsvRecord[],
    change: TableChange | { readonly kind: 'remind' },
    companyId?: string,
  ): Promise<ChosenFeeds> {
    if (companyId !== undefined) await this.#refuseUnknown(companyId)
    return chooseFeeds(this.#deps, records, { companyId, ...choiceFor(change) })
  }

  /**
   * Each feed as soon as it is changed; one that cannot be is `failed`, and the others go on. What has ended already is
   * skipped, so a revocation can be sent again; a rotation that is sent again gives every feed yet another link.
   */
  run(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    return this.#rows(feeds, change, (chosen) => this.#change(chosen, change))
  }

  /** What `run` would do to each; changes nothing. */
  plan(feeds: readonly ChosenFeed[], change: TableChange): AsyncGenerator<ChangedRow> {
    const would = `would be ${change.kind === 'rotate' ? 'rotated' : 'revoked'}` as const
    return this.#rows(feeds, change, async (chosen) => {
      if (this.#isDone(chosen, change)) return skipped
      if (change.kind === 'rotate') this.#refuseReplaced(chosen, change.label)
      return { status: would, link: null, reason: null }
    })
  }

  #refuseReplaced({ feed, links }: ChosenFeed, label = firstLabel): void {
    const link = links.find((it) => it.label === label)
    if (link) refuseReplaced(feed, link, this.#deps.clock.now())
  }

  /** The feeds of a company that is set up no longer can still be ended. */
  async #refuseUnknown(companyId: string): Promise<void> {
    const { connections, feeds } = this.#deps
    if (connections.has(companyId)) return
    if ((await feeds.listFeeds({ companyId, limit: 1 })).length > 0) return
    throw invalidFeed('/companyId', noCompany(companyId, connections.keys()))
  }

  async *#rows(
    feeds: readonly ChosenFeed[],
    change: TableChange,
    apply: (chosen: ChosenFeed) => Promise<Outcome>,
  ): AsyncGenerator<ChangedRow> {
    const names = this.#deps.names()
    for (const [index, chosen] of feeds.entries()) {
      if (index % namesAtOnce === 0) await findNames(names, feeds.slice(index, index + namesAtOnce))
      const { id: feedId, companyId, userIds } = chosen.feed
      const [userId = ''] = userIds
      const { displayName, email } = await names.find(companyId, userId)
      const outcome = await apply(chosen).catch(asFailure)
      const row = { userId, displayName, email, feedId, label: change.label ?? '' }
      yield outcome instanceof AppError
        ? { ...row, link: null, status: 'failed', reason: outcome.message }
        : { ...row, label: outcome.link?.label ?? row.label, ...outcome }
    }
  }

  async #change(chosen: ChosenFeed, change: TableChange): Promise<Outcome> {
    const { changes, feedLinks } = this.#deps
    const { id } = chosen.feed
    if (this.#isDone(chosen, change)) return skipped
    if (change.kind === 'rotate') {
      const { label = firstLabel, graceDays } = change
      const { warnings = [], ...link } = await feedLinks.rotate(id, { label, graceDays })
      return { status: 'rotated', link, reason: null, warnings }
    }
    const { label, purge } = change
    await (label === undefined ? changes.revoke(id, purge) : feedLinks.end(id, label, purge))
    return { status: 'revoked', link: null, reason: null }
  }

  /** A purge can be added to a feed that has ended, and to no link. */
  #isDone({ feed, links }: ChosenFeed, change: TableChange): boolean {
    if (feed.revokedAt !== null && !this.#canPurge(feed, change)) return true
    return change.kind === 'revoke' && this.#hasEnded(links, change.label)
  }

  #canPurge({ purgedAt }: Feed, change: TableChange): boolean {
    return change.kind === 'revoke' && change.purge && purgedAt === null
  }

  #hasEnded(links: readonly FeedLink[], label: string | undefined): boolean {
    const now = this.#deps.clock.now()
    const link = links.find((it) => it.label === label)
    return link?.endsAt != null && link.endsAt <= now
  }
}

function choiceFor(
  change: TableChange | { readonly kind: 'remind' },
): Pick<Choice, 'label' | 'revoked'> {
  if (change.kind === 'remind') return { revoked: false }
  const { kind, label } = change
  return kind === 'rotate'
    ? { label: label ?? firstLabel, revoked: false }
    : { label, revoked: true }
}

async function findNames(
  names: Pick<PersonNames, 'find'>,
  feeds: readonly ChosenFeed[],
): Promise<void> {
  const found = feeds.map(({ feed }) => names.find(feed.companyId, feed.userIds[0] ?? ''))
  await Promise.all(found)
}

interface Outcome {
  readonly status: ChangedRow['status']
  readonly link: LinkView | null
  readonly reason: string | null
  readonly warnings?: readonly string[]
}

const skipped: Outcome = { status: 'skipped', link: null, reason: 'has ended' }

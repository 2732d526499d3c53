import type { Connection } from '../domain/connection.ts'
import type { CopyName, RetentionStore, CopyStore } from '../domain/copy.ts'
import { shownFeed } from '../domain/feed.ts'
import type { Clock, Log } from '../domain/world.ts'
import { showsReasons } from './feed-requests.ts'
import { contentHashOf, withoutReasons } from './kept-records.ts'
import { repeat } from './repeated-work.ts'

const everyMs = 3_600_000
const keptMs = 30 * 86_400_000

interface RetentionDeps {
  readonly retention: RetentionStore
  readonly snapshots: CopyStore
  readonly connections: ReadonlyMap<string, Connection>
  readonly clock: Clock
  readonly log: Log
}

/** Keeps no more, and no longer, than the open feeds need. */
export class Retention {
  readonly #deps: RetentionDeps
  #end: (() => Promise<void>) | undefined

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  /** From now on purges once an hour. */
  start(): void {
    const work = (): Promise<void> => this.purge()
    this.#end ??= repeat({ name: 'retention', everyMs, work }, this.#deps)
  }

  async close(): Promise<void> {
    await this.#end?.()
  }

  /** Whether an open feed shows the reasons of that person's leaves. */
  async showsReasons(companyId: string, userId: string): Promise<boolean> {
    const feeds = await this.#deps.retention.listFeedsInFull(companyId, userId)
    return feeds.some((feed) => showsReasons(shownFeed(feed).options))
  }

  /** Takes reasons that nobody is shown out of the copies, and drops what no open feed has used for 30 days. */
  async purge(): Promise<void> {
    const { retention, clock, log } = this.#deps
    const before = clock.now() - keptMs
    const stripped = await this.#each(await retention.listCopiesWithReasons(), (copy) =>
      this.#stripReasons(copy),
    )
    const copies = await this.#each(await retention.listCopiesBefore(before), (copy) =>
      this.#purgeUnused(copy),
    )
    await retention.purgeDepartures()
    const ledgers = await retention.purgeLedgers(before)
    if (stripped + copies + ledgers > 0) log.info({ stripped, copies, ledgers }, 'purged')
  }

  /** How many of the copies there was something to do for. */
  async #each(
    copies: readonly CopyName[],
    work: (copy: CopyName) => Promise<boolean>,
  ): Promise<number> {
    let done = 0
    for (const copy of copies) if (await work(copy)) done += 1
    return done
  }

  async #stripReasons({ connectionId, key }: CopyName): Promise<boolean> {
    const { snapshots, retention } = this.#deps
    const userId = subjectOf(key)
    const companyId = this.#connection(connectionId)?.company.id
    if (companyId !== undefined && (await this.showsReasons(companyId, userId))) return false
    const copy = await snapshots.findCopy<'leaves'>(connectionId, key)
    if (!copy) return false
    const { withReasons: _, ...head } = copy
    const records = withoutReasons(copy.records)
    const contentHash = contentHashOf(records)
    if (await snapshots.keepCopy(connectionId, { ...head, contentHash, records }, userId)) {
      return true
    }
    const isOfFeed = companyId !== undefined && (await retention.hasOpenFeed(companyId, { userId }))
    if (!isOfFeed) await retention.purgeCopy({ connectionId, key })
    return !isOfFeed
  }

  async #purgeUnused(copy: CopyName): Promise<boolean> {
    const connection = this.#connection(copy.connectionId)
    if (connection && (await this.#isUsed(connection, copy.key))) return false
    await this.#deps.retention.purgeCopy(copy)
    return true
  }

  /** A copy of a connection that is no longer set up is used by nobody. */
  async #isUsed({ company }: Connection, key: string): Promise<boolean> {
    const { retention } = this.#deps
    const subject = subjectOf(key)
    const isForAll = key === 'schedules' || company.projects.includes(subject)
    if (isForAll) return retention.hasOpenFeed(company.id, {})
    const isShared = key.startsWith('tasks:') || key.startsWith('invoice:')
    return retention.hasOpenFeed(company.id, isShared ? { names: subject } : { userId: subject })
  }

  #connection(connectionId: string): Connection | undefined {
    return [...this.#deps.connections.values()].find(({ id }) => id === connectionId)
  }
}

/** The user, project or invoice that the copy is of; empty for schedules. */
function subjectOf(key: string): string {
  return key.split(':').slice(1).join(':')
}

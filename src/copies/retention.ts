import { auditKeptMs, type AuditStore } from '../domain/access/audit-entry.ts'
import type { SessionStore } from '../domain/access/staff.ts'
import type { Connection } from '../domain/connection.ts'
import {
  collectionOf,
  contentHashOf,
  type CopyName,
  type CopyStore,
  type RetentionStore,
} from '../domain/copy.ts'
import { ledgerKeptMs } from '../domain/ledger.ts'
import type { LinkStore } from '../domain/link.ts'
import { type Clock, type Log, repeat } from '../domain/world.ts'
import { kinds, areReasonsShown, withoutReasons } from './kinds.ts'

const everyMs = 3_600_000
const keptMs = 30 * 86_400_000

interface RetentionDeps {
  readonly retention: RetentionStore
  readonly copies: CopyStore
  readonly links: LinkStore
  readonly audit: AuditStore
  readonly sessions: SessionStore
  /** By company. */
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

  /**
   * Takes reasons that nobody is shown out of the copies, and drops what no open feed has used for 30 days, who did what
   * longer ago than that is known, and sign-ins that have ended.
   */
  async purge(): Promise<void> {
    const { retention, audit, sessions, clock, log } = this.#deps
    const before = clock.now() - keptMs
    let [stripped, copies] = [0, 0]
    for (const copy of await retention.listCopiesWithReasons()) {
      if (await this.#stripReasons(copy)) stripped += 1
    }
    for (const copy of await retention.listCopiesBefore(before)) {
      if (await this.#purgeUnused(copy)) copies += 1
    }
    await retention.purgeDepartures()
    const ledgers = await retention.purgeLedgers({
      revokedBefore: before,
      closedBefore: clock.now() - ledgerKeptMs,
    })
    if (stripped + copies + ledgers > 0) log.info({ stripped, copies, ledgers }, 'purged')
    await audit.dropBefore(clock.now() - auditKeptMs)
    await sessions.dropEnded(clock.now())
    retention.purgeBackups(before)
    // Where others use the database just now it is done an hour later.
    await retention.forgetPurged()
  }

  async #stripReasons({ connectionId, key }: CopyName): Promise<boolean> {
    const { copies, links, clock } = this.#deps
    const userId = collectionOf(key).subject
    const companyId = this.#connection(connectionId)?.company.id
    if (companyId === undefined) return this.#purgeUnused({ connectionId, key })
    const now = clock.now()
    if (areReasonsShown(await links.listLinksInFull(companyId, userId, now))) return false
    const copy = await copies.findCopy<'leaves'>(connectionId, key)
    if (!copy) return false
    const { withReasons: _, ...head } = copy
    const records = withoutReasons(copy.records)
    const stripped = { ...head, contentHash: contentHashOf(records), records }
    if (await copies.keepCopy(connectionId, stripped, { companyId, userId })) return true
    return this.#purgeUnused({ connectionId, key })
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
    const { kind, subject } = collectionOf(key)
    if (kinds[kind].isPersonal) return retention.hasOpenFeed(company.id, { userId: subject })
    const isForAll = subject === '' || company.projects.includes(subject)
    return retention.hasOpenFeed(company.id, isForAll ? {} : { names: subject })
  }

  #connection(connectionId: string): Connection | undefined {
    return [...this.#deps.connections.values()].find(({ id }) => id === connectionId)
  }
}

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
import { type Clock, type Log, Repeated } from '../domain/world.ts'
import { kinds, areReasonsShown, withoutReasons } from './kinds.ts'

const everyMs = 3_600_000
const keptMs = 30 * 86_400_000
/** People try a preview with other options, and look at one month of a team after another. */
const draftKeptMs = 3_600_000

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

export function purging(deps: RetentionDeps): Repeated {
  return new Repeated(deps, { name: 'retention', everyMs, work: () => purge(deps) })
}

/**
 * Stores no more, and no longer, than open feeds need. Removes reasons that are not shown, what no open feed has used for
 * 30 days, what only previews have used, old audit events and ended sessions.
 */
export async function purge(deps: RetentionDeps): Promise<void> {
  const { retention, audit, sessions, clock, log } = deps
  const before = clock.now() - keptMs
  let [stripped, copies] = [0, 0]
  for (const copy of await retention.listCopiesWithReasons()) {
    if (await stripReasons(deps, copy)) stripped += 1
  }
  for (const copy of await retention.listDraftCopiesBefore(clock.now() - draftKeptMs)) {
    if (await purgeUnused(deps, copy)) copies += 1
    else await retention.adoptCopy(copy)
  }
  for (const copy of await retention.listCopiesBefore(before)) {
    if (await purgeUnused(deps, copy)) copies += 1
  }
  await retention.purgeDepartures()
  const closedBefore = clock.now() - ledgerKeptMs
  const ledgers = await retention.purgeLedgers({ revokedBefore: before, closedBefore })
  if (stripped + copies + ledgers > 0) log.info({ stripped, copies, ledgers }, 'purged')
  await audit.dropBefore(clock.now() - auditKeptMs)
  await sessions.dropEnded(clock.now())
  retention.purgeBackups(before)
  // Postponed for an hour while others use the database.
  await retention.forgetPurged()
}

async function stripReasons(deps: RetentionDeps, name: CopyName): Promise<boolean> {
  const { copies, links, clock } = deps
  const { connectionId, key } = name
  const userId = collectionOf(key).subject
  const companyId = companyOf(deps, name)?.id
  if (companyId === undefined) return purgeUnused(deps, name)
  const inFull = await links.listLinksInFull(companyId, userId, clock.now())
  if (areReasonsShown(inFull)) return false
  const copy = await copies.findCopy<'leaves'>(connectionId, key)
  if (!copy) return false
  const { withReasons: _, ...head } = copy
  const records = withoutReasons(copy.records)
  const stripped = { ...head, contentHash: contentHashOf(records), records }
  if (await copies.keepCopy(connectionId, stripped, { whileInFeed: { companyId, userId } }))
    return true
  return purgeUnused(deps, name)
}

/** A connection that is no longer configured uses none of its copies. */
async function purgeUnused(deps: RetentionDeps, name: CopyName): Promise<boolean> {
  const { retention } = deps
  const company = companyOf(deps, name)
  const { kind, subject } = collectionOf(name.key)
  const isForAll = subject === '' || company?.projects.includes(subject)
  const ofShared = isForAll ? {} : { names: subject }
  const use = kinds[kind].isPersonal ? { userId: subject } : ofShared
  const isUsed = company && (await retention.hasOpenFeed(company.id, use))
  if (!isUsed) await retention.purgeCopy(name)
  return !isUsed
}

function companyOf({ connections }: RetentionDeps, { connectionId }: CopyName) {
  return connections.values().find(({ id }) => id === connectionId)?.company
}

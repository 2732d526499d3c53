import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { AppError } from '../domain/errors.ts'
import type { ErasureStore, LeaverStore, RetentionStore } from '../domain/operation-ports.ts'
import type {
  ActivityStore,
  ExaminationStore,
  FeedStore,
  LeaveProofStore,
  LedgerStore,
  SnapshotStore,
} from '../domain/ports.ts'
import { SqlActivityStore } from './activity-store.ts'
import { SqlErasureStore } from './erasure-store.ts'
import { SqlExaminationStore } from './examination-store.ts'
import { SqlFeedStore } from './feed-store.ts'
import { SqlLeaveProofStore } from './leave-proof-store.ts'
import { SqlLeaverStore } from './leaver-store.ts'
import { SqlLedgerStore } from './ledger-store.ts'
import { storeHistory } from './migrations.ts'
import { SqlRetentionStore } from './retention-store.ts'
import { SqlSnapshotStore } from './snapshot-store.ts'
import type { StoreTables } from './tables.ts'

/** Everything that the bridge keeps. Every method fails with `unavailable` while the database cannot be reached. */
export interface Store {
  readonly feeds: FeedStore
  readonly snapshots: SnapshotStore
  readonly ledgers: LedgerStore
  readonly proofs: LeaveProofStore
  readonly examinations: ExaminationStore
  readonly activity: ActivityStore
  readonly leavers: LeaverStore
  readonly retention: RetentionStore
  readonly erasure: ErasureStore
  /** Whether the database answers. */
  isReady(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Opens the store at `file:…` or `postgres://…` and brings its tables up to date. Fails with `invalid` for another
 * address or a database of a newer version of the program, with `unavailable` where none can be reached.
 */
export async function openStore(url: string): Promise<Store> {
  const database = await openDatabase<StoreTables>(
    url,
    (code, message, cause) => new AppError(code, message, { cause }),
  )
  try {
    await migrate(database, storeHistory)
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    feeds: new SqlFeedStore(database),
    snapshots: new SqlSnapshotStore(database),
    ledgers: new SqlLedgerStore(database),
    proofs: new SqlLeaveProofStore(database),
    examinations: new SqlExaminationStore(database),
    activity: new SqlActivityStore(database),
    leavers: new SqlLeaverStore(database),
    retention: new SqlRetentionStore(database),
    erasure: new SqlErasureStore(database),
    isReady: () => answers(database),
    close: () => database.close(),
  }
}

async function answers({ queries }: Database<StoreTables>): Promise<boolean> {
  try {
    await queries.selectFrom('feeds').select('id').limit(1).execute()
    return true
  } catch {
    return false
  }
}

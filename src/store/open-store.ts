import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { type Database, openDatabase, openMemoryDatabase } from '../database/database.ts'
import type { LastWrite } from '../database/faults.ts'
import { migrate } from '../database/migrate.ts'
import type { AuditStore } from '../domain/access/audit-entry.ts'
import type { TokenStore, SessionStore } from '../domain/access/staff.ts'
import type { ActivityStore } from '../domain/activity.ts'
import type { ConnectionStore, CredentialStore, StandingStore } from '../domain/connection.ts'
import type { CopyStore, DoubtStore, RetentionStore } from '../domain/copy.ts'
import type { DepartureStore } from '../domain/departure.ts'
import type { ErasureStore } from '../domain/erasure.ts'
import { asAppError } from '../domain/errors.ts'
import type { ExaminationStore } from '../domain/examination.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { LeaveProofStore } from '../domain/leave.ts'
import type { LedgerStore } from '../domain/ledger.ts'
import type { LinkStore, LostLinkStore } from '../domain/link.ts'
import type {
  NewcomerStore,
  LookRoundStore,
  PeopleByMail,
  PeopleFinder,
  PeopleStore,
} from '../domain/person.ts'
import type { Instant } from '../domain/world.ts'
import { SqlLostLinkStore, SqlSessionStore, SqlTokenStore, SqlCredentialStore } from './access.ts'
import { SqlActivityStore } from './activity-store.ts'
import { SqlAuditStore } from './audit.ts'
import { SqlConnectionStore } from './connection-store.ts'
import { copyKnowledge, SqlCopyStore } from './copies.ts'
import { SqlDepartureStore, SqlLookRoundStore } from './departures.ts'
import { SqlDoubtStore } from './doubt-store.ts'
import { SqlErasureStore } from './erasure.ts'
import { SqlExaminationStore } from './examination-store.ts'
import { ChangedFeeds, SqlFeedStore } from './feeds.ts'
import { SqlLedgerStore } from './ledgers.ts'
import { SqlLinkStore } from './links.ts'
import { storeHistory } from './migrations/history.ts'
import { SqlNewcomerStore } from './newcomers.ts'
import { SqlPeopleByMail, SqlPeopleFinder } from './people-search.ts'
import { SqlPeopleStore } from './people.ts'
import { SqlProofStore } from './proof-store.ts'
import { SqlRetentionStore } from './retention-store.ts'
import { SqlStandingStore } from './standing-store.ts'
import type { StoreTables } from './tables.ts'

/** Everything that the bridge keeps. Every method fails with `unavailable` while the database cannot be reached. */
export interface Store {
  readonly feeds: FeedStore
  readonly links: LinkStore
  readonly copies: CopyStore
  readonly standings: StandingStore
  readonly doubts: DoubtStore
  readonly connections: ConnectionStore
  readonly credentials: CredentialStore
  readonly ledgers: LedgerStore
  readonly proofs: LeaveProofStore
  readonly examinations: ExaminationStore
  readonly activity: ActivityStore
  readonly departures: DepartureStore
  readonly people: PeopleStore
  readonly newcomers: NewcomerStore
  readonly peopleFinder: PeopleFinder
  readonly peopleByMail: PeopleByMail
  readonly audit: AuditStore
  readonly tokens: TokenStore
  readonly sessions: SessionStore
  readonly lostLinks: LostLinkStore
  readonly lookRounds: LookRoundStore
  readonly retention: RetentionStore
  readonly erasure: ErasureStore
  readonly changedFeeds: Pick<ChangedFeeds, 'listen'>
  /** The time of the database; null where it is this machine's. */
  readonly time: (() => Promise<Instant>) | null
  /**
   * A store in memory that begins with what this one knows of people and their records, without links, ledgers and all else
   * that only kept feeds have; what is kept there goes when it is closed.
   */
  openScratch(): Promise<Store>
  /** Why the database cannot be worked with, in one sentence; null where it answers and takes what is written. */
  whyNotReady(): Promise<string | null>
  /** Has that told when the database begins to refuse what is written, and, with null, once it takes it again. */
  watchWrites: LastWrite['watch']
  close(): Promise<void>
}

/**
 * Opens the store at `file:…` or `postgres://…` and brings its tables up to date. Fails with `invalid` for another
 * address or a database of a newer version of the program, with `unavailable` where none can be reached, or no file be
 * backed up before its tables change; `onBackup` is told where that backup is.
 */
export async function openStore(url: string, onBackup?: (file: string) => void): Promise<Store> {
  const database = await openDatabase<StoreTables>(url)
  try {
    await migrate(database, storeHistory, onBackup)
  } catch (error) {
    await database.close()
    throw error
  }
  return storeOn(database)
}

function storeOn(database: Database<StoreTables>): Store {
  const changedFeeds = new ChangedFeeds()
  return {
    feeds: new SqlFeedStore(database, changedFeeds),
    links: new SqlLinkStore(database, changedFeeds),
    copies: new SqlCopyStore(database),
    standings: new SqlStandingStore(database),
    doubts: new SqlDoubtStore(database),
    connections: new SqlConnectionStore(database),
    credentials: new SqlCredentialStore(database),
    ledgers: new SqlLedgerStore(database),
    proofs: new SqlProofStore(database),
    examinations: new SqlExaminationStore(database),
    activity: new SqlActivityStore(database),
    departures: new SqlDepartureStore(database),
    people: new SqlPeopleStore(database),
    newcomers: new SqlNewcomerStore(database),
    peopleFinder: new SqlPeopleFinder(database),
    peopleByMail: new SqlPeopleByMail(database),
    audit: new SqlAuditStore(database),
    tokens: new SqlTokenStore(database),
    sessions: new SqlSessionStore(database),
    lostLinks: new SqlLostLinkStore(database),
    lookRounds: new SqlLookRoundStore(database),
    retention: new SqlRetentionStore(database),
    erasure: new SqlErasureStore(database, changedFeeds),
    changedFeeds,
    time: database.dialect === 'postgres' ? () => timeOf(database) : null,
    openScratch: () => openScratch(database),
    whyNotReady: readiness(database),
    watchWrites: (tell) => database.lastWrite.watch(tell),
    close: () => database.close(),
  }
}

async function openScratch(database: Database<StoreTables>): Promise<Store> {
  const memory = openMemoryDatabase<StoreTables>([])
  await migrate(memory, storeHistory)
  await copyKnowledge(database, memory)
  return storeOn(memory)
}

async function timeOf({ queries }: Database<StoreTables>): Promise<Instant> {
  const asked = sql<{
    now: Instant
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const { rows } = await asked.execute(queries)
  const [row] = rows
  if (!row) throw new Error('The database has told no time.')
  return row.now
}

/** What was written so lately shows that more can be. */
const writtenMs = 60_000
/** Of the row that is written where nothing else was: as large as records are, so that it takes room. */
const rowLength = 16_384

/**
 * Who has written lately knows whether the database takes it. Where it refused, each look tries once more, so that it is known
 * when it takes it again; where nothing has been written for long, one tries for the next.
 */
function readiness(database: Database<StoreTables>): () => Promise<string | null> {
  const { lastWrite, queries } = database
  const read = database.prepareRead(queries.selectFrom('feeds').select('id').limit(1))
  let trying: Promise<void> | undefined
  const tryWrite = (): Promise<void> =>
    (trying ??= writeAndDelete(database)
      .then(() => lastWrite.noteTaken())
      .catch(() => undefined)
      .finally(() => (trying = undefined)))
  return async () => {
    try {
      await read({})
    } catch (error) {
      return asAppError(error)?.message ?? 'The database cannot be read.'
    }
    if (lastWrite.fault) await tryWrite()
    else if (lastWrite.ageMs > writtenMs) void tryWrite()
    return lastWrite.fault?.message ?? null
  }
}

/** Nothing of it is left, and nobody sees it. */
async function writeAndDelete({ queries }: Database<StoreTables>): Promise<void> {
  const key = randomUUID()
  await queries.transaction().execute(async (transaction) => {
    const row = { key_hash: key, request_hash: '', feed_ids: ' '.repeat(rowLength), created_at: 0 }
    await transaction.insertInto('creations').values(row).execute()
    await transaction.deleteFrom('creations').where('key_hash', '=', key).execute()
  })
}

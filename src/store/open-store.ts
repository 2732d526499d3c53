import { randomUUID } from 'node:crypto'

import { sql } from 'kysely'

import { openDatabase, openMemoryDatabase } from '../database/database.ts'
import type { LastWrite } from '../database/faults.ts'
import { migrate } from '../database/migrate.ts'
import { type DatabaseSpace, spaceOf } from '../database/space.ts'
import { asAppError } from '../domain/errors.ts'
import type { Instant } from '../domain/world.ts'
import { lostLinkStore, sessionStore, tokenStore } from './access.ts'
import { activityStore } from './activity.ts'
import { auditStore } from './audit.ts'
import { companyDefaultsStore } from './company-defaults.ts'
import { companyWorkStore } from './company-work.ts'
import { connectionStore, credentialStore, examinationStore } from './connections.ts'
import { copyStore } from './copies.ts'
import { departureStore, lookRoundStore } from './departures.ts'
import { doubtStore } from './doubts.ts'
import { erasureStore } from './erasure.ts'
import { ChangedFeeds, feedStore } from './feeds.ts'
import { ledgerStore } from './ledgers.ts'
import { linkStore } from './links.ts'
import { storeHistory } from './migrations/history.ts'
import { newcomerStore } from './newcomers.ts'
import { peopleListStore } from './people-list.ts'
import { peopleByMail, peopleFinder } from './people-search.ts'
import { peopleStore } from './people.ts'
import { personDataStore } from './person-data.ts'
import { proofStore } from './proofs.ts'
import { retentionStore } from './retention.ts'
import { inParts } from './rows.ts'
import { standingStore } from './standings.ts'
import { columnNames, type Queries, type StoreDatabase, type StoreTables } from './tables.ts'
import { teamStore } from './teams.ts'

/** Everything the bridge stores. Every method fails with `unavailable` if the database cannot be reached. */
export interface Store extends ReturnType<typeof portsOn> {
  readonly changedFeeds: Pick<ChangedFeeds, 'listen'>
  /** The database's time; null to use this machine's clock. */
  readonly time: (() => Promise<Instant>) | null
  /** Opens a store in memory with the known people and records of this one, without links and ledgers; closing it discards it. */
  openScratch(): Promise<Store>
  /** Returns why the database cannot be used, in one sentence; null if it can be read and written. */
  whyNotReady(): Promise<string | null>
  space(): Promise<DatabaseSpace>
  /** Notifies when the database starts refusing writes, and with null when it accepts them again. */
  watchWrites: LastWrite['watch']
  close(): Promise<void>
}

/**
 * Opens the store at `file:…` or `postgres://…` and brings its tables up to date. Fails with `invalid` for another address
 * or a database of a newer program version. Fails with `unavailable` if the database cannot be reached, or a file cannot be
 * backed up before its tables change. `onBackup` gets the backup's path.
 */
export async function openStore(url: string, onBackup?: (file: string) => void): Promise<Store> {
  const database = await openDatabase<StoreTables>(url, { plugins: columnNames })
  try {
    await migrate(database, storeHistory, onBackup)
  } catch (error) {
    await database.close()
    throw error
  }
  return storeOn(database)
}

/** Opens an empty store in memory; closing it discards it. */
export async function openMemoryStore(): Promise<Store> {
  return storeOn(await openInMemory())
}

async function openInMemory(): Promise<StoreDatabase> {
  const memory = openMemoryDatabase<StoreTables>(columnNames)
  await migrate(memory, storeHistory)
  return memory
}

function portsOn(database: StoreDatabase, changedFeeds: ChangedFeeds) {
  return {
    feeds: feedStore(database, changedFeeds),
    companyDefaults: companyDefaultsStore(database, changedFeeds),
    links: linkStore(database, changedFeeds),
    copies: copyStore(database),
    standings: standingStore(database),
    doubts: doubtStore(database),
    connections: connectionStore(database),
    credentials: credentialStore(database),
    ledgers: ledgerStore(database),
    proofs: proofStore(database),
    examinations: examinationStore(database),
    activity: activityStore(database),
    departures: departureStore(database),
    people: peopleStore(database),
    peopleList: peopleListStore(database),
    companyWork: companyWorkStore(database),
    teams: teamStore(database),
    newcomers: newcomerStore(database),
    peopleFinder: peopleFinder(database),
    peopleByMail: peopleByMail(database),
    audit: auditStore(database),
    tokens: tokenStore(database),
    sessions: sessionStore(database),
    lostLinks: lostLinkStore(database),
    lookRounds: lookRoundStore(database),
    retention: retentionStore(database),
    personData: personDataStore(database),
    erasure: erasureStore(database, changedFeeds),
  } as const
}

function storeOn(database: StoreDatabase): Store {
  const changedFeeds = new ChangedFeeds()
  return {
    ...portsOn(database, changedFeeds),
    changedFeeds,
    time: database.dialect === 'postgres' ? () => timeOf(database) : null,
    async openScratch() {
      const memory = await openInMemory()
      await copyKnowledge(database, memory.queries)
      return storeOn(memory)
    },
    whyNotReady: readiness(database),
    space: () => spaceOf(database),
    watchWrites: (tell) => database.lastWrite.watch(tell),
    close: () => database.close(),
  }
}

async function timeOf({ queries }: StoreDatabase): Promise<Instant> {
  const asked = sql<{
    now: Instant
  }>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const [row] = (await asked.execute(queries)).rows
  if (!row) throw new Error('The database has told no time.')
  return row.now
}

/** The tables of people and records, each after those it refers to. */
const knowledge = [
  'company_defaults',
  'feeds',
  'feed_users',
  'copies',
  'copy_records',
  'leave_owners',
  'proofs',
  'departures',
  'people',
  'erased_people',
  'newcomers',
  'look_rounds',
]

/** SQLite allows 32,766 values per statement; rows have up to twenty. */
const rowsAtOnce = 1500

/** Copies these tables into another database, as of one instant. */
async function copyKnowledge({ dialect, queries }: StoreDatabase, to: Queries): Promise<void> {
  const begin = dialect === 'sqlite' ? 'begin' : 'begin isolation level repeatable read read only'
  await queries.connection().execute(async (connection) => {
    await sql.raw(begin).execute(connection)
    try {
      for (const table of knowledge.map((name) => sql.table(name))) {
        const { rows } = await sql<object>`select * from ${table}`.execute(connection)
        const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
        for (const part of inParts(rows, rowsAtOnce)) {
          const values = part.map((row) => sql`(${sql.join(Object.values(row))})`)
          await sql`insert into ${table} (${columns}) values ${sql.join(values)}`.execute(to)
        }
      }
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

/** A write this recent shows that the database can be written. */
const writtenMs = 60_000
/** As large as typical records, so that it needs room on the disk. */
const rowLength = 16_384

/** Judges by the last write. After a refusal, each check tries a write; after a long time without writes, one check does. */
function readiness({ lastWrite, queries, prepareRead }: StoreDatabase): Store['whyNotReady'] {
  const read = prepareRead(queries.selectFrom('feeds').select('id').limit(1))
  const writeAndDelete = (): Promise<void> =>
    queries.transaction().execute(async (transaction) => {
      const keyHash = randomUUID()
      const row = { keyHash, requestHash: '', feedIds: ' '.repeat(rowLength), createdAt: 0 }
      await transaction.insertInto('creations').values(row).execute()
      await transaction.deleteFrom('creations').where('keyHash', '=', keyHash).execute()
    })
  let trying: Promise<void> | undefined
  const tryWrite = (): Promise<void> =>
    (trying ??= writeAndDelete()
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

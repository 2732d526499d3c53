import { createHash } from 'node:crypto'

import {
  PostgresDialect,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely'
import pg from 'pg'

import { AppError, asAppError, codeOf } from '../domain/errors.ts'
import type { Driven } from './driver.ts'
import { LastWrite, type DatabaseFault, translateError } from './faults.ts'

const connectTimeoutMs = 5000
const idleTimeoutMs = 30_000
/** How long to wait for locks of others, as on SQLite. */
const lockTimeoutMs = 5000
/** Connections that do not close in time are cut. */
const endTimeoutMs = 1000

/** Connections; limits for a statement and, longer, for the silence of a server. */
const forAll = { connections: 10, statementMs: 30_000, answerMs: 35_000 }
/** Prepared reads take milliseconds and have their own connections, which nothing else can hold up. */
const forPreparedReads: typeof forAll = { connections: 5, statementMs: 5000, answerMs: 6000 }

/** SQLSTATE (PostgreSQL manual, appendix A): unique or foreign key violations. */
const conflictStates = new Set(['23505', '23503'])
/**
 * Classes: connection, authorization, unknown database, rollback such as a deadlock, resources, prerequisite state,
 * operator, system.
 */
const unavailableClasses = new Set(['08', '28', '3D', '40', '53', '55', '57', '58'])
/** States in which every write is refused, in words. */
const refusals = new Map([
  // A standby, or a read-only database.
  ['25006', 'it can only be read'],
  ['42501', 'its account may not create or change the tables'],
  ['53100', 'its disk is full'],
  ['53200', 'it has no memory left'],
  ['53300', 'it has no connection left'],
  ['57P03', 'it is starting or being shut down'],
  ['58030', 'its disk cannot be read or written'],
])
const writes = /^\s*(?:insert|update|delete)\b/i

/** Creates connection pools, without connecting. Fails with `invalid` if the address cannot be parsed. */
export function openPostgres(url: string): Driven {
  const all = createPool(url, forAll)
  const reading = createPool(url, forPreparedReads)
  const lastWrite = new LastWrite()
  return {
    dialect: new PostgresDialect({ pool: translatingPool(all, lastWrite) }),
    lastWrite,
    // A named statement is prepared once per connection.
    prepare: (text) => {
      const name = nameOf(text)
      return async (values) => {
        try {
          return (await reading.pool.query({ name, text, values: [...values] })).rows
        } catch (error) {
          throw translateError(error, faultOf(error))
        }
      }
    },
    // Wait only once for a silent server.
    closeReads: async () => {
      await Promise.all([reading.end(), all.end()])
    },
    // Advisory locks. Earlier holders may take as long as a statement may: polls never wait for turns.
    takeTurn: async (transaction, name) => {
      await sql`select ${patient}, pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(
        transaction,
      )
    },
    shareTurn: async (transaction, name) => {
      await sql`select ${patient}, pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(
        transaction,
      )
    },
  }
}

const patient = sql`set_config('lock_timeout', '0', true)`

/** What to do about a refused connection, by Node's code or SQLSTATE. */
const remedies = new Map([
  ['ECONNREFUSED', 'start PostgreSQL, or correct the address'],
  ['ENOTFOUND', 'correct the host'],
  ['28P01', 'correct the user or the password'],
  ['28000', 'let this account in (pg_hba.conf), or correct the user'],
  ['3D000', 'create the database, or correct its name'],
])

/** Adds host and port, and nothing else of the address, to `unavailable` errors, and what to do about them. */
export async function namingServer<T>(
  url: string,
  setting: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const fault = asAppError(error)
    if (fault?.code !== 'unavailable') throw error
    const named = `The database ${placeOf(url)}(${setting})`
    const remedy = remedies.get(codeOf(fault.cause))
    const end = remedy === undefined ? '.' : `: ${remedy}.`
    const message = fault.message.replace('The database', named).replace(/\.$/, end)
    throw new AppError('unavailable', message, { cause: fault.cause })
  }
}

/** Empty if it is unclear where the password ends. */
function placeOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  if (/@|%40/i.test(pathname + search + hash)) return ''
  const { host, port } = new pg.Client({ connectionString: url })
  return `at ${host}:${port} `
}

/** A statement that is sent that often is worth the memory of a plan on each connection. */
const preparedAfter = 20
/** Some texts differ with each list of ids. */
const countedMax = 1000
const sent = new Map<string, number>()
/** Planned once, such a statement fails from when a newer node adds a column. */
const allColumns = /(?:select |returning |\.)\*/i

/** PostgreSQL plans a named statement once per connection instead of each time. */
function planned(text: string): { readonly name?: string } {
  if (allColumns.test(text)) return {}
  const times = (sent.get(text) ?? 0) + 1
  if (times === 1 && sent.size === countedMax) return {}
  sent.set(text, times)
  return times > preparedAfter ? { name: nameOf(text) } : {}
}

function nameOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

interface Connections {
  readonly pool: pg.Pool
  readonly end: () => Promise<void>
}

function createPool(url: string, bounds: typeof forAll): Connections {
  if (!URL.canParse(url)) {
    throw new AppError('invalid', 'The address of the PostgreSQL database cannot be read.')
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: bounds.connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: bounds.statementMs,
    lock_timeout: lockTimeoutMs,
    query_timeout: bounds.answerMs,
    idle_in_transaction_session_timeout: bounds.statementMs,
    keepAlive: true,
    types: { getTypeParser },
  })
  const open = new Set<pg.PoolClient>()
  // A lost connection fails its query and is replaced; without this listener the event would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => open.add(client.on('error', () => undefined)))
  pool.on('remove', (client) => open.delete(client))
  // A silent server does not close connections either.
  const cut = (): void => {
    for (const { connection } of open) connection.stream.destroy()
  }
  const endAll = (): Promise<void> => {
    setTimeout(cut, endTimeoutMs).unref()
    return pool.end()
  }
  let ending: Promise<void> | undefined
  return { pool, end: () => (ending ??= endAll()) }
}

/** int8 as a number, bytea as Uint8Array, everything else as in pg. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) => {
  const parse = pg.types.getTypeParser(type, format)
  if (type === pg.types.builtins.INT8) return Number
  if (type !== pg.types.builtins.BYTEA) return parse
  return (text: string) => {
    const { buffer, byteOffset, byteLength }: Uint8Array = parse(text)
    return new Uint8Array(buffer, byteOffset, byteLength)
  }
}

function translatingPool({ pool, end }: Connections, lastWrite: LastWrite): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      try {
        return translatingClient(await pool.connect(), lastWrite)
      } catch (error) {
        throw noted(error, lastWrite)
      }
    },
    end,
  }
}

function noted(error: unknown, lastWrite: LastWrite): unknown {
  const fault = translateError(error, faultOf(error))
  lastWrite.noteFault(fault)
  return fault
}

/**
 * A connection with an unanswered query may still be busy: it is discarded without a rollback, which would wait as long
 * again; the server rolls back when the connection ends.
 */
function translatingClient(client: pg.PoolClient, lastWrite: LastWrite): PostgresPoolClient {
  let unavailable = false
  let unanswered: Error | undefined
  const ask = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    try {
      if (unanswered) throw unanswered
      const result = await client.query({ ...planned(text), text, values: [...values] })
      if (writes.test(text)) lastWrite.noteDone()
      return result
    } catch (error) {
      const isUnavailable = faultOf(error)?.code === 'unavailable'
      unavailable ||= isUnavailable
      const isAnswered = error instanceof pg.DatabaseError
      if (isUnavailable && !isAnswered && error instanceof Error) unanswered = error
      throw noted(error, lastWrite)
    }
  }
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    return ask(String(text), values)
  }
  return { query, release: (discard) => client.release(discard === true || unavailable) }
}

/** Undefined for bugs. */
function faultOf(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof pg.DatabaseError)) return connectionFault(error)
  const reason = String(error.code)
  if (conflictStates.has(reason)) return { code: 'conflict', reason }
  const refusal = refusals.get(reason)
  const isUnavailable = refusal !== undefined || unavailableClasses.has(reason.slice(0, 2))
  if (!isUnavailable && error.severity !== 'FATAL') return undefined
  return { code: 'unavailable', reason, refusal }
}

/** Errors of pg and the network: a Node code, or a fixed text of pg. */
function connectionFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error) || error instanceof TypeError) return undefined
  const reason = 'code' in error ? String(error.code) : error.message
  return { code: 'unavailable', reason }
}

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

import { AppError, asAppError } from '../domain/errors.ts'
import type { Driven, Turns } from './driver.ts'
import { LastWrite, type DatabaseFault, translateError } from './faults.ts'

const connectTimeoutMs = 5000
const idleTimeoutMs = 30_000
/** For so long a lock of another is waited for, as with SQLite. */
const lockTimeoutMs = 5000
/** Connections that stay silent at the end are cut. */
const endTimeoutMs = 1000

/** How many connections there are, how long a statement may take and how long its answer may fail to come. */
interface Bounds {
  readonly connections: number
  readonly statementMs: number
  /** Longer than the server's own bound, for a server that cannot be heard any more. */
  readonly answerMs: number
}

const forAll: Bounds = { connections: 10, statementMs: 30_000, answerMs: 35_000 }
/** Prepared reads take milliseconds. Whatever holds up all else leaves them their connections. */
const forPreparedReads: Bounds = { connections: 5, statementMs: 5000, answerMs: 6000 }

/** SQLSTATE (PostgreSQL manual, appendix A): a unique or a foreign key does not allow it. */
const conflictStates = new Set(['23505', '23503'])
/** Classes: connection, authorization, no such database, deadlock, no resources, not in the needed state, operator, system. */
const unavailableClasses = new Set(['08', '28', '3D', '40', '53', '55', '57', '58'])
/** What stands against every write, in words. */
const refusals = new Map([
  // A standby, or a database that its operator lets be read only.
  ['25006', 'it can only be read'],
  ['53100', 'its disk is full'],
  ['53200', 'it has no memory left'],
  ['53300', 'it has no connection left'],
  ['57P03', 'it is starting or being shut down'],
  ['58030', 'its disk cannot be read or written'],
])
const writes = /^\s*(?:insert|update|delete)\b/i

/** Pools of connections, none of them open yet; `invalid` where the address cannot be read. */
export function openPostgres(url: string): Driven {
  const all = createPool(url, forAll)
  const lastWrite = new LastWrite()
  const pool = translatingPool(all, lastWrite)
  const reading = createPool(url, forPreparedReads)
  return {
    dialect: new PostgresDialect({ pool }),
    lastWrite,
    // A statement has a name by which each connection prepares it once.
    runText: (text) => {
      const name = createHash('sha256').update(text).digest('base64url')
      return async (values) =>
        (await reading.pool.query({ name, text, values: [...values] }).catch(fail)).rows
    },
    // A server that is silent is waited for once.
    closeReads: async () => {
      await Promise.all([reading.end(), all.end()])
    },
  }
}

/** Fails, where the server is not available, with its host and port, which are all that is said of the address. */
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
    const message = fault.message.replace(
      'The database',
      `The database ${placeOf(url)}(${setting})`,
    )
    throw new AppError('unavailable', message, { cause: fault.cause })
  }
}

/** Empty where it is not sure where the password of the address ends. */
function placeOf(url: string): string {
  const { pathname, search, hash } = new URL(url)
  if (/@|%40/i.test(pathname + search + hash)) return ''
  const { host, port } = new pg.Client({ connectionString: url })
  return `at ${host}:${port} `
}

/** By the server's advisory locks. Those before may take as long as a statement may: what waits for turns is no poll. */
export const postgresTurns: Turns = {
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

const patient = sql`set_config('lock_timeout', '0', true)`

function createPool(url: string, { connections, statementMs, answerMs }: Bounds): Connections {
  if (!URL.canParse(url)) {
    throw new AppError('invalid', 'The address of the PostgreSQL database cannot be read.')
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeoutMs,
    statement_timeout: statementMs,
    lock_timeout: lockTimeoutMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: statementMs,
    keepAlive: true,
    types: { getTypeParser },
  })
  const open = new Set<pg.PoolClient>()
  // A connection that is lost fails its query and is replaced at the next; the event would only end the process.
  pool.on('error', ignore)
  pool.on('connect', (client) => open.add(client.on('error', ignore)))
  pool.on('remove', (client) => open.delete(client))
  let ending: Promise<void> | undefined
  return { pool, end: () => (ending ??= endPool(pool, open)) }
}

/** Connections of one server with the same bounds. */
interface Connections {
  readonly pool: pg.Pool
  readonly end: () => Promise<void>
}

/** A server that does not answer does not take leave, either. */
async function endPool(pool: pg.Pool, open: ReadonlySet<pg.PoolClient>): Promise<void> {
  const cut = (): void => {
    for (const { connection } of open) connection.stream.destroy()
  }
  setTimeout(cut, endTimeoutMs).unref()
  await pool.end()
}

function ignore(): void {}

/** int8 as a number, bytea as a plain Uint8Array, all else as pg has it. */
const getTypeParser: typeof pg.types.getTypeParser = (type, format) => {
  const parse = pg.types.getTypeParser(type, format)
  if (type === pg.types.builtins.INT8) return Number
  if (type === pg.types.builtins.BYTEA) return (text: string) => plainBytes(parse(text))
  return parse
}

function plainBytes({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

function translatingPool({ pool, end }: Connections, lastWrite: LastWrite): PostgresPool {
  const failing = (error: unknown): never => {
    const fault = translateError(error, postgresFault)
    lastWrite.noteFault(fault)
    throw fault
  }
  return {
    options: pool.options,
    connect: async () =>
      translatingClient(await pool.connect().catch(failing), {
        failing,
        noteDone: () => lastWrite.noteDone(),
      }),
    end,
  }
}

/** What is told of a connection. */
interface Outcomes {
  /** Fails with what an error means. */
  readonly failing: (error: unknown) => never
  /** Once something has been written. */
  readonly noteDone: () => void
}

/**
 * A connection whose query went unanswered may still be at it: it is not used again, and nothing more is asked on it: a rollback
 * would wait as long again, and the server rolls back what is not committed when the connection ends.
 */
function translatingClient(
  client: pg.PoolClient,
  { failing, noteDone }: Outcomes,
): PostgresPoolClient {
  let unavailable = false
  let unanswered: unknown
  const ask = (text: string, values: readonly unknown[]): Promise<unknown> =>
    unanswered === undefined ? client.query(text, [...values]) : Promise.reject(unanswered)
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    const written = String(text)
    return ask(written, values).then(
      (result) => {
        if (writes.test(written)) noteDone()
        return result
      },
      (error: unknown) => {
        const isUnavailable = postgresFault(error)?.code === 'unavailable'
        unavailable ||= isUnavailable
        if (isUnavailable && !(error instanceof pg.DatabaseError)) unanswered = error
        failing(error)
      },
    )
  }
  return { query, release: (discard) => client.release(discard === true || unavailable) }
}

function fail(error: unknown): never {
  throw translateError(error, postgresFault)
}

function postgresFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof pg.DatabaseError)) return connectionFault(error)
  const reason = String(error.code)
  if (conflictStates.has(reason)) return { code: 'conflict', reason }
  const refusal = refusals.get(reason)
  const isUnavailable = refusal !== undefined || unavailableClasses.has(reason.slice(0, 2))
  if (!isUnavailable && error.severity !== 'FATAL') return undefined
  return { code: 'unavailable', reason, refusal }
}

/** What pg and the network throw of their own: a code of Node's where there is one, else a fixed text of pg's. */
function connectionFault(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error) || error instanceof TypeError) return undefined
  const reason = 'code' in error ? String(error.code) : error.message
  return { code: 'unavailable', reason }
}

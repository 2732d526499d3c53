/* Each commit waits for the disk, and the program with it: what is written at the same time is committed together. */
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from 'kysely'

import { type LastWrite, onceFree } from './faults.ts'

/** Drivers of one database, each with one connection, which may be the same. */
export interface TwoDrivers {
  readonly writing: Driver
  readonly reading: Driver
  /** Whether the one that writes is in a transaction. */
  isInTransaction(): boolean
  readonly lastWrite: LastWrite
}

type Connections = Readonly<Record<'writer' | 'reader', DatabaseConnection>>

interface Commit extends PromiseWithResolvers<void> {
  /** Whether the database has not taken something that was to be part of it. */
  isRefused: boolean
}

const reads = /^\s*(?:select|with)\b/i
const writes = /\b(?:insert|update|delete)\b/i

/** Lets one after the other write, who is told once that is committed, and anyone read beside them what has been. */
export class SharedCommitDriver implements Driver {
  readonly #drivers: TwoDrivers
  #connections: Connections | undefined
  #last: Promise<void> = Promise.resolve()
  #commit: Commit | undefined
  /** Between two commits there is as much time for all else as the first of them took. */
  #restedAt = 0
  /** Since when another process has been writing; undefined where none is known to be. */
  #lockedSince: number | undefined
  readonly #ending = new AbortController()

  constructor(drivers: TwoDrivers) {
    this.#drivers = drivers
  }

  async init(): Promise<void> {
    const { writing, reading } = this.#drivers
    this.#connections = { writer: await connect(writing), reader: await connect(reading) }
  }

  async acquireConnection(): Promise<SharingConnection> {
    return new SharingConnection(this, this.#opened.reader)
  }

  async beginTransaction(connection: SharingConnection): Promise<void> {
    await connection.write(CompiledQuery.raw('savepoint one'))
  }

  async commitTransaction(connection: SharingConnection): Promise<void> {
    await connection.write(CompiledQuery.raw('release one'))
  }

  /** SQLite itself rolls back where the disk is full or fails: that nothing is left to roll back must not hide why. */
  async rollbackTransaction(connection: SharingConnection): Promise<void> {
    const { commit } = connection
    connection.commit = undefined
    if (commit !== this.#commit || !this.#drivers.isInTransaction()) return
    await this.#run('rollback to one')
    await this.#run('release one')
  }

  /** What it has written is on the disk then, and whatever of others it has met; fails where its own has failed. */
  async releaseConnection(connection: SharingConnection): Promise<void> {
    connection.end?.()
    await connection.met
    await connection.commit?.promise
  }

  /** What waits for another process gives up: a program that ends has no time to wait. */
  async destroy(): Promise<void> {
    this.#ending.abort()
    await this.#commitInTurn()
    await this.#drivers.writing.destroy()
  }

  /** Waits for those before; gives what ends the turn. */
  async takeTurn(): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await before
    return turn.resolve
  }

  /** Within a turn: what the query gives. Who goes on after all it has written is lost fails for the same reason. */
  async write<R>(to: SharingConnection, query: CompiledQuery): Promise<QueryResult<R>> {
    if (to.commit && to.commit !== this.#commit) await to.commit.promise
    const commit = (this.#commit ??= await this.#begin(to.askedAt).catch(this.#failing))
    to.met = commit.promise.catch(() => undefined)
    try {
      const result = await this.#opened.writer.executeQuery<R>(query)
      to.commit = commit
      return result
    } catch (error) {
      to.met = commit.promise
      commit.isRefused = true
      this.#drivers.lastWrite.noteFault(error)
      if (!this.#drivers.isInTransaction()) this.#giveUp(commit, error)
      throw error
    }
  }

  /** Within a turn: what can be part of no transaction. */
  async runAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#commitNow()
    const { signal } = this.#ending
    return onceFree(() => this.#opened.writer.executeQuery<R>(query), { signal })
  }

  /**
   * Deferred it would fail where another process wrote between its first read and its first write. All who asked while the
   * same lock was held wait for it together, and not one after the other.
   */
  async #begin(askedAt: number): Promise<Commit> {
    const begin = (): Promise<void> => this.#run('begin immediate')
    await begin().catch(() => {
      this.#lockedSince ??= performance.now()
      const since = Math.max(askedAt, this.#lockedSince)
      return onceFree(begin, { since, signal: this.#ending.signal })
    })
    this.#lockedSince = undefined
    const commit = { ...Promise.withResolvers<void>(), isRefused: false }
    // Those who have written are told.
    commit.promise.catch(() => undefined)
    const restMs = this.#restedAt - performance.now()
    if (restMs < 1) setImmediate(() => void this.#commitInTurn())
    else setTimeout(() => void this.#commitInTurn(), restMs)
    return commit
  }

  async #commitInTurn(): Promise<void> {
    const end = await this.takeTurn()
    await this.#commitNow()
    end()
  }

  async #commitNow(): Promise<void> {
    const commit = this.#commit
    if (!commit) return
    const begunAt = performance.now()
    try {
      await this.#run('commit')
      this.#commit = undefined
      this.#restedAt = 2 * performance.now() - begunAt
      if (!commit.isRefused) this.#drivers.lastWrite.noteDone()
      commit.resolve()
    } catch (error) {
      this.#drivers.lastWrite.noteFault(error)
      if (this.#drivers.isInTransaction()) await this.#run('rollback')
      this.#giveUp(commit, error)
    }
  }

  #giveUp(commit: Commit, error: unknown): void {
    this.#commit = undefined
    commit.reject(error)
  }

  readonly #failing = (error: unknown): never => {
    this.#drivers.lastWrite.noteFault(error)
    throw error
  }

  get #opened(): Connections {
    if (this.#connections) return this.#connections
    throw new Error('A driver is used once it is open.')
  }

  async #run(text: string): Promise<void> {
    await this.#opened.writer.executeQuery(CompiledQuery.raw(text))
  }
}

async function connect(driver: Driver): Promise<DatabaseConnection> {
  await driver.init()
  return driver.acquireConnection()
}

/** What one query or transaction runs on. */
class SharingConnection implements DatabaseConnection {
  /** With which all that it has written is committed. */
  commit: Commit | undefined
  /** When what it has met of others is, too; where that is why it failed it fails as they do, or who looks finds it. */
  met: Promise<void> | undefined
  /** When it asked for its turn. */
  askedAt = -Infinity
  readonly #driver: SharedCommitDriver
  readonly #reader: DatabaseConnection
  /** Ends its turn, where it has one. */
  end: (() => void) | undefined

  constructor(driver: SharedCommitDriver, reader: DatabaseConnection) {
    this.#driver = driver
    this.#reader = reader
  }

  /** From the first write on the turn is its own. */
  async write<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    await this.#takeTurn()
    return this.#driver.write<R>(this, query)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isWrite = writes.test(query.sql)
    if (this.commit || isWrite) return this.write(query)
    if (reads.test(query.sql)) return onceFree(() => this.#reader.executeQuery<R>(query))
    await this.#takeTurn()
    return this.#driver.runAlone(query)
  }

  async #takeTurn(): Promise<void> {
    if (this.end) return
    this.askedAt = performance.now()
    this.end = await this.#driver.takeTurn()
  }

  streamQuery(): never {
    throw new Error('All rows are read at once.')
  }
}

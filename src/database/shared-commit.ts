/* Each commit waits for the disk, and the program with it: what is written at the same time is committed together. */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

import type { LastWrite } from './faults.ts'
import { onceFree, type SqliteConnection } from './sqlite-connection.ts'

interface Commit extends PromiseWithResolvers<void> {
  /** Whether the database has not taken something that was to be part of it. */
  isRefused: boolean
}

const reads = /^\s*(?:select|with)\b/i
const writes = /\b(?:insert|update|delete)\b/i

/** Lets one after the other write, who is told once that is committed; readers see what has been committed, without waiting. */
export class SharedCommitDriver implements Driver {
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #lastWrite: LastWrite
  #last: Promise<void> = Promise.resolve()
  #commit: Commit | undefined
  /** Between two commits there is as much time for all else as the first of them took. */
  #restedAt = 0
  /** Since when another process has been writing; undefined where none is known to be. */
  #lockedSince: number | undefined
  readonly #ending = new AbortController()

  /** Both connections may be the same. */
  constructor(writer: SqliteConnection, reader: SqliteConnection, lastWrite: LastWrite) {
    this.#writer = writer
    this.#reader = reader
    this.#lastWrite = lastWrite
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SharingConnection> {
    return new SharingConnection(this, this.#reader)
  }

  async beginTransaction(connection: SharingConnection): Promise<void> {
    await connection.write('savepoint one')
  }

  async commitTransaction(connection: SharingConnection): Promise<void> {
    await connection.write('release one')
  }

  /** SQLite itself rolls back where the disk is full or fails: that nothing is left to roll back must not hide why. */
  async rollbackTransaction(connection: SharingConnection): Promise<void> {
    const { commit } = connection
    connection.commit = undefined
    if (commit !== this.#commit || !this.#writer.isInTransaction) return
    this.#writer.run('rollback to one')
    this.#writer.run('release one')
  }

  /** What it has written is on the disk then, and what it has met of others; fails where its own has failed. */
  async releaseConnection(connection: SharingConnection): Promise<void> {
    connection.end?.()
    await connection.met
    await connection.commit?.promise
  }

  /** What waits for another process gives up: a program that ends has no time to wait. */
  async destroy(): Promise<void> {
    this.#ending.abort()
    await this.#commitInTurn()
    this.#writer.close()
  }

  /** Waits for those before; gives what ends the turn. */
  async takeTurn(): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await before
    return turn.resolve
  }

  /** Within a turn: what the query gives. A connection that goes on after all it has written is lost fails for the same reason. */
  async write<R>(
    to: SharingConnection,
    text: string,
    values: readonly unknown[],
  ): Promise<QueryResult<R>> {
    if (to.commit && to.commit !== this.#commit) await to.commit.promise
    const commit = (this.#commit ??= await this.#begin(to.askedAt))
    to.met = commit.promise.catch(() => undefined)
    try {
      const result = this.#writer.run<R>(text, values)
      to.commit = commit
      return result
    } catch (error) {
      to.met = commit.promise
      commit.isRefused = true
      this.#lastWrite.noteFault(error)
      if (!this.#writer.isInTransaction) this.#giveUp(commit, error)
      throw error
    }
  }

  /** Within a turn: what can be part of no transaction. */
  async runAlone<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    await this.#commitNow()
    return onceFree(() => this.#writer.run<R>(sql, parameters), { signal: this.#ending.signal })
  }

  /**
   * Deferred it would fail where another process wrote between its first read and its first write. All who asked while the
   * same lock was held wait for it together, and not one after the other.
   */
  async #begin(askedAt: number): Promise<Commit> {
    this.#lockedSince ??= performance.now()
    const patience = {
      since: Math.max(askedAt, this.#lockedSince),
      signal: this.#ending.signal,
    }
    try {
      await onceFree(() => this.#writer.run('begin immediate'), patience)
    } catch (error) {
      this.#lastWrite.noteFault(error)
      throw error
    }
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
      this.#writer.run('commit')
      this.#commit = undefined
      this.#restedAt = 2 * performance.now() - begunAt
      if (!commit.isRefused) this.#lastWrite.noteDone()
      commit.resolve()
    } catch (error) {
      this.#lastWrite.noteFault(error)
      if (this.#writer.isInTransaction) this.#writer.run('rollback')
      this.#giveUp(commit, error)
    }
  }

  #giveUp(commit: Commit, error: unknown): void {
    this.#commit = undefined
    commit.reject(error)
  }
}

/** What one query or transaction runs on. */
class SharingConnection implements DatabaseConnection {
  /** With which all that it has written is committed. */
  commit: Commit | undefined
  /** When what it has met of others is committed, too; where that is why it failed, it fails as they do. */
  met: Promise<void> | undefined
  /** When it asked for its turn. */
  askedAt = -Infinity
  /** Ends its turn, where it has one. */
  end: (() => void) | undefined
  readonly #driver: SharedCommitDriver
  readonly #reader: SqliteConnection

  constructor(driver: SharedCommitDriver, reader: SqliteConnection) {
    this.#driver = driver
    this.#reader = reader
  }

  /** From the first write on the turn is its own. */
  async write<R>(text: string, values: readonly unknown[] = []): Promise<QueryResult<R>> {
    await this.#takeTurn()
    return this.#driver.write<R>(this, text, values)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { sql, parameters } = query
    if (this.commit || writes.test(sql)) return this.write(sql, parameters)
    if (reads.test(sql)) return onceFree(() => this.#reader.run<R>(sql, parameters))
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

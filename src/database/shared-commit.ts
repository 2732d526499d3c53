/* Each commit waits for the disk and blocks the program, so writes at the same time share one commit. */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'

import type { LastWrite } from './faults.ts'
import { onceFree, type SqliteConnection } from './sqlite-connection.ts'

interface Commit extends PromiseWithResolvers<void> {
  /** Whether the database refused part of it. */
  isRefused: boolean
}

const reads = /^\s*(?:select|with)\b/i
const writes = /\b(?:insert|update|delete)\b/i

/** Writers take turns and resolve once their commit is on disk; readers see committed data without waiting. */
export class SharedCommitDriver implements Driver {
  readonly #writer: SqliteConnection
  readonly #reader: SqliteConnection
  readonly #lastWrite: LastWrite
  #last: Promise<void> = Promise.resolve()
  #commit: Commit | undefined
  /** A pause as long as the first commit leaves time for other work. */
  #restedAt = 0
  /** Since when another process has been writing; undefined if none is known to. */
  #lockedSince: number | undefined
  readonly #ending = new AbortController()

  /** The two connections may be the same. */
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

  /** SQLite rolls back by itself if the disk is full or fails: a failing rollback must not hide the cause. */
  async rollbackTransaction(connection: SharingConnection): Promise<void> {
    const { commit } = connection
    connection.commit = undefined
    if (commit !== this.#commit || !this.#writer.isInTransaction) return
    this.#writer.run('rollback to one')
    this.#writer.run('release one')
  }

  /** Resolves once its own writes, and those it depends on, are on disk; fails if its own failed. */
  async releaseConnection(connection: SharingConnection): Promise<void> {
    connection.end?.()
    await connection.met
    await connection.commit?.promise
  }

  /** Gives up waiting for other processes: the program is ending. */
  async destroy(): Promise<void> {
    this.#ending.abort()
    await this.#commitInTurn()
    this.#writer.close()
  }

  /** Waits for earlier turns; returns a function that ends the turn. */
  async takeTurn(): Promise<() => void> {
    const before = this.#last
    const turn = Promise.withResolvers<void>()
    this.#last = turn.promise
    await before
    return turn.resolve
  }

  /** Runs the query within the turn. A connection that continues after its writes were lost fails for the same reason. */
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

  /** Runs a statement outside any transaction, within the turn. */
  async runAlone<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    await this.#commitNow()
    return onceFree(() => this.#writer.run<R>(sql, parameters), { signal: this.#ending.signal })
  }

  /**
   * A deferred transaction would fail if another process wrote between its first read and first write. All callers during
   * one lock wait for it together.
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
    // The writers get the error.
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

class SharingConnection implements DatabaseConnection {
  /** The commit that includes its writes. */
  commit: Commit | undefined
  /** Resolves when the foreign writes it has read are committed; fails with them if they caused its failure. */
  met: Promise<void> | undefined
  askedAt = -Infinity
  end: (() => void) | undefined
  readonly #driver: SharedCommitDriver
  readonly #reader: SqliteConnection

  constructor(driver: SharedCommitDriver, reader: SqliteConnection) {
    this.#driver = driver
    this.#reader = reader
  }

  /** Takes the turn with the first write. */
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

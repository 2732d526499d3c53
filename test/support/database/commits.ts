import { DatabaseSync } from 'node:sqlite'

/** Commits to a SQLite file as others do who share it, without a change: what was read of it before may be another now. */
export interface Commits {
  commit(): void
  close(): void
}

export function openCommits(url: string): Commits {
  const database = new DatabaseSync(url.slice('file:'.length), { timeout: 60_000 })
  const statement = database.prepare('update feeds set name = name where rowid = 1')
  return { commit: () => void statement.run(), close: () => database.close() }
}

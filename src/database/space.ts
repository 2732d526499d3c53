import { statfs } from 'node:fs/promises'
import path from 'node:path'

import { sql } from 'kysely'

import type { Database } from './database.ts'

/** In bytes. */
export interface DatabaseSpace {
  readonly size: number
  /** On the disk of a SQLite file; null without one. */
  readonly free: number | null
}

const sizes = {
  sqlite: sql<{ size: number }>`
    select page_count * page_size as size from pragma_page_count(), pragma_page_size()`,
  postgres: sql<{ size: number }>`
    select pg_database_size(current_database())::float8 as size`,
}

export async function spaceOf<Schema>({
  dialect,
  file,
  queries,
}: Database<Schema>): Promise<DatabaseSpace> {
  const [row] = (await sizes[dialect].execute(queries)).rows
  if (!row) throw new Error('The database has told no size.')
  if (file === null) return { size: row.size, free: null }
  const disk = await statfs(path.dirname(file))
  return { size: row.size, free: disk.bavail * disk.bsize }
}

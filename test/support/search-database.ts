/* Everything that a database holds, as one text to be searched. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

import { sql } from 'kysely'

import { openDatabase } from '../../src/database/database.ts'

/** Every row of every table, compressed records opened; of SQLite also the bytes of its files as they lie there. */
export async function everythingIn(url: string): Promise<string> {
  const rows = await everyRow(url)
  return url.startsWith('file:') ? rows + (await everyByte(url)) : rows
}

async function everyRow(url: string): Promise<string> {
  const database = await openDatabase(url)
  const { queries, dialect } = database
  const names =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  let text = ''
  for (const { name } of (await names.execute(queries)).rows) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(
      queries,
    )
    for (const row of rows) text += `${name} ${Object.values(row).map(textOf).join(' ')}\n`
  }
  await database.close()
  return text
}

async function everyByte(url: string): Promise<string> {
  const file = url.slice('file:'.length)
  const beside = await readdir(path.dirname(file))
  const files = beside.filter((name) => name.startsWith(path.basename(file)))
  const bytes = files.map((name) => readFile(path.join(path.dirname(file), name), 'latin1'))
  return (await Promise.all(bytes)).join('\n')
}

function textOf(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value)
  try {
    return zstdDecompressSync(value).toString()
  } catch {
    return `${Buffer.from(value).toString('latin1')} ${Buffer.from(value).toString('hex')}`
  }
}

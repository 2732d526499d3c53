/* Everything that a database holds, as one text to be searched. */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { zstdDecompressSync } from 'node:zlib'

import { sql } from 'kysely'

import { openDatabase } from '../../../src/database/database.ts'

const shortest = 8

/** Every row of every table, compressed records opened; of SQLite also the bytes of its files as they lie there. */
export async function everythingIn(url: string): Promise<string> {
  const rows = await everyRow(url)
  return url.startsWith('file:') ? rows + (await bytesOf(url)) : rows
}

/** What the rows hold, as it lies in a file: texts and bytes, none so short that it could stand there by chance. */
export async function valuesIn(url: string): Promise<ReadonlySet<string>> {
  const values = (await rowsIn(url)).flatMap(({ row }) => Object.values(row))
  return new Set(values.map(asItLies).filter(({ length }) => length >= shortest))
}

function asItLies(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  return typeof value === 'string' ? Buffer.from(value).toString('latin1') : ''
}

/** Every row of every table, compressed records opened. */
export async function everyRow(url: string): Promise<string> {
  const rows = await rowsIn(url)
  return rows
    .map(({ name, row }) => `${name} ${Object.values(row).map(textOf).join(' ')}\n`)
    .join('')
}

interface Row {
  readonly name: string
  readonly row: Readonly<Record<string, unknown>>
}

async function rowsIn(url: string): Promise<readonly Row[]> {
  const database = await openDatabase(url)
  const { queries, dialect } = database
  const names =
    dialect === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`
  const all: Row[] = []
  for (const { name } of (await names.execute(queries)).rows) {
    const { rows } = await sql<Row['row']>`select * from ${sql.table(name)}`.execute(queries)
    all.push(...rows.map((row) => ({ name, row })))
  }
  await database.close()
  return all
}

/** The bytes of its files as they lie there, each as the character of its number. */
export async function bytesOf(url: string): Promise<string> {
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

import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import { sql, type Transaction } from 'kysely'

import { namingFile } from '../../database/faults.ts'
import type { CompanyLists, CompanyRecords } from '../../wire/company-file.ts'
import { emptyCompany, lockCompany, noteChange, sampleCompanyId } from '../records/companies.ts'
import {
  type KindRecords,
  type RecordKind,
  recordKinds,
  type Row,
  type RowPlace,
  rowOf,
} from '../records/record-kinds.ts'
import {
  insertRows,
  type SandboxDatabase,
  type SandboxTables,
} from '../records/sandbox-database.ts'
import { checkFile, type CompanyCounts } from './company-file.ts'

/** Receives what was done (`Checked`, `Loaded`), the count so far and the total. */
type Progress = (done: string, count: number, total: number) => void

/** Fewer records load too fast for progress to matter. */
const progressTotalMin = 10_000
const progressEvery = 500

export interface ImportOptions {
  readonly companyId?: string
  readonly mayBeEmpty?: boolean
  readonly progress?: Progress
}

export interface Imported {
  readonly companyId: string
  readonly counts: CompanyCounts
  /** False if the same file was loaded last and no record has changed since. */
  readonly isChanged: boolean
}

type Writes = Transaction<SandboxTables>

/**
 * Replaces the company in one transaction, after the whole file is checked. Importing the same file again changes nothing.
 * Fails with `invalid` and the faults of the file. Reads the whole file at once, so it should run in its own process.
 */
export async function importFile(
  database: SandboxDatabase,
  { name, bytes }: { readonly name: string; readonly bytes: Uint8Array },
  {
    companyId = sampleCompanyId,
    mayBeEmpty = false,
    progress = () => undefined,
  }: ImportOptions = {},
): Promise<Imported> {
  const telling = (done: string) => (count: number, total: number) => {
    const isTold = total >= progressTotalMin && (count % progressEvery === 0 || count === total)
    if (isTold) progress(done, count, total)
  }
  const file = checkFile(name, bytes, mayBeEmpty, telling('Checked'))
  const { counts, hash, lists } = file
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tellLoaded = telling('Loaded')
  let loaded = 0
  const onRow = (): void => tellLoaded((loaded += 1), total)
  const isChanged = await namingFile(database.file, () =>
    database.queries.transaction().execute(async (writes) => {
      const before = await lockCompany(writes, companyId)
      if (before.loaded === hash && !(await isChangedSince(writes, companyId))) return false
      await replaceCompany(writes, companyId, lists, hash, onRow)
      return true
    }),
  )
  return { companyId, counts, isChanged }
}

async function isChangedSince(writes: Writes, companyId: string): Promise<boolean> {
  const originals = writes.selectFrom('workforce_originals').select('id')
  return (await originals.where('company_id', '=', companyId).executeTakeFirst()) !== undefined
}

/**
 * Loads the sample company if none was ever loaded; returns whether it did. If several nodes start together, only one loads
 * it.
 */
export async function seedIfEmpty(
  { queries }: SandboxDatabase,
  lists: CompanyLists,
): Promise<boolean> {
  return queries.transaction().execute(async (writes) => {
    const { generation } = await lockCompany(writes, sampleCompanyId)
    const isFirst = generation === emptyCompany.generation
    if (isFirst) await replaceCompany(writes, sampleCompanyId, lists, null)
    return isFirst
  })
}

/** Replaces all records of the locked company. `loaded` is the hash of the file, to recognize it later. */
export async function replaceCompany(
  writes: Writes,
  company_id: string,
  lists: CompanyLists,
  loaded: string | null,
  onRow: () => void = () => undefined,
): Promise<void> {
  for (const table of tables) await clearTable(writes, table, company_id)
  let next_position = 0
  const insert = async <Record>(
    table: RecordKind | 'projects',
    records: Iterable<Record>,
    toRow: (record: Record, place: RowPlace) => Row,
  ): Promise<void> => {
    let batch: Row[] = []
    let [position, characters] = [0, 0]
    const write = async (): Promise<void> => {
      if (batch.length > 0) await insertRows(writes, table, batch)
      batch = []
      characters = 0
      // SQLite runs synchronously: yield so that other work can run.
      await setImmediate()
    }
    for (const record of records) {
      const row = toRow(record, { company_id, position })
      position += 1
      batch.push(row)
      onRow()
      characters += String(row['record']).length
      if (batch.length === rowsPerInsert || characters >= charactersPerInsert) await write()
    }
    await write()
    next_position = Math.max(next_position, position)
  }
  const projects: CompanyRecords['projects'][] = []
  const tasks = (function* () {
    for (const { tasks: own, ...project } of lists.projects) {
      projects.push({ ...project, tasks: [] })
      for (const task of own) yield { project: project.id, task }
    }
  })()
  for (const kind of recordKinds) {
    if (kind === 'tasks') {
      // A `projectId` in the file is a further field like any other.
      await insert(kind, tasks, ({ project, task: { archived, ...answered } }, place) => ({
        ...rowOf(kind, { ...answered, archived, projectId: project }, place),
        record: JSON.stringify(answered),
      }))
    } else {
      await insert<KindRecords[RecordKind]>(kind, lists[kind], (record, place) =>
        rowOf(kind, record, place),
      )
    }
  }
  // PostgreSQL stores neither U+0000 nor lone surrogates.
  await insert('projects', projects, ({ id, name }, place) => ({
    ...place,
    id,
    name: name?.replaceAll('\0', '').toWellFormed() ?? null,
  }))
  await noteChange(writes, company_id, { generation: randomUUID(), loaded, next_position })
}

/** Statements for more rows are too long for the SQLite statement cache. */
const rowsPerInsert = 100
/** Reduces the batch size for long records. */
const charactersPerInsert = 1_000_000

const tables = [...recordKinds, 'projects', 'workforce_originals']
const rowsPerDelete = 500

/** Deletes in ranges of ids, so that no deleted row is scanned twice. */
async function clearTable(writes: Writes, table: string, companyId: string): Promise<void> {
  const name = sql.table(table)
  let rest = sql`company_id = ${companyId}`
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      select id from ${name} where ${rest} order by id limit 1 offset ${rowsPerDelete - 1}
    `.execute(writes)
    const id = rows[0]?.id
    const some = id === undefined ? rest : sql`${rest} and id <= ${id}`
    await sql`delete from ${name} where ${some}`.execute(writes)
    if (id === undefined) return
    rest = sql`company_id = ${companyId} and id > ${id}`
    await setImmediate()
  }
}

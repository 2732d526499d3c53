import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

import { type Insertable, sql, type Transaction } from 'kysely'

import { namingFile } from '../../database/faults.ts'
import type { CompanyLists } from '../../wire/company-file.ts'
import {
  emptyCompany,
  leaveRow,
  lockCompany,
  noteChange,
  projectRow,
  recordRow,
  type RecordTable,
  type RowPlace,
  sampleCompanyId,
  scheduleRow,
  taskRow,
  timesheetRow,
} from '../records/companies.ts'
import type { SandboxDatabase, SandboxTables } from '../records/sandbox-database.ts'
import { checkFile, type CompanyCounts } from './company-file.ts'

/** Told how far something has come: what is done, how much of it, and of how much. */
export type Progress = (done: string, count: number, total: number) => void

/** Fewer records are loaded before anybody asks. */
const progressTotalMin = 10_000
const progressEvery = 500

export interface ImportOptions {
  readonly companyId?: string
  /** Whether a company without people is accepted. */
  readonly mayBeEmpty?: boolean
  readonly progress?: Progress
}

export interface Imported {
  readonly companyId: string
  readonly counts: CompanyCounts
  /** Whether the company holds something else than before. */
  readonly isChanged: boolean
  readonly warnings: readonly string[]
}

type Writes = Transaction<SandboxTables>

/**
 * Replaces the company in one transaction, after all of the file is checked. The same file again changes nothing. `invalid`
 * with the faults of the file. Reads the file as a whole: meant for a process of its own.
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
  const { counts, warnings, hash, lists } = file
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
  return { companyId, counts, isChanged, warnings }
}

/** Whether a record differs from what was loaded. */
async function isChangedSince(writes: Writes, companyId: string): Promise<boolean> {
  const originals = writes.selectFrom('workforce_originals').select('id')
  return (await originals.where('company_id', '=', companyId).executeTakeFirst()) !== undefined
}

/** Loads the sample company into a database that has never held it; true if it did. Of several nodes that start together one loads. */
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

/** Replaces all that the locked company holds with these lists; `loaded` is their hash, by which the same file is recognized. */
export async function replaceCompany(
  writes: Writes,
  company_id: string,
  lists: CompanyLists,
  loaded: string | null,
  onRow: () => void = () => undefined,
): Promise<void> {
  for (const table of tables) await clearTable(writes, table, company_id)
  let next_position = 0
  const insert = async <T extends RecordTable, Record>(
    table: T,
    records: Iterable<Record>,
    rowOf: (record: Record, place: RowPlace) => Insertable<SandboxTables[T]>,
  ): Promise<void> => {
    let batch: Insertable<SandboxTables[T]>[] = []
    let [position, characters] = [0, 0]
    const write = async (): Promise<void> => {
      if (batch.length > 0) await writes.insertInto(table).values(batch).execute()
      batch = []
      characters = 0
      // SQLite answers at once: without a turn nothing else would run.
      await setImmediate()
    }
    for (const record of records) {
      const row = rowOf(record, { company_id, position })
      position += 1
      batch.push(row)
      onRow()
      characters += 'record' in row && typeof row.record === 'string' ? row.record.length : 0
      if (batch.length === rowsPerInsert || characters >= charactersPerInsert) await write()
    }
    await write()
    if (!unlisted.has(table)) next_position = Math.max(next_position, position)
  }
  const projects: CompanyLists['projects'] extends Iterable<infer P> ? P[] : never = []
  const tasks = (function* () {
    for (const project of lists.projects) {
      projects.push(project)
      for (const task of project.tasks) yield { task, project_id: project.id }
    }
  })()
  await insert('users', lists.users, recordRow)
  await insert('invoices', lists.invoices, recordRow)
  await insert('tasks', tasks, ({ task, project_id }, place) =>
    taskRow(task, { ...place, project_id }),
  )
  await insert('projects', projects, projectRow)
  await insert('schedules', lists.schedules, scheduleRow)
  await insert('leaves', lists.leaves, leaveRow)
  await insert('timesheets', lists.timesheets, timesheetRow)
  await noteChange(writes, company_id, { generation: randomUUID(), loaded, next_position })
}

/** As many as SQLite keeps a statement for. */
const rowsPerInsert = 100
/** Longer records make a batch of fewer. */
const charactersPerInsert = 1_000_000

/** They have no order, and so no positions. */
const unlisted: ReadonlySet<RecordTable> = new Set(['users', 'invoices'])

type CompanyTable = Exclude<keyof SandboxTables, 'workforce_companies'>

const tables: readonly CompanyTable[] = [
  'users',
  'invoices',
  'projects',
  'tasks',
  'schedules',
  'leaves',
  'timesheets',
  'workforce_originals',
]
const rowsPerDelete = 500

/** From id to id, so that no deleted row is looked at twice. */
async function clearTable(writes: Writes, table: CompanyTable, companyId: string): Promise<void> {
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

import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'

import { type Transaction, type Insertable, sql } from 'kysely'

import { namingFile } from '../../database/sqlite-errors.ts'
import { AppError } from '../../domain/errors.ts'
import { inSteps, createRests, type Rests } from '../../json/rest.ts'
import type { CompanyRecords } from '../../wire/company-file.ts'
import {
  lockCompany,
  sampleCompanyId,
  noteChange,
  emptyCompany,
  leaveRow,
  projectRow,
  recordRow,
  type RowPlace,
  scheduleRow,
  taskRow,
  timesheetRow,
  type RecordTable,
} from '../records/companies.ts'
import type { SandboxDatabase, SandboxTables } from '../records/sandbox-database.ts'
import { checkFile, type CompanyCounts, countsOf } from './check-file.ts'
import {
  listsIn,
  type OutlinedFile,
  type CompanyText,
  outlineFile,
  type CompanyLists,
  type ProjectRecords,
} from './company-file.ts'
import { FaultList } from './faults.ts'

const megabyte = 2 ** 20

export interface ImportOptions {
  readonly companyId?: string
  /** Whether a company without people is meant. */
  readonly mayBeEmpty?: boolean
  /** Told how far a long import has come. */
  readonly progress?: Progress
}

/** What came of an import. */
export interface Imported {
  readonly companyId: string
  readonly counts: CompanyCounts
  /** Whether the company holds something else now than before. */
  readonly isChanged: boolean
  readonly warnings: readonly string[]
}

/**
 * Replaces the company, in one transaction, once all of the file is checked. The same file again changes nothing. `invalid`
 * with every fault, or the first ten thousand of them, or with the place where it is no JSON; `too_large` for
 * too many records. Nothing that takes long is done without rests.
 */
export async function importFile(
  database: SandboxDatabase,
  text: CompanyText,
  options: ImportOptions = {},
): Promise<Imported> {
  const { companyId = sampleCompanyId, progress = () => undefined } = options
  const faults = new FaultList()
  const file = await outlined(text, faults, progress)
  const counts = countsOf(file.outline)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const tell = (done: string): (() => void) => counting(progress, done, total)
  const checking = toldSteps(checkFile(file, faults), tell('Checked'))
  const { warnings, hash } = await inSteps(checking)
  if (counts.users === 0 && options.mayBeEmpty !== true) {
    faults.add(['users'], 'Invalid input: expected people; --empty loads a company without any')
  }
  faults.refuse()
  const isChanged = await namingFile(database.file, () =>
    load(database, companyId, { file, hash, onRecord: tell('Loaded') }),
  )
  return { companyId, counts, isChanged, warnings }
}

async function outlined(
  text: CompanyText,
  faults: FaultList,
  progress: Progress,
): Promise<OutlinedFile> {
  const { name, bytes } = text
  if (!isUtf8(bytes))
    throw new AppError('invalid', `${name} is not UTF-8: save it in that encoding.`)
  const total = Math.floor(bytes.length / megabyte)
  const outlining = toldSteps(outlineFile(text, faults), (at) =>
    progress('Megabytes read:', Math.floor(at / megabyte), total),
  )
  return { bytes, outline: await inSteps(outlining) }
}

interface Loading {
  readonly file: OutlinedFile
  readonly hash: string
  readonly onRecord: () => void
}

async function load(
  { queries }: SandboxDatabase,
  companyId: string,
  { file, hash, onRecord }: Loading,
): Promise<boolean> {
  return queries.transaction().execute(async (writes) => {
    const { loaded } = await lockCompany(writes, companyId)
    if (loaded === hash && !(await isChangedSince(writes, companyId))) return false
    await replaceCompany(writes, companyId, listsIn(file, onRecord), hash)
    return true
  })
}

/** Whether a record is another than was loaded. */
async function isChangedSince(
  writes: Transaction<SandboxTables>,
  companyId: string,
): Promise<boolean> {
  const originals = writes.selectFrom('workforce_originals').select('id')
  return (await originals.where('company_id', '=', companyId).executeTakeFirst()) !== undefined
}

type Writes = Transaction<SandboxTables>

/**
 * Replaces all that the company holds, which must be locked, by these lists; `loaded` is their hash, by which the same file
 * is known again. Nothing that takes long is done without rests.
 */
export async function replaceCompany(
  writes: Writes,
  companyId: string,
  lists: CompanyLists,
  loaded: string | null,
): Promise<void> {
  const rests = createRests()
  await clearCompany(writes, companyId, rests)
  const next_position = await insertLists(writes, companyId, lists, rests)
  await noteChange(writes, companyId, { generation: randomUUID(), loaded, next_position })
}

/** Gives the first position that none of them has. */
async function insertLists(
  writes: Writes,
  company_id: string,
  lists: CompanyLists,
  rests: Rests,
): Promise<number> {
  const at = (position: number): RowPlace => ({ company_id, position })
  const users = made(lists.users, (it, index) => recordRow(it, at(index)))
  const invoices = made(lists.invoices, (it, index) => recordRow(it, at(index)))
  const schedules = made(lists.schedules, (it, index) => scheduleRow(it, at(index)))
  const leaves = made(lists.leaves, (it, index) => leaveRow(it, at(index)))
  const timesheets = made(lists.timesheets, (it, index) => timesheetRow(it, at(index)))
  const projects: SandboxTables['projects'][] = []
  const tasks = tasksOf(lists.projects, (it) => projects.push(projectRow(it, at(projects.length))))
  await insertRows(writes, 'users', users, rests)
  await insertRows(writes, 'invoices', invoices, rests)
  return Math.max(
    await insertRows(
      writes,
      'tasks',
      made(tasks, ({ project_id, task }, index) => taskRow(task, { ...at(index), project_id })),
      rests,
    ),
    await insertRows(writes, 'projects', projects, rests),
    await insertRows(writes, 'schedules', schedules, rests),
    await insertRows(writes, 'leaves', leaves, rests),
    await insertRows(writes, 'timesheets', timesheets, rests),
  )
}

function* made<T, Row>(
  records: Iterable<T>,
  make: (record: T, index: number) => Row,
): Generator<Row> {
  let index = 0
  for (const record of records) {
    yield make(record, index)
    index += 1
  }
}

interface TaskOfProject {
  readonly project_id: string
  readonly task: CompanyRecords['projects']['tasks'][number]
}

/** The tasks of all projects; of each project it is told when it comes. */
function* tasksOf(
  projects: Iterable<ProjectRecords>,
  onProject: (project: ProjectRecords) => unknown,
): Generator<TaskOfProject> {
  for (const project of projects) {
    onProject(project)
    for (const task of project.tasks) yield { project_id: project.id, task }
  }
}

/** As many as SQLite keeps a statement for. */
const rowsPerInsert = 100
/** Longer records make a batch of fewer. */
const charactersPerInsert = 1_000_000

/** Writes the rows in batches, as they are made, with rests between them; gives how many there were. */
async function insertRows<T extends RecordTable>(
  writes: Transaction<SandboxTables>,
  table: T,
  rows: Iterable<Insertable<SandboxTables[T]>>,
  rests: Rests,
): Promise<number> {
  let count = 0
  for (const batch of batches(rows)) {
    await writes.insertInto(table).values(batch).execute()
    count += batch.length
    if (rests.isDue()) await rests.take()
  }
  return count
}

function* batches<Row extends object>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    characters += lengthOf(row)
    if (batch.length < rowsPerInsert && characters < charactersPerInsert) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function lengthOf(row: object): number {
  return 'record' in row && typeof row.record === 'string' ? row.record.length : 0
}

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

/** Deletes all records of the company, and what its records were before they were changed, with rests in between. */
async function clearCompany(
  writes: Transaction<SandboxTables>,
  companyId: string,
  rests: Rests,
): Promise<void> {
  for (const table of tables) await clearTable(writes, table, companyId, rests)
}

/** From id to id, so that nothing is looked at that has been deleted before. */
async function clearTable(
  writes: Transaction<SandboxTables>,
  table: CompanyTable,
  companyId: string,
  rests: Rests,
): Promise<void> {
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
    if (rests.isDue()) await rests.take()
  }
}

/** Loads the sample's company into a database that has never held it; true if it did. Of several nodes that start together one loads. */
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

/** Told how far something has come: what is done, how much of it, and of how much. */
export type Progress = (done: string, count: number, total: number) => void

/** For fewer nobody asks how far it has come. */
const totalMin = 10_000
/** So many are done between two times that it is told. */
const stride = 500

/** To be called for each of so many: it tells of every some. */
function counting(progress: Progress, done: string, total: number): () => void {
  let count = 0
  return () => {
    count += 1
    const isTold = total >= totalMin && (count % stride === 0 || count === total)
    if (isTold) progress(done, count, total)
  }
}

/** The same steps; it is told what each of them gives. */
function* toldSteps<Step, T>(
  steps: Generator<Step, T>,
  onStep: (step: Step) => void,
): Generator<Step, T> {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    onStep(step.value)
    yield step.value
  }
}

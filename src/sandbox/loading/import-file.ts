import { isUtf8 } from 'node:buffer'

import type { Transaction } from 'kysely'

import { namingFile } from '../../database/sqlite-errors.ts'
import { AppError } from '../../domain/errors.ts'
import { inSteps } from '../../json/rest.ts'
import { lockCompany, sampleCompanyId } from '../records/companies.ts'
import type { SandboxDatabase } from '../records/sandbox-database.ts'
import type { SandboxTables } from '../records/tables.ts'
import { checkFile, type CompanyCounts, countsOf } from './check-file.ts'
import { FaultList } from './fault-list.ts'
import { listsIn, type OutlinedFile } from './file-records.ts'
import { type CompanyText, outlineFile } from './outline-file.ts'
import { counting, type Progress, toldSteps } from './progress.ts'
import { replaceCompany } from './replace-company.ts'

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

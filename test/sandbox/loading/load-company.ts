/* Companies as files, checked and loaded as every file is. */
import { z } from 'zod'

import { checkFile, type CheckedFile } from '../../../src/sandbox/loading/company-file.ts'
import { importFile, type Imported } from '../../../src/sandbox/loading/import-file.ts'
import type { SandboxDatabase } from '../../../src/sandbox/records/sandbox-database.ts'
import type { CompanyFile, CompanyLists } from '../../../src/wire/company-file.ts'

/** Loads any JSON, also of a company without people. */
export async function loadCompany(
  database: SandboxDatabase,
  company: unknown,
  companyId = 'main',
): Promise<Imported> {
  return loadText(database, JSON.stringify(company), companyId)
}

/** The same with any text. */
export function loadText(
  database: SandboxDatabase,
  text: string,
  companyId = 'main',
): Promise<Imported> {
  const file = { name: 'The file', bytes: Buffer.from(text) }
  return importFile(database, file, { companyId, mayBeEmpty: true })
}

/** What is found out about a company before it is loaded; `invalid` as an import is. */
export function checkCompany(company: unknown): CheckedFile {
  return checkFile('The file', Buffer.from(JSON.stringify(company)), true)
}

/** The company as it is loaded. */
export function asLoaded(company: unknown): Required<CompanyFile> {
  const { lists } = checkCompany(company)
  return {
    users: [...lists.users],
    leaves: [...lists.leaves],
    projects: [...lists.projects],
    schedules: [...lists.schedules],
    timesheets: [...lists.timesheets],
    invoices: [...lists.invoices],
  }
}

/** The body of a list answer. */
export const listEnvelope = z.looseObject({ data: z.array(z.unknown()) })

/** The lists of a file, those that it leaves out empty. */
export function listsOf(file: CompanyFile): CompanyLists {
  const { users = [], leaves = [], projects = [] } = file
  const { schedules = [], timesheets = [], invoices = [] } = file
  return { users, leaves, projects, schedules, timesheets, invoices }
}

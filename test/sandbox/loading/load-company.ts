import { checkFile, type CheckedFile } from '../../../src/sandbox/loading/check-file.ts'
import { listsIn, outlineFile } from '../../../src/sandbox/loading/company-file.ts'
/* Companies as files, checked and loaded as every file is. */
import { FaultList } from '../../../src/sandbox/loading/faults.ts'
import { importFile, type Imported } from '../../../src/sandbox/loading/import-file.ts'
import type { SandboxDatabase } from '../../../src/sandbox/records/sandbox-database.ts'
import type { CompanyFile } from '../../../src/wire/company-file.ts'

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

/** What is found out of a company before it is loaded; `invalid` as an import is. */
export function checkCompany(company: unknown): CheckedFile {
  const bytes = Buffer.from(JSON.stringify(company))
  const faults = new FaultList()
  const outline = drained(outlineFile({ name: 'The file', bytes }, faults))
  const checked = drained(checkFile({ bytes, outline }, faults))
  faults.refuse()
  return checked
}

/** The company as it is loaded. */
export function asLoaded(company: unknown): Required<CompanyFile> {
  checkCompany(company)
  const bytes = Buffer.from(JSON.stringify(company))
  const outline = drained(outlineFile({ name: 'The file', bytes }, new FaultList()))
  const { projects, ...lists } = listsIn({ bytes, outline }, () => undefined)
  return {
    users: [...lists.users],
    leaves: [...lists.leaves],
    projects: Array.from(projects, ({ tasks, ...project }) => ({ ...project, tasks: [...tasks] })),
    schedules: [...lists.schedules],
    timesheets: [...lists.timesheets],
    invoices: [...lists.invoices],
  }
}

function drained<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

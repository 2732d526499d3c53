import type { CompanyFile, CompanyRecords } from '../../wire/company-file.ts'

/** A project as a file holds it, its tasks read when their turn comes. */
export type ProjectRecords = Pick<CompanyRecords['projects'], 'id' | 'name'> & {
  readonly tasks: Iterable<CompanyRecords['projects']['tasks'][number]>
}

/** A company's records as a file holds them. Each list is gone through once, in order, so that it may be made as it is read. */
export type CompanyLists = {
  readonly [K in Exclude<keyof CompanyRecords, 'projects'>]: Iterable<CompanyRecords[K]>
} & { readonly projects: Iterable<ProjectRecords> }

/** Those of a file that is in memory anyway. */
export function listsOf(file: CompanyFile): CompanyLists {
  const { users = [], leaves = [], projects = [] } = file
  const { schedules = [], timesheets = [], invoices = [] } = file
  return { users, leaves, projects, schedules, timesheets, invoices }
}

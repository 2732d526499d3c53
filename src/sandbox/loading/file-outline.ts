import type { CompanyRecords } from '../../wire/company-file.ts'
import { Spans } from './spans.ts'

export type FileList = keyof CompanyRecords

/** In the order in which they are read: whoever has something stands before it. */
export const fileLists = [
  'users',
  'leaves',
  'projects',
  'schedules',
  'timesheets',
  'invoices',
] as const satisfies FileList[]

/** Where in a file its records stand. */
export interface FileOutline {
  readonly lists: Readonly<Record<FileList, Spans>>
  /** Of all projects. */
  readonly tasks: Spans
  /** For each project where its list of tasks stands; from 0 to 0 where it has none. */
  readonly taskLists: Spans
  /** For each project the number of its first task, and of the first that is another's. */
  readonly taskNumbers: Spans
}

/** Of an empty one. */
export function emptyOutline(): FileOutline {
  return {
    lists: {
      users: new Spans(),
      leaves: new Spans(),
      projects: new Spans(),
      schedules: new Spans(),
      timesheets: new Spans(),
      invoices: new Spans(),
    },
    tasks: new Spans(),
    taskLists: new Spans(),
    taskNumbers: new Spans(),
  }
}

/* What of a company can be changed record by record: how each is written, and in which row it stands. */
import { z } from 'zod'

import { leaveInFile, taskInFile } from '../../wire/company-file.ts'
import { id } from '../../wire/fields.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'
import {
  leaveRow,
  recordRow,
  type RowPlace,
  scheduleRow,
  taskRow,
  timesheetRow,
} from '../records/companies.ts'
import type { SandboxTables } from '../records/sandbox-database.ts'
import { faultsOf, refuseInput } from './input.ts'

export const recordKinds = [
  'users',
  'leaves',
  'timesheets',
  'schedules',
  'tasks',
  'invoices',
] as const

export type RecordKind = (typeof recordKinds)[number]

/** A row of any of their tables. */
export type Row = Readonly<Record<string, string | number | null>>

/** To what of the company a record belongs. */
export interface Belonging {
  /** In which member of the record, and in which column of its row, its id stands. */
  readonly member: string
  readonly column: string
  readonly table: 'users' | 'projects'
}

/** How the records of one kind are kept. */
export interface Kind {
  /** The row of a record as a company file has it; `invalid` with every fault. */
  readonly rowOf: (json: unknown, place: RowPlace) => Row
  /** What a file says of a record, and the Read API does not. */
  readonly inFile: (row: Row) => object
  readonly belongsTo: Belonging | null
  /** In which order they are listed. */
  readonly order: readonly string[]
}

const ofUser: Belonging = { member: 'userId', column: 'user_id', table: 'users' }
const ofProject: Belonging = { member: 'projectId', column: 'project_id', table: 'projects' }

const taskInProject = taskInFile.extend({ projectId: id })

const plain = { inFile: () => ({}), belongsTo: null, order: ['id'] }

/** By the name in the address, which is the table's as well. */
export const kindsOfRecords: Readonly<Record<RecordKind, Kind>> = {
  users: { ...plain, rowOf: rows(userCodec, recordRow) },
  leaves: {
    rowOf: rows(leaveInFile, leaveRow),
    inFile: ({ user_id: userId }) => ({ userId }),
    belongsTo: ofUser,
    order: ['position'],
  },
  timesheets: {
    ...plain,
    rowOf: rows(timesheetCodec, timesheetRow),
    belongsTo: ofUser,
    order: ['period_start', 'position'],
  },
  schedules: { ...plain, rowOf: rows(scheduleCodec, scheduleRow) },
  tasks: {
    ...plain,
    rowOf: rows(taskInProject, ({ projectId, ...task }, place) =>
      taskRow(task, { ...place, project_id: projectId }),
    ),
    inFile: ({ project_id: projectId, archived }) => ({ projectId, archived: archived === 1 }),
    belongsTo: ofProject,
  },
  invoices: { ...plain, rowOf: rows(invoiceCodec, recordRow) },
}

/** Every timestamp is written in the spec's shape, as after an import. */
function rows<Schema extends z.ZodType>(
  schema: Schema,
  toRow: (record: z.input<Schema>, place: RowPlace) => SandboxTables[RecordKind],
): Kind['rowOf'] {
  return (json, place) => {
    const { data, error } = schema.safeParse(json)
    if (error) throw refuseInput('The record does not fit', faultsOf(error))
    return { ...toRow(z.encode(schema, data), place) }
  }
}

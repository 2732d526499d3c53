/* The kinds of records of a company: their form in a file, and their rows in the database. */
import type { z } from 'zod'

import { namesIn } from '../../domain/kinds.ts'
import { leaveStatuses } from '../../domain/leave.ts'
import { scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import { type CompanyRecords, leaveInFile, taskInFile } from '../../wire/company-file.ts'
import { id } from '../../wire/fields.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'

/** The lists of a company file; tasks, which are in its projects there, count as one. */
export type RecordKind = Exclude<keyof CompanyRecords, 'projects'> | 'tasks'

const taskOfProject = taskInFile.extend({ projectId: id })

/** A record of each kind as in a company file; a task also has its project's id. */
export type KindRecords = Pick<CompanyRecords, Exclude<RecordKind, 'tasks'>> & {
  readonly tasks: z.input<typeof taskOfProject>
}

export type Row = Readonly<Record<string, string | number | null>>

interface Kind<Record> {
  readonly schema: z.ZodType<unknown, Record>
  /** Returns the record as the Read API returns it, and the columns for queries. */
  readonly split: (record: Record) => readonly [answered: object, columns: Row]
  /** Returns the members that a file has and the Read API does not. */
  readonly inFile?: (row: Row) => object
  /** The record's member and the row's column that contain the owner's id. */
  readonly belongsTo?: {
    readonly member: string
    readonly column: string
    readonly table: 'users' | 'projects'
  }
  /** False for kinds that the Read API returns by id only; their rows have no position. */
  readonly isListed?: false
  /** The sort columns for the controls; `id` by default. */
  readonly order?: readonly string[]
}

const ofUser = { member: 'userId', column: 'user_id', table: 'users' } as const

/** By the name in the address, which is also the table's name. */
export const kinds: { readonly [K in RecordKind]: Kind<KindRecords[K]> } = {
  users: { schema: userCodec, split: (user) => [user, {}], isListed: false },
  leaves: {
    schema: leaveInFile,
    split: ({ userId, ...leave }) => [
      leave,
      { user_id: userId, status: listed(leaveStatuses, leave.status) },
    ],
    inFile: ({ user_id: userId }) => ({ userId }),
    belongsTo: ofUser,
    order: ['position'],
  },
  timesheets: {
    schema: timesheetCodec,
    split: (timesheet) => [
      timesheet,
      {
        user_id: timesheet.userId,
        status: listed(timesheetStatuses, timesheet.status),
        period_start: Date.parse(timesheet.periodStart),
        period_end: Date.parse(timesheet.periodEnd),
      },
    ],
    belongsTo: ofUser,
    order: ['period_start', 'position'],
  },
  schedules: {
    schema: scheduleCodec,
    // Only an explicit `false` means inactive.
    split: (schedule) => [
      schedule,
      {
        type: listed(scheduleTypes, schedule.type),
        active: Number(schedule.isActive ?? true),
      },
    ],
  },
  tasks: {
    schema: taskOfProject,
    split: ({ projectId, archived, ...task }) => [
      task,
      { project_id: projectId, archived: Number(archived ?? 0) },
    ],
    inFile: ({ project_id: projectId, archived }) => ({ projectId, archived: archived === 1 }),
    belongsTo: { member: 'projectId', column: 'project_id', table: 'projects' },
  },
  invoices: { schema: invoiceCodec, split: (invoice) => [invoice, {}], isListed: false },
}

export const recordKinds = namesIn(kinds)

/** Stores null for a value outside the spec's list: no filter can select it. */
function listed(values: readonly string[], value: string | null | undefined): string | null {
  return values.find((it) => it === value) ?? null
}

export interface RowPlace {
  readonly company_id: string
  readonly position: number
}

export function rowOf<K extends RecordKind>(
  kind: K,
  record: KindRecords[K],
  { company_id, position }: RowPlace,
): Row {
  const { split, isListed = true } = kinds[kind]
  const [answered, columns] = split(record)
  return {
    company_id,
    id: record.id,
    record: JSON.stringify(answered),
    ...(isListed ? { position } : {}),
    ...columns,
  }
}

export function recordInFile(kind: RecordKind, row: Row): object {
  const record: unknown = JSON.parse(String(row['record']))
  return { ...Object(record), ...kinds[kind].inFile?.(row) }
}

import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { leaveStatuses } from '../../domain/leave.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import { readHours, scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import {
  type CompanyFile,
  type CompanyLists,
  type CompanyRecords,
  leaveInFile,
  projectInFile,
  taskInFile,
} from '../../wire/company-file.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'
import { FaultList, Oddities, sayFault } from './faults.ts'

/** The file is parsed in memory as a whole, which takes several times its size. */
const fileBytesMax = 256 * 2 ** 20
/** Deeper values could not be written again. */
const depthMax = 500
/** Changes when the same file is to be loaded as something else. */
const loadedAs = 'company 1'

const kinds = [
  'users',
  'leaves',
  'projects',
  'tasks',
  'schedules',
  'timesheets',
  'invoices',
] as const

type Kind = (typeof kinds)[number]
type RecordSchema = z.ZodType<{ readonly id: string }>
type Path = readonly PropertyKey[]

export function listsOf(file: CompanyFile): CompanyLists {
  const { users = [], leaves = [], projects = [] } = file
  const { schedules = [], timesheets = [], invoices = [] } = file
  return { users, leaves, projects, schedules, timesheets, invoices }
}

/** Number of records of each kind. */
export type CompanyCounts = Readonly<Record<Kind, number>>

/** A company file without faults. */
export interface CheckedFile {
  readonly lists: CompanyLists
  readonly counts: CompanyCounts
  /** Sentences about records that are loaded but cannot be used. */
  readonly warnings: readonly string[]
  /** The same for the same records, however the file is written. */
  readonly hash: string
}

/** All bytes of the source; `too_large` as soon as there are more than `bytesMax`, even if it never ends. */
export async function readBytes(
  source: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax = fileBytesMax,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of source) {
    length += part.length
    if (length > bytesMax) {
      throw new AppError(
        'too_large',
        `${name} is larger than 256 MiB, the limit for company files.`,
      )
    }
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/**
 * Reads and checks a company file; every timestamp comes out in the shape of the spec. `invalid` with the first hundred faults
 * and their places; `onRecord` is called for each record. A company without people is a fault unless it may be empty.
 */
export function checkFile(
  name: string,
  bytes: Uint8Array,
  mayBeEmpty: boolean,
  onRecord: (count: number, total: number) => void = () => undefined,
): CheckedFile {
  const faults = new FaultList()
  const json = parsed(name, bytes)
  if (!isObject(json)) {
    faults.add([], 'Invalid input: expected object, such as {"users": […]}')
    faults.refuse()
  }
  const check = new FileCheck(Object(json), faults, onRecord)
  const lists = check.lists()
  if (check.counts.users === 0 && !mayBeEmpty) {
    faults.add(['users'], 'Invalid input: expected people; --empty loads a company without any')
  }
  faults.refuse()
  return {
    lists,
    counts: check.counts,
    warnings: check.oddities.sentences(),
    hash: check.hash.digest('base64url'),
  }
}

function parsed(name: string, bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw new AppError('invalid', `${name} is not UTF-8; save it as UTF-8.`)
  const text = Buffer.from(bytes)
    .toString()
    .replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new AppError('invalid', `${name} is empty.`)
  try {
    return JSON.parse(text)
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : ''
    const [, at, place] = /position (\d+) \((line \d+ column \d+)\)/.exec(said) ?? []
    const where = place === undefined ? '' : `: see ${place.replace(' column', ', column')}`
    const isCut = /end of JSON/.test(said) || Number(at) === text.length
    const why = isCut ? ': it ends too early' : where
    throw new AppError('invalid', `${name} is not JSON${why}.`, { cause })
  }
}

/** Checks the lists of a file, users first: leaves and timesheets name them. */
class FileCheck {
  readonly oddities = new Oddities()
  readonly hash = createHash('sha256').update(loadedAs)
  readonly counts: Record<Kind, number> = {
    users: 0,
    leaves: 0,
    projects: 0,
    tasks: 0,
    schedules: 0,
    timesheets: 0,
    invoices: 0,
  }
  readonly #file: Readonly<Record<string, unknown>>
  readonly #faults: FaultList
  readonly #onRecord: (count: number, total: number) => void
  readonly #total: number
  /** Ids within a list; of tasks, within the company. */
  readonly #ids = new Map<Kind, Set<string>>()
  #seen = 0
  #usersAreKnown = true

  constructor(
    file: Readonly<Record<string, unknown>>,
    faults: FaultList,
    onRecord: (count: number, total: number) => void,
  ) {
    this.#file = file
    this.#faults = faults
    this.#onRecord = onRecord
    const lists = [...Object.values(file), ...tasksIn(file['projects'])]
    this.#total = lists.reduce<number>((sum, it) => sum + (Array.isArray(it) ? it.length : 0), 0)
    const known = kinds.filter((name) => name !== 'tasks')
    for (const [name, list] of Object.entries(file)) {
      if (!known.some((it) => it === name)) {
        faults.add([name], `Invalid input: there is no such list${meantOrAll(name, known)}`)
      } else if (!Array.isArray(list)) faults.add([name], 'Invalid input: expected array')
    }
  }

  lists(): CompanyLists {
    const users = this.#list('users', userCodec)
    return {
      users,
      leaves: this.#list('leaves', leaveInFile, (leave, path) => {
        this.#checkOwner(leave.userId, path)
        const { status, startDate, endDate } = leave
        this.#checkStatus('leave', status, leaveStatuses, path)
        if (endDate < startDate) {
          this.oddities.add([...path, 'endDate'], 'leave', 'it ends before its startDate')
        }
      }),
      projects: this.#projects(),
      schedules: this.#list('schedules', scheduleCodec, (schedule, path) =>
        this.#lookAtDays(schedule, path),
      ),
      timesheets: this.#list('timesheets', timesheetCodec, (timesheet, path) => {
        this.#checkOwner(timesheet.userId, path)
        const { status, periodStart, periodEnd } = timesheet
        this.#checkStatus('timesheet', status, timesheetStatuses, path)
        if (periodEnd < periodStart) {
          this.oddities.add([...path, 'periodEnd'], 'timesheet', 'it ends before its periodStart')
        }
      }),
      invoices: this.#list('invoices', invoiceCodec),
    }
  }

  #list<Schema extends RecordSchema>(
    kind: Exclude<Kind, 'projects' | 'tasks'>,
    codec: Schema,
    look: (record: z.output<Schema>, path: Path) => void = () => undefined,
  ): z.input<Schema>[] {
    return arrayOf(this.#file[kind]).flatMap((json, index) => {
      const path = [kind, index]
      const record = this.#read(kind, codec, json, path)
      if (!record) return []
      look(record, path)
      return [z.encode(codec, record)]
    })
  }

  #projects(): CompanyRecords['projects'][] {
    const projects: CompanyRecords['projects'][] = []
    for (const [index, json] of arrayOf(this.#file['projects']).entries()) {
      const path = ['projects', index]
      const given: unknown = isObject(json) ? json['tasks'] : undefined
      // Tasks are checked one by one, each with its place.
      const project = this.#read(
        'projects',
        projectInFile,
        Array.isArray(given) ? withoutTasks(json) : json,
        path,
      )
      const tasks = arrayOf(given).flatMap((task, number) => {
        const read = this.#read('tasks', taskInFile, task, [...path, 'tasks', number])
        return read ? taskInFile.encode(read) : []
      })
      if (project) projects.push({ ...project, tasks })
    }
    return projects
  }

  #read<Schema extends RecordSchema>(
    kind: Kind,
    codec: Schema,
    json: unknown,
    path: Path,
  ): z.output<Schema> | undefined {
    this.#onRecord((this.#seen += 1), this.#total)
    this.counts[kind] += 1
    if (isDeeper(json, depthMax)) {
      this.#faults.add(path, `Invalid input: expected at most ${depthMax} levels`)
      return undefined
    }
    this.hash.update(kind).update(JSON.stringify(json))
    const { data, error } = codec.safeParse(json)
    for (const issue of error?.issues ?? []) {
      this.#faults.add([...path, ...issue.path], sayFault(issue.message))
    }
    // If a user has faults, nobody can tell which leaves and timesheets belong to no user.
    if (!data && kind === 'users') this.#usersAreKnown = false
    if (data) this.#checkId(kind, data.id, path)
    return data
  }

  #checkId(kind: Kind, id: string, path: Path): void {
    const ids = this.#ids.get(kind) ?? new Set()
    if (ids.has(id)) {
      this.#faults.add([...path, 'id'], 'Invalid input: this id is used a second time')
    }
    this.#ids.set(kind, ids.add(id))
  }

  #checkOwner(userId: string, path: Path): void {
    if (!this.#usersAreKnown || this.#ids.get('users')?.has(userId)) return
    this.#faults.add([...path, 'userId'], 'Invalid input: no user has this id')
  }

  #checkStatus(noun: string, status: string, known: readonly string[], path: Path): void {
    const says = unlisted(status, known)
    if (says !== undefined) this.oddities.add([...path, 'status'], noun, says)
  }

  #lookAtDays({ type, pattern }: z.output<typeof scheduleCodec>, path: Path): void {
    const unknown = unlisted(type ?? scheduleTypes[0], scheduleTypes)
    if (unknown !== undefined) this.oddities.add([...path, 'type'], 'schedule', unknown)
    for (const [day, hours] of Object.entries(pattern ?? {})) {
      const at = [...path, 'pattern', day]
      if (!weekdays.has(day.toLowerCase())) this.oddities.add(at, 'day', 'no weekday has this name')
      else if (!readHours(hours)) this.oddities.add(at, 'day', 'it has no start and end as HH:MM')
    }
  }
}

const weekdays = new Set([
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
])
const shownMax = 100

function unlisted(value: string, known: readonly string[]): string | undefined {
  if (known.includes(value)) return undefined
  const shown = value.length > shownMax ? `${value.slice(0, shownMax)}…` : value
  return `${JSON.stringify(shown)} is none of ${known.join(', ')}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function tasksIn(projects: unknown): readonly unknown[] {
  return arrayOf(projects).map((project) => (isObject(project) ? project['tasks'] : undefined))
}

function withoutTasks(project: unknown): unknown {
  return { ...Object(project), tasks: [] }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((it) => isDeeper(it, levels - 1))
}

import { createHash } from 'node:crypto'

import type { z } from 'zod'

import { leaveStatuses } from '../../domain/leave.ts'
import { readHours, scheduleTypes } from '../../domain/schedule.ts'
import { timesheetStatuses } from '../../domain/timesheet.ts'
import {
  type FileList,
  type FileOutline,
  jsonAt,
  type OutlinedFile,
  projectSpans,
  type Span,
  codecs,
} from './company-file.ts'
import { type FaultList, sayFault, pointerOf } from './faults.ts'

/** 64 MiB: a longer one cannot be read, kept and answered everywhere. */
const recordBytesMax = 2 ** 26

/** How many records a company has of each kind. */
export type CompanyCounts = Readonly<Record<FileList | 'tasks', number>>

/** What is known of a file without faults. */
export interface CheckedFile {
  /** Sentences about what is loaded, but of no use. */
  readonly warnings: readonly string[]
  /** The same for every way to write the same records. */
  readonly hash: string
}

/** Reads every record and notes every fault; yields after each. */
export function* checkFile(file: OutlinedFile, faults: FaultList): Generator<unknown, CheckedFile> {
  const check = new FileCheck(faults)
  const at: CheckAt = (one, path, ...spans) => {
    refuseLong(spans, path, faults)
    one(jsonAt(file, ...spans), path)
  }
  const each = (list: FileList, one: Check): Generator =>
    eachOf(file, list, (path, span) => at(one, path, span))
  yield* each('users', (json, path) => check.user(json, path))
  yield* each('leaves', (json, path) => check.leave(json, path))
  yield* eachProject(file, check, at)
  yield* each('schedules', (json, path) => check.schedule(json, path))
  yield* each('timesheets', (json, path) => check.timesheet(json, path))
  yield* each('invoices', (json, path) => check.record('invoices', json, path))
  return { warnings: check.oddities.sentences(), hash: check.hash() }
}

/** Of a file whose records are found. */
export function countsOf({ lists, tasks }: FileOutline): CompanyCounts {
  return {
    users: lists.users.length,
    leaves: lists.leaves.length,
    projects: lists.projects.length,
    tasks: tasks.length,
    schedules: lists.schedules.length,
    timesheets: lists.timesheets.length,
    invoices: lists.invoices.length,
  }
}

type Path = readonly PropertyKey[]
type Check = (json: unknown, path: Path) => void
type CheckAt = (check: Check, path: Path, ...spans: readonly Span[]) => void

/** What comes after that is not looked at. */
function refuseLong(spans: readonly Span[], path: Path, faults: FaultList): void {
  const bytes = spans.reduce((sum, { start, end }) => sum + end - start, 0)
  if (bytes <= recordBytesMax) return
  faults.add(path, 'Invalid input: expected at most 64 MiB')
  faults.refuse()
}

function* eachOf(
  file: OutlinedFile,
  list: FileList,
  check: (path: Path, span: Span) => void,
): Generator {
  const spans = file.outline.lists[list]
  for (let index = 0; index < spans.length; index += 1) {
    yield check([list, index], spans.at(index))
  }
}

function* eachProject({ outline }: OutlinedFile, check: FileCheck, at: CheckAt): Generator {
  const project: Check = (json, path) => check.record('projects', json, path)
  const task: Check = (json, path) => check.record('tasks', json, path)
  for (let index = 0; index < outline.lists.projects.length; index += 1) {
    const path = ['projects', index]
    yield at(project, path, ...projectSpans(outline, index))
    const { start, end } = outline.taskNumbers.at(index)
    for (let number = start; number < end; number += 1) {
      yield at(task, [...path, 'tasks', number - start], outline.tasks.at(number))
    }
  }
}

type Kind = keyof typeof codecs

/** Changes when the same file comes to be loaded as something else. */
const loadedAs = 'company 1'

/** What is found out of the records of a file, one after the other, users first. */
class FileCheck {
  readonly oddities = new Oddities()
  readonly #hash = createHash('sha256').update(loadedAs)
  readonly #ids: Readonly<Record<Kind, Set<string>>> = {
    users: new Set(),
    leaves: new Set(),
    projects: new Set(),
    tasks: new Set(),
    schedules: new Set(),
    timesheets: new Set(),
    invoices: new Set(),
  }
  readonly #faults: FaultList
  #usersAreKnown = true

  constructor(faults: FaultList) {
    this.#faults = faults
  }

  /** Of all records that were checked, however they were written. */
  hash(): string {
    return this.#hash.copy().digest('base64url')
  }

  /** Any record of which nothing else depends. */
  record(kind: Kind, json: unknown, path: Path): void {
    this.#read(kind, codecs[kind], json, path)
  }

  /** Where it has faults, nobody can tell whose leaves and timesheets are nobody's. */
  user(json: unknown, path: Path): void {
    const user = this.#read('users', codecs.users, json, path)
    if (!user) this.#usersAreKnown = false
  }

  leave(json: unknown, path: Path): void {
    const leave = this.#read('leaves', codecs.leaves, json, path)
    if (!leave) return
    this.#checkOwner(leave, path)
    lookAtLeave(leave, path, this.oddities)
  }

  timesheet(json: unknown, path: Path): void {
    const timesheet = this.#read('timesheets', codecs.timesheets, json, path)
    if (!timesheet) return
    this.#checkOwner(timesheet, path)
    lookAtTimesheet(timesheet, path, this.oddities)
  }

  schedule(json: unknown, path: Path): void {
    const schedule = this.#read('schedules', codecs.schedules, json, path)
    if (schedule) lookAtSchedule(schedule, path, this.oddities)
  }

  #read<Schema extends z.ZodType<{ readonly id: string }>>(
    kind: Kind,
    codec: Schema,
    json: unknown,
    path: Path,
  ): z.output<Schema> | undefined {
    this.#hash.update(kind).update(JSON.stringify(json))
    const { data, error } = codec.safeParse(json)
    for (const issue of error?.issues ?? []) {
      this.#faults.add([...path, ...issue.path], sayFault(issue.message))
    }
    if (data) this.#checkId(kind, data.id, path)
    return data
  }

  /** Within a list; of tasks, within the company. */
  #checkId(kind: Kind, id: string, path: Path): void {
    const ids = this.#ids[kind]
    const isNew = ids.size < ids.add(id).size
    if (!isNew)
      this.#faults.add([...path, 'id'], 'Invalid input: this id stands here a second time')
  }

  #checkOwner({ userId }: { readonly userId: string }, path: Path): void {
    if (!this.#usersAreKnown || this.#ids.users.has(userId)) return
    this.#faults.add([...path, 'userId'], 'Invalid input: no user has this id')
  }
}

type Records = { readonly [K in keyof typeof codecs]: z.output<(typeof codecs)[K]> }

const weekdays = new Set([
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
])
/** So much is said of a word. */
const shownMax = 100

/** What is odd about a leave. */
function lookAtLeave(leave: Records['leaves'], path: Path, oddities: Oddities): void {
  const { status, startDate, endDate } = leave
  const unknown = unlisted(status, leaveStatuses)
  if (unknown !== undefined) oddities.add([...path, 'status'], 'leave', unknown)
  if (endDate < startDate) {
    oddities.add([...path, 'endDate'], 'leave', 'it ends before its startDate')
  }
}

/** What is odd about a timesheet. */
function lookAtTimesheet(timesheet: Records['timesheets'], path: Path, oddities: Oddities): void {
  const { status, periodStart, periodEnd } = timesheet
  const unknown = unlisted(status, timesheetStatuses)
  if (unknown !== undefined) oddities.add([...path, 'status'], 'timesheet', unknown)
  if (periodEnd < periodStart) {
    oddities.add([...path, 'periodEnd'], 'timesheet', 'it ends before its periodStart')
  }
}

/** What is odd about a schedule: its type, and the days of its pattern that nothing can read. */
function lookAtSchedule(
  { type, pattern }: Records['schedules'],
  path: Path,
  oddities: Oddities,
): void {
  const unknown = unlisted(type ?? scheduleTypes[0], scheduleTypes)
  if (unknown !== undefined) oddities.add([...path, 'type'], 'schedule', unknown)
  for (const [day, hours] of Object.entries(pattern ?? {})) {
    const at = [...path, 'pattern', day]
    if (!weekdays.has(day.toLowerCase())) oddities.add(at, 'day', 'no weekday has this name')
    else if (!readHours(hours)) oddities.add(at, 'day', 'it has no start and end as HH:MM')
  }
}

function unlisted(value: string, known: readonly string[]): string | undefined {
  if (known.includes(value)) return undefined
  const shown = value.length > shownMax ? `${value.slice(0, shownMax)}…` : value
  return `${JSON.stringify(shown)} is none of ${known.join(', ')}`
}

/** Others of a kind are counted alone. */
const kindsMax = 100

interface Oddity {
  readonly pointer: string
  readonly says: string
  readonly noun: string
  count: number
}

/** What of a file is loaded, but is of no use to anybody: each kind of it once, with where it stands first. */
class Oddities {
  readonly #kinds = new Map<string, Oddity>()
  #others = 0

  /** Notes one; `says` is what is odd about it, and `noun` what it is about. */
  add(path: readonly PropertyKey[], noun: string, says: string): void {
    const key = `${noun}: ${says}`
    const known = this.#kinds.get(key)
    if (known) known.count += 1
    else if (this.#kinds.size === kindsMax) this.#others += 1
    else this.#kinds.set(key, { pointer: pointerOf(...path), says, noun, count: 1 })
  }

  /** One sentence for each kind. */
  sentences(): readonly string[] {
    const sentences = [...this.#kinds.values()].map(
      ({ pointer, says, noun, count }) =>
        `${pointer}: ${says} (${count} ${noun}${count === 1 ? '' : 's'}).`,
    )
    return this.#others === 0
      ? sentences
      : [...sentences, `There are ${this.#others} more like these.`]
  }
}

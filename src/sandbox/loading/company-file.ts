import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import { placeAt } from '../../json/first-fault.ts'
import { brackets, NotJson, Scan, type ScanListener, type ScanPlace } from '../../json/scan.ts'
import { isSpace } from '../../json/tokens.ts'
import {
  type CompanyRecords,
  leaveInFile,
  projectInFile,
  taskInFile,
  type CompanyFile,
} from '../../wire/company-file.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'
import type { FaultList } from './faults.ts'

/** Between two rests. */
const restBytes = 16_384
/** More would leave no room in memory for what is known of each. */
const recordsMax = 5_000_000
/** What lies deeper within itself cannot be written again. */
const depthMax = 500

/** A company file, not yet read. */
export interface CompanyText {
  /** What sentences call it. */
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * Where in the file its records stand; notes what is no company file at all. `invalid` with line and column for what is no
 * JSON, `too_large` for more records than there is room for. Yields now and then how many bytes have been looked at.
 */
export function* outlineFile(
  { name, bytes }: CompanyText,
  faults: FaultList,
): Generator<number, FileOutline> {
  const outline = emptyOutline()
  const scan = new Scan(bytes, new FileListener(bytes, outline, faults))
  try {
    for (let restAt = restBytes; scan.step();) {
      if (scan.at < restAt) continue
      restAt = scan.at + restBytes
      refuseMany(name, outline)
      yield scan.at
    }
    refuseMany(name, outline)
    return outline
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    if (bytes.every(isSpace)) throw new AppError('invalid', `${name} is empty.`, { cause: error })
    const { line, column } = placeAt(bytes, scan.at)
    const where = scan.at === bytes.length ? 'it ends' : 'it goes wrong'
    const says = `${name} is not JSON: ${where} at line ${line}, column ${column}.`
    throw new AppError('invalid', says, { cause: error })
  }
}

function refuseMany(name: string, { lists, tasks }: FileOutline): void {
  const records = Object.values(lists).reduce((sum, { length }) => sum + length, tasks.length)
  if (records <= recordsMax) return
  throw new AppError('too_large', `${name} has more than ${recordsMax} records.`)
}

/** Looks at the lists of a company. */
class FileListener implements ScanListener {
  readonly #bytes: Uint8Array
  readonly #outline: FileOutline
  readonly #faults: FaultList
  #member = ''
  readonly #members = new Set<FileList>()
  #list: ListListener | undefined

  constructor(bytes: Uint8Array, outline: FileOutline, faults: FaultList) {
    this.#bytes = bytes
    this.#outline = outline
    this.#faults = faults
  }

  onKey(start: number, place: ScanPlace): void {
    const nameOf = (): string => String(JSON.parse(this.#textOf(start, place.at)))
    if (place.depth === 1) this.#member = nameOf()
    else this.#list?.onKey(nameOf, place)
  }

  onBegin(byte: number, place: ScanPlace): void {
    const { depth } = place
    if (depth > depthMax) this.#refuse([this.#member], expected(`at most ${depthMax} levels`))
    if (depth === 0 && byte !== brackets.object[0])
      this.#refuse([], expected('object, such as {"users": […]}'))
    if (depth === 1) this.#list = this.#beginMember(byte === brackets.list[0])
    else this.#list?.onBegin(byte, place)
  }

  onEnd(place: ScanPlace): void {
    this.#list?.onEnd(place)
  }

  #beginMember(isList: boolean): ListListener | undefined {
    const name = fileLists.find((list) => list === this.#member)
    if (!name) this.#refuseMember()
    else if (!isList) this.#faults.add([name], expected('array'))
    else if (this.#members.has(name)) this.#refuseTwice([name])
    else return this.#listen(name)
    return undefined
  }

  #listen(name: FileList): ListListener {
    this.#members.add(name)
    if (name !== 'projects') return new RecordsListener(this.#outline.lists[name])
    return new ProjectsListener(this.#outline, (index) =>
      this.#refuseTwice(['projects', index, 'tasks']),
    )
  }

  #refuseMember(): void {
    const name = this.#member
    const detail = (): string =>
      `Invalid input: there is no such list${meantOrAll(name, fileLists)}`
    this.#faults.add([name], detail)
  }

  /** One of the two would be lost without a word. */
  #refuseTwice(path: readonly PropertyKey[]): void {
    this.#faults.add(path, 'Invalid input: this list stands here a second time')
  }

  /** What comes after that is of no use. */
  #refuse(path: readonly string[], detail: string): void {
    this.#faults.add(path, detail)
    this.#faults.refuse()
  }

  #textOf(start: number, end: number): string {
    return Buffer.from(this.#bytes.subarray(start, end)).toString()
  }
}

function expected(type: string): string {
  return `Invalid input: expected ${type}`
}

/** In a file each record lies within its list and the company; a task lies within its list, too, and its project. */
const depths = { record: 2, member: 3, task: 4 } as const

/** Told what a scan meets within one of the file's lists. */
export interface ListListener {
  onKey(name: () => string, place: ScanPlace): void
  onBegin(byte: number, place: ScanPlace): void
  onEnd(place: ScanPlace): void
}

/** Notes where the records of a list stand. */
class RecordsListener implements ListListener {
  readonly #records: Spans
  #start = 0

  constructor(records: Spans) {
    this.#records = records
  }

  onKey(): void {
    // What a record's members are called is nobody's matter here.
  }

  onBegin(_byte: number, { at, depth }: ScanPlace): void {
    if (depth === depths.record) this.#start = at
  }

  onEnd({ at, depth }: ScanPlace): void {
    if (depth === depths.record) this.#records.add({ start: this.#start, end: at })
  }
}

/** Notes where projects stand, and within them their tasks; is told of each project that has its tasks twice. */
class ProjectsListener implements ListListener {
  readonly #outline: FileOutline
  readonly #projects: RecordsListener
  readonly #onTwice: (index: number) => void
  #first = 0
  /** Where the project's list of tasks stands. */
  #list: Span = nowhere
  #isInTasks = false
  #start = 0

  constructor(outline: FileOutline, onTwice: (index: number) => void) {
    this.#outline = outline
    this.#onTwice = onTwice
    this.#projects = new RecordsListener(outline.lists.projects)
  }

  onKey(name: () => string, { depth }: ScanPlace): void {
    if (depth === depths.member) this.#isInTasks = name() === 'tasks'
  }

  onBegin(byte: number, place: ScanPlace): void {
    this.#projects.onBegin(byte, place)
    const { at, depth } = place
    if (depth === depths.record) this.#beginProject()
    else if (!this.#isInTasks) return
    else if (depth === depths.member) this.#beginTasks(byte, at)
    else if (depth === depths.task) this.#start = at
  }

  onEnd(place: ScanPlace): void {
    this.#projects.onEnd(place)
    const { at, depth } = place
    if (depth === depths.record) this.#endProject()
    else if (!this.#isInTasks) return
    else if (depth === depths.task) this.#outline.tasks.add({ start: this.#start, end: at })
    else if (depth === depths.member) this.#list = { ...this.#list, end: at }
  }

  #beginProject(): void {
    this.#first = this.#outline.tasks.length
    this.#list = nowhere
    this.#isInTasks = false
  }

  /** What is no list is left in the project, where it is found. */
  #beginTasks(byte: number, at: number): void {
    if (this.#list !== nowhere) this.#onTwice(this.#outline.lists.projects.length)
    this.#outline.tasks.cut(this.#first)
    this.#isInTasks = byte === brackets.list[0]
    this.#list = this.#isInTasks ? { start: at, end: at } : nowhere
  }

  #endProject(): void {
    this.#outline.taskLists.add(this.#list)
    this.#outline.taskNumbers.add({ start: this.#first, end: this.#outline.tasks.length })
  }
}

const nowhere: Span = { start: 0, end: 0 }

export type FileList = keyof CompanyRecords

/** In the order in which they are read: whoever has something stands before it. */
const fileLists = [
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
function emptyOutline(): FileOutline {
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

/** From one place of a text to another, or from one number to another. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Millions of spans, in less memory than what lies in them takes. */
export class Spans {
  length = 0
  #bounds = new Uint32Array(64)

  add({ start, end }: Span): void {
    if (2 * this.length === this.#bounds.length) this.#grow()
    this.#bounds.set([start, end], 2 * this.length)
    this.length += 1
  }

  /** The one of that number. */
  at(index: number): Span {
    return { start: this.#bounds[2 * index] ?? 0, end: this.#bounds[2 * index + 1] ?? 0 }
  }

  /** Forgets all from that number on. */
  cut(length: number): void {
    this.length = length
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#bounds.length)
    larger.set(this.#bounds)
    this.#bounds = larger
  }
}

/** What reads one record of each list, and of tasks. */
export const codecs = {
  users: userCodec,
  leaves: leaveInFile,
  projects: projectInFile,
  tasks: taskInFile,
  schedules: scheduleCodec,
  timesheets: timesheetCodec,
  invoices: invoiceCodec,
}

/** A file whose records are found. */
export type OutlinedFile = Pick<CompanyText, 'bytes'> & { readonly outline: FileOutline }

/** What stands there. */
export function jsonAt({ bytes }: OutlinedFile, ...spans: readonly Span[]): unknown {
  return JSON.parse(spans.map(({ start, end }) => textOf(bytes, start, end)).join('[]'))
}

/** Where the project of that number stands, without its tasks. */
export function projectSpans({ lists, taskLists }: FileOutline, index: number): readonly Span[] {
  const project = lists.projects.at(index)
  const tasks = taskLists.at(index)
  if (tasks.end === 0) return [project]
  return [
    { start: project.start, end: tasks.start },
    { start: tasks.end, end: project.end },
  ]
}

/** The lists of a file in which nothing is wrong, each record read when its turn comes; it is told of each. */
export function listsIn(file: OutlinedFile, onRecord: () => void): CompanyLists {
  const { lists } = file.outline
  const read = <Schema extends z.ZodType>(
    codec: Schema,
    spans: Spans,
    within: Span = { start: 0, end: spans.length },
  ): Generator<z.input<Schema>> => readRecords(codec, jsonsOf(file, spans, within), onRecord)
  return {
    users: read(codecs.users, lists.users),
    leaves: read(codecs.leaves, lists.leaves),
    projects: projectsIn(
      file,
      (within) => read(codecs.tasks, file.outline.tasks, within),
      onRecord,
    ),
    schedules: read(codecs.schedules, lists.schedules),
    timesheets: read(codecs.timesheets, lists.timesheets),
    invoices: read(codecs.invoices, lists.invoices),
  }
}

function* jsonsOf(file: OutlinedFile, spans: Spans, { start, end }: Span): Generator {
  for (let index = start; index < end; index += 1) yield jsonAt(file, spans.at(index))
}

/** Every timestamp in the shape of the spec. */
function* readRecords<Schema extends z.ZodType>(
  codec: Schema,
  jsons: Iterable<unknown>,
  onRecord: () => void,
): Generator<z.input<Schema>> {
  for (const json of jsons) {
    onRecord()
    yield z.encode(codec, codec.parse(json))
  }
}

function* projectsIn(
  file: OutlinedFile,
  tasksOf: (numbers: Span) => ProjectRecords['tasks'],
  onRecord: () => void,
): Generator<ProjectRecords> {
  const { lists, taskNumbers } = file.outline
  for (let index = 0; index < lists.projects.length; index += 1) {
    const project = codecs.projects.parse(jsonAt(file, ...projectSpans(file.outline, index)))
    onRecord()
    yield { ...project, tasks: tasksOf(taskNumbers.at(index)) }
  }
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
}

/** 1 GiB: places are counted in 32 bits, and all stands in memory. */
const fileBytesMax = 2 ** 30
const bytesAtFirst = 2 ** 20

/** All bytes that come, of what sentences call `name`; `too_large` as soon as they are more than 1 GiB, be they endless. */
export async function readBytes(
  source: AsyncIterable<Uint8Array>,
  name: string,
  bytesMax = fileBytesMax,
): Promise<Uint8Array> {
  let bytes: Uint8Array = Buffer.allocUnsafe(bytesAtFirst)
  let length = 0
  for await (const part of source) {
    if (length + part.length > bytesMax) {
      throw new AppError('too_large', `${name} is larger than 1 GiB, which no company file may be.`)
    }
    bytes = withRoom(bytes, length, length + part.length)
    bytes.set(part, length)
    length += part.length
  }
  return bytes.subarray(0, length)
}

function withRoom(bytes: Uint8Array, filled: number, needed: number): Uint8Array {
  if (needed <= bytes.length) return bytes
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length))
  larger.set(bytes.subarray(0, filled))
  return larger
}

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

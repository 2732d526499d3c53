import { z } from 'zod'

import { leaveInFile, projectInFile, taskInFile } from '../../wire/company-file.ts'
import { invoiceCodec } from '../../wire/invoice.ts'
import { scheduleCodec } from '../../wire/schedule.ts'
import { timesheetCodec } from '../../wire/timesheet.ts'
import { userCodec } from '../../wire/user.ts'
import type { CompanyLists, ProjectRecords } from './company-lists.ts'
import type { FileOutline } from './file-outline.ts'
import type { CompanyText } from './outline-file.ts'
import type { Span, Spans } from './spans.ts'

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

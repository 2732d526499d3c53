import type { FaultList } from './fault-list.ts'
import { FileCheck } from './file-check.ts'
import type { FileList, FileOutline } from './file-outline.ts'
import { jsonAt, type OutlinedFile, projectSpans } from './file-records.ts'
import type { Span } from './spans.ts'

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

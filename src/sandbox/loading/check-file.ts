import type { FaultList } from './fault-list.ts'
import { FileCheck } from './file-check.ts'
import type { FileList, FileOutline } from './file-outline.ts'
import { jsonAt, type OutlinedFile, projectAt } from './file-records.ts'

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
  const each = (list: FileList, one: Check): Generator => eachOf(file, list, one)
  yield* each('users', (json, path) => check.user(json, path))
  yield* each('leaves', (json, path) => check.leave(json, path))
  yield* eachProject(file, check)
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

type Check = (json: unknown, path: readonly PropertyKey[]) => void

function* eachOf(file: OutlinedFile, list: FileList, check: Check): Generator {
  const spans = file.outline.lists[list]
  for (let index = 0; index < spans.length; index += 1) {
    yield check(jsonAt(file, spans.at(index)), [list, index])
  }
}

function* eachProject(file: OutlinedFile, check: FileCheck): Generator {
  const { lists, tasks, taskNumbers } = file.outline
  for (let index = 0; index < lists.projects.length; index += 1) {
    const path = ['projects', index]
    yield check.record('projects', projectAt(file, index), path)
    const { start, end } = taskNumbers.at(index)
    for (let number = start; number < end; number += 1) {
      const json = jsonAt(file, tasks.at(number))
      yield check.record('tasks', json, [...path, 'tasks', number - start])
    }
  }
}

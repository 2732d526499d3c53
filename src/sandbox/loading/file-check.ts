import { createHash } from 'node:crypto'

import type { z } from 'zod'

import type { FaultList } from './fault-list.ts'
import { codecs } from './file-records.ts'
import { lookAtLeave, lookAtSchedule, lookAtTimesheet } from './find-oddities.ts'
import { Oddities } from './oddities.ts'
import { sayFault } from './say-fault.ts'

type Kind = keyof typeof codecs
type Path = readonly PropertyKey[]

/** Changes when the same file comes to be loaded as something else. */
const loadedAs = 'company 1'

/** What is found out of the records of a file, one after the other, users first. */
export class FileCheck {
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

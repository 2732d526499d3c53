import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'

import { z } from 'zod'

import { AppError, type InputFault, pointerTo } from '../../domain/errors.ts'
import { meantOrAll } from '../../domain/nearest.ts'
import { isObject } from '../../json/read-json.ts'
import {
  companyFile,
  type CompanyLists,
  type CompanyRecords,
  projectInFile,
  taskInFile,
} from '../../wire/company-file.ts'
import { identifierExpected, timestampExpected } from '../../wire/fields.ts'
import { type KindRecords, kinds, recordKinds } from '../records/record-kinds.ts'

/** The whole file is parsed in memory, which takes several times its size. */
const fileBytesMax = 256 * 2 ** 20
/** Deeper values cannot be serialized again. */
const depthMax = 500
/** Part of the hash: increase it when the same file must be loaded differently. */
const loadedAs = 'company 1'
const faultsMax = 100

type Path = readonly PropertyKey[]
const listKinds = recordKinds.filter((kind) => kind !== 'tasks')

export type CompanyCounts = Readonly<Record<keyof CompanyLists | 'tasks', number>>

export interface CheckedFile {
  readonly lists: CompanyLists
  readonly counts: CompanyCounts
  /** Hash of the parsed records: whitespace, escapes and the order of the lists do not matter. */
  readonly hash: string
}

/**
 * Returns all bytes of the source. Fails with `too_large` as soon as there are more than `bytesMax`, even if the source
 * never ends.
 */
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
 * Parses and checks a company file; timestamps are written in the format of the spec. Fails with `invalid` and the first
 * hundred faults with their pointers. A company without people is a fault unless `mayBeEmpty`. Calls `onRecord` for each
 * record.
 */
export function checkFile(
  name: string,
  bytes: Uint8Array,
  mayBeEmpty: boolean,
  onRecord: (count: number, total: number) => void = () => undefined,
): CheckedFile {
  const json = parsed(name, bytes)
  const check = new FileCheck(isObject(json) ? json : {}, onRecord)
  if (!isObject(json)) check.fault([], 'Invalid input: expected object, such as {"users": […]}')
  else if (check.counts.users === 0 && !mayBeEmpty) {
    check.fault(['users'], 'Invalid input: expected people; --empty loads a company without any')
  }
  check.refuse()
  const { lists, counts, hash } = check
  return { lists, counts, hash: hash.digest('base64url') }
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
    throw new AppError('invalid', `${name} is not JSON${isCut ? ': it ends too early' : where}.`, {
      cause,
    })
  }
}

/** Checks the lists of a file, users first: leaves and timesheets refer to them. */
class FileCheck {
  readonly lists: CompanyLists
  readonly hash = createHash('sha256').update(loadedAs)
  readonly counts = zeroCounts()
  readonly #file: Readonly<Record<string, unknown>>
  readonly #onRecord: (count: number, total: number) => void
  readonly #total: number
  /** Ids seen within a list; task ids within the company. */
  readonly #ids = new Map<string, Set<string>>()
  readonly #faults: InputFault[] = []
  #faultCount = 0
  #seen = 0
  #usersAreKnown = true

  constructor(
    file: Readonly<Record<string, unknown>>,
    onRecord: (count: number, total: number) => void,
  ) {
    this.#file = file
    this.#onRecord = onRecord
    const lists = [...Object.values(file), ...arrayOf(file['projects']).map(tasksOf)]
    this.#total = lists.reduce<number>((sum, it) => sum + arrayOf(it).length, 0)
    const known = Object.keys(companyFile.shape)
    for (const [name, list] of Object.entries(file)) {
      if (!known.includes(name)) {
        this.fault([name], `Invalid input: there is no such list${meantOrAll(name, known)}`)
      } else if (!Array.isArray(list)) this.fault([name], 'Invalid input: expected array')
    }
    this.lists = this.#lists()
  }

  fault(path: Path, detail: string): void {
    this.#faultCount += 1
    if (this.#faults.length < faultsMax) this.#faults.push({ pointer: pointerTo(path), detail })
  }

  /** Fails with `invalid` if there are any faults. */
  refuse(): void {
    if (this.#faultCount === 0) return
    const many = this.#faultCount === 1 ? 'one fault' : `${this.#faultCount} faults`
    throw new AppError('invalid', `Nothing was loaded: ${many}.`, {
      faults: this.#faults,
      moreFaults: this.#faultCount - this.#faults.length,
    })
  }

  #lists(): CompanyLists
  #lists(): object {
    const lists = Object.keys(companyFile.shape).map((name) => {
      const kind = listKinds.find((it) => it === name)
      return [name, kind ? this.#list(kind) : this.#projects()]
    })
    return Object.fromEntries(lists)
  }

  #list<K extends (typeof listKinds)[number]>(kind: K): KindRecords[K][] {
    const { schema, belongsTo } = kinds[kind]
    return arrayOf(this.#file[kind]).flatMap((json, index) => {
      const path = [kind, index]
      const record = this.#read(kind, schema, json, path)
      if (!record) return []
      if (belongsTo) this.#checkOwner(record, path)
      return [record]
    })
  }

  #projects(): CompanyRecords['projects'][] {
    return arrayOf(this.#file['projects']).flatMap((json, index) => {
      const path = ['projects', index]
      const given = tasksOf(json)
      // Tasks are checked one by one below, each with its own pointer.
      const alone = Array.isArray(given) ? { ...Object(json), tasks: [] } : json
      const project = this.#read('projects', projectInFile, alone, path)
      const tasks = arrayOf(given).flatMap(
        (task, number) => this.#read('tasks', taskInFile, task, [...path, 'tasks', number]) ?? [],
      )
      return project ? [{ ...project, tasks }] : []
    })
  }

  #read<Record extends { readonly id: string }>(
    kind: keyof CompanyCounts,
    schema: z.ZodType<unknown, Record>,
    json: unknown,
    path: Path,
  ): Record | undefined {
    this.#onRecord((this.#seen += 1), this.#total)
    this.counts[kind] += 1
    if (isDeeper(json, depthMax)) {
      this.fault(path, `Invalid input: expected at most ${depthMax} levels`)
      return undefined
    }
    this.hash.update(kind).update(JSON.stringify(json))
    const { data, error } = schema.safeParse(json)
    if (error) {
      for (const issue of error.issues) this.fault([...path, ...issue.path], inWords(issue.message))
      // If a user is invalid, owners can no longer be checked: its id may be unknown.
      if (kind === 'users') this.#usersAreKnown = false
      return undefined
    }
    const record = z.encode(schema, data)
    const ids = this.#ids.get(kind) ?? new Set()
    if (ids.has(record.id)) {
      this.fault([...path, 'id'], 'Invalid input: this id is used a second time')
    }
    this.#ids.set(kind, ids.add(record.id))
    return record
  }

  #checkOwner(record: object, path: Path): void {
    if (!this.#usersAreKnown) return
    if ('userId' in record && this.#ids.get('users')?.has(String(record.userId))) return
    this.fault([...path, 'userId'], 'Invalid input: no user has this id')
  }
}

function zeroCounts(): Record<keyof CompanyCounts, number>
function zeroCounts(): object {
  return Object.fromEntries([...Object.keys(companyFile.shape), 'tasks'].map((name) => [name, 0]))
}

/** Rephrases zod's messages in JSON terms, for people who write a file by hand. */
function inWords(message: string): string {
  return message
    .replace(timestampExpected, `$&, such as 2026-01-05T00:00:00.000Z`)
    .replace(
      new RegExp(`^${identifierExpected}$`),
      '$&: a text of 1 to 256 characters, none of them a control character',
    )
    .replace(/, received undefined$/, ', and there is none')
    .replace(/expected record\b/, 'expected object')
}

function arrayOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function tasksOf(project: unknown): unknown {
  return isObject(project) ? project['tasks'] : undefined
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((it) => isDeeper(it, levels - 1))
}

/* What a request asks, what it is answered, and how an upstream can lie between the two. */
import { createHash } from 'node:crypto'

import type { CompanyRecords, Json } from '../company/company-server.ts'

export const operations = ['leaves', 'timesheets', 'tasks', 'schedules', 'user', 'invoice'] as const
export type Operation = (typeof operations)[number]

/** One request, as it is understood. */
export interface Asked {
  readonly operation: Operation
  /** The employee of leaves and timesheets, the project of tasks, the id of a user or invoice; empty for all. */
  readonly subject: string
  /** Which records of the list the page holds. */
  readonly page: { readonly start: number; readonly end: number }
  readonly query: URLSearchParams
  /** How many requests for that operation have come before it. */
  readonly number: number
  readonly at: number
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How it ends: whole, with the connection torn in the middle of the body or before a byte, or not at all. */
  readonly ends: 'whole' | 'torn' | 'reset' | 'never'
}

/** What a lie may look at. */
export interface Known {
  readonly records: CompanyRecords
  /** As they were a while ago. */
  readonly before: CompanyRecords
  /** Whose leaves were asked for the time before. */
  readonly lastSubject: string
}

/** One way of not telling the truth; what it leaves out is told as it is. */
export interface Lie {
  readonly name: string
  /** Of which operations it can be told; of all where none is named. */
  readonly of?: readonly Operation[]
  /** The list in place of the true one, whole. */
  readonly pick?: (asked: Asked, known: Known) => readonly Json[]
  /** What becomes of the records of a list's page, or of the one record. */
  readonly alter?: (records: readonly Json[], asked: Asked) => readonly unknown[]
  /** What becomes of the answer. */
  readonly reply?: (reply: Reply, asked: Asked, known: Known) => Reply
}

export function isList({ operation }: Pick<Asked, 'operation'>): boolean {
  return operation !== 'user' && operation !== 'invoice'
}

/** A 200 with an entity tag of its bytes. */
export function dataReply(data: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return bodyReply(JSON.stringify({ data }), headers)
}

export function bodyReply(body: string, headers: Readonly<Record<string, string>> = {}): Reply {
  const etag = `"${createHash('sha1').update(body).digest('base64url')}"`
  return {
    status: 200,
    headers: { 'content-type': 'application/json', etag, ...headers },
    body,
    ends: 'whole',
  }
}

export function statusReply(status: number, headers: Readonly<Record<string, string>> = {}): Reply {
  const body = JSON.stringify({ error: { message: `Status ${status}` } })
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    ends: 'whole',
  }
}

/** Whether the company knows somebody of that id. */
export function knows({ records }: Pick<Known, 'records'>, id: string): boolean {
  return records.users.some((user) => user.id === id)
}

/** Leaves of everybody of whom that holds. */
export function leavesWhere(
  { leaves }: CompanyRecords,
  holds: (id: string) => boolean,
): readonly Json[] {
  return Object.entries(leaves).flatMap(([id, records]) => (holds(id) ? records : []))
}

import type { z } from 'zod'

import type { Answer, RecordFault } from '../domain/read-api.ts'
import { requestFault } from '../transport/request-fault.ts'
import { listEnvelope, recordEnvelope } from '../wire/envelope.ts'

export interface Identified {
  readonly id: string
}

/** The records of a list answer, not yet decoded; `upstream_invalid` where it is not `{data: […]}`. */
export function readList(body: Buffer, url: URL): readonly unknown[] {
  const { success, data: envelope } = listEnvelope.safeParse(parse(body, url))
  if (success) return envelope.data
  throw requestFault('upstream_invalid', url, 'answered JSON that is not {"data": […]}')
}

/** The decoded record of a single-record answer; `upstream_invalid` where it does not fit the spec or is another than the one asked for. */
export function readRecord<T extends Identified>(
  body: Buffer,
  codec: z.ZodType<T>,
  { url, id }: { url: URL; id: string },
): T {
  const { success, data: envelope } = recordEnvelope.safeParse(parse(body, url))
  if (!success)
    throw requestFault('upstream_invalid', url, 'answered JSON that is not {"data": {…}}')
  const decoded = codec.safeParse(envelope.data)
  if (!decoded.success) {
    const faults = Array.from(
      firstByField(decoded.error.issues),
      ([field, issue]) => `${field}: ${expectedOf(issue)}`,
    )
    const says = `answered a record that does not fit the spec (${faults.join('; ')})`
    throw requestFault('upstream_invalid', url, says)
  }
  if (decoded.data.id === id) return decoded.data
  throw requestFault('upstream_invalid', url, 'answered a record of another id')
}

/** The records that fit, of those with one id the last, and what was set aside. Paths count records over all pages. */
export function decodeRecords<T extends Identified>(
  resource: string,
  codec: z.ZodType<T>,
  records: readonly unknown[],
): Answer<T> {
  const fitting = new Map<string, T>()
  const faults = new Map<string, RecordFault>()
  let duplicates = 0
  for (const [index, record] of records.entries()) {
    const decoded = codec.safeParse(record)
    if (decoded.success) keep(decoded.data)
    else setAside(decoded.error.issues, index)
  }
  return { records: [...fitting.values()], faults: [...faults.values()], duplicates }

  function keep(record: T): void {
    if (fitting.delete(record.id)) duplicates += 1
    fitting.set(record.id, record)
  }

  function setAside(issues: readonly Issue[], index: number): void {
    for (const [field, issue] of firstByField(issues)) {
      const first = { example: pathOf(issue, index), expected: expectedOf(issue) }
      const known = faults.get(field) ?? { resource, field, count: 0, ...first }
      faults.set(field, { ...known, count: known.count + 1 })
    }
  }
}

type Issue = z.core.$ZodIssue

const UTF8 = new TextDecoder('utf-8')

function parse(body: Buffer, url: URL): unknown {
  const text = UTF8.decode(body)
  try {
    return JSON.parse(text)
  } catch {
    const what = /^\s*</.test(text) ? 'HTML: is the base URL right?' : 'what is not JSON'
    throw requestFault('upstream_invalid', url, `answered ${what}`)
  }
}

function firstByField(issues: readonly Issue[]): ReadonlyMap<string, Issue> {
  const first = new Map<string, Issue>()
  for (const issue of issues) {
    if (!first.has(fieldOf(issue))) first.set(fieldOf(issue), issue)
  }
  return first
}

/** The field within the record, array indices left out. */
function fieldOf({ path }: Issue): string {
  return path.filter((key) => typeof key !== 'number').join('.') || '(record)'
}

function pathOf({ path }: Issue, index: number): string {
  return ['data', index, ...path]
    .reduce<string>(
      (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}.${String(key)}`),
      '',
    )
    .slice(1)
}

/** zod's "Invalid input: expected string, received number" without what was received. */
function expectedOf({ message }: Issue): string {
  return message.replace(/^Invalid input: /, '').replace(/, received .*$/s, '')
}

/* Lies about what there is: too little, too much, cut, refused, torn. */
import type { Json } from '../company/company-server.ts'
import { bodyReply, dataReply, isList, type Lie, type Operation, statusReply } from './lie.ts'

const lists: readonly Operation[] = ['leaves', 'timesheets', 'tasks', 'schedules']

function altered(name: string, alter: (records: readonly Json[]) => readonly unknown[]): Lie {
  return { name, of: lists, alter }
}

export const empty = altered('an empty list', () => [])

/** More than half of three or more is gone. */
export const truncated = altered('a truncated list', (records) =>
  records.slice(0, Math.floor((records.length - 1) / 2)),
)

export const repeated = altered('every record twice', (records) => [...records, ...records])

export const reversed = altered('the list the other way round', (records) => records.toReversed())

export const withRubbish = altered('rubbish between the records', (records) => [
  null,
  ...records,
  'x',
  3,
  [],
  {},
])

/** JSON that ends in its middle, with the entity tag of the whole. */
export const cutJson: Lie = {
  name: 'cut JSON with a true entity tag',
  reply: (reply) =>
    reply.status === 200 ? { ...reply, body: reply.body.slice(0, reply.body.length * 0.6) } : reply,
}

function body(name: string, text: string): Lie {
  return { name, reply: () => bodyReply(text) }
}

export const wrongBodies: readonly Lie[] = [
  body('an empty body', ''),
  body('a page of HTML', '<!doctype html><title>Sign in</title>'),
  body('null', 'null'),
  body('data of null', '{"data":null}'),
  body('data of another kind', '{"data":"none"}'),
  body('an error with status 200', '{"error":{"message":"no"}}'),
  body('a list without envelope', '[]'),
  {
    name: 'a list for one record, one record for a list',
    reply: (_, asked) => dataReply(isList(asked) ? { id: 'x' } : []),
  },
]

export const reset: Lie = { name: 'connection reset', reply: (it) => ({ ...it, ends: 'reset' }) }
export const torn: Lie = {
  name: 'connection torn within the body',
  reply: (it) => ({ ...it, ends: 'torn' }),
}
export const stalled: Lie = { name: 'no answer', reply: (it) => ({ ...it, ends: 'never' }) }

export function status(code: number, retryAfter?: string): Lie {
  const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const asks = retryAfter === undefined ? '' : ` and Retry-After ${retryAfter}`
  return { name: `status ${code}${asks}`, reply: () => statusReply(code, headers) }
}

function redirect(code: number, location: string): Lie {
  return {
    name: `redirect ${code} to ${location}`,
    reply: () => statusReply(code, { location }),
  }
}

export const redirects: readonly Lie[] = [
  redirect(301, '/api/public/v1/leaves'),
  redirect(302, 'http://127.0.0.1:1/api/public/v1/leaves'),
  redirect(307, '/login'),
  redirect(308, ''),
  {
    name: 'redirect to the list without its query',
    of: lists,
    reply: (reply, { query }) => (query.size > 0 ? statusReply(302, { location: '?' }) : reply),
  },
]

/** A proxy that asks for nothing new: 304 whether or not anything was named. */
export const alwaysUnmodified: Lie = {
  name: 'unmodified, whatever was asked',
  reply: (reply) => ({ ...reply, status: 304, body: '' }),
}

/** Every status from 400 to 599. */
export const everyStatus: readonly Lie[] = Array.from({ length: 200 }, (_, index) =>
  status(400 + index),
)

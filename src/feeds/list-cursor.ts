import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import type { Feed, FeedFilter } from '../domain/feed.ts'
import { idField } from './input-fields.ts'

const cursorSchema = z.tuple([z.int(), idField])

/** Where the page after this feed begins, as programs hand it back. */
export function makeCursor({ createdAt, id }: Pick<Feed, 'createdAt' | 'id'>): string {
  return Buffer.from(JSON.stringify([createdAt, id])).toString('base64url')
}

/** After which feed the page begins; `invalid` for what `makeCursor` has not made. */
export function parseCursor(cursor: string): NonNullable<FeedFilter['after']> {
  const parsed = cursorSchema.safeParse(jsonOf(Buffer.from(cursor, 'base64url').toString()))
  if (parsed.success) return { createdAt: parsed.data[0], id: parsed.data[1] }
  const faults = [{ pointer: '/cursor', detail: 'Must be the nextCursor of a page before.' }]
  throw new AppError('invalid', 'The query is not valid.', { faults })
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

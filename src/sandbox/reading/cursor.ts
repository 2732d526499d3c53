import { hash } from 'node:crypto'

import { z } from 'zod'

/** Where a page of a list ends: the last record's place in the list's order. */
export interface Place {
  readonly sort: number
  readonly position: number
}

/** What a cursor goes on with: it means nothing for another company, list or filter, or once the company was loaded anew. */
export type CursorSubject = readonly unknown[]

const written = z.tuple([z.string(), z.int(), z.int()])

/** An opaque text for that place. */
export function writeCursor({ sort, position }: Place, subject: CursorSubject): string {
  return Buffer.from(JSON.stringify([nameOf(subject), sort, position])).toString('base64url')
}

/** The place; undefined where the cursor is none, or one of something else. */
export function readCursor(cursor: string, subject: CursorSubject): Place | undefined {
  const { data } = written.safeParse(parsed(cursor))
  if (data === undefined || data[0] !== nameOf(subject)) return undefined
  const place = { sort: data[1], position: data[2] }
  return writeCursor(place, subject) === cursor ? place : undefined
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

function nameOf(subject: CursorSubject): string {
  return hash('sha256', JSON.stringify(subject), 'base64url').slice(0, 22)
}

import { z } from 'zod'

import type { Pagination } from '../domain/connection.ts'
import { parsed } from './fields.ts'

/** How the Read API parts its lists into pages. */
export const pagination = parsed(
  z.string(),
  parsePagination,
  'must be none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names)',
)

function parsePagination(value: string): Pagination | undefined {
  if (value === 'none' || value === 'link') return { style: value }
  const [, style, one, two, count, first] =
    /^(page|offset):([^,]+),([^,]+),([1-9]\d{0,5})(?:,(\d{1,6}))?$/.exec(value) ?? []
  if (one === undefined || two === undefined) return undefined
  const size = Number(count)
  if (style === 'page') {
    return { style, pageParameter: one, sizeParameter: two, size, first: Number(first ?? 1) }
  }
  if (first !== undefined) return undefined
  return { style: 'offset', offsetParameter: one, limitParameter: two, limit: size }
}

import { z } from 'zod'

import { everyList, type ListPagination, type Pagination } from '../domain/connection.ts'
import { parsed } from './fields.ts'
import { members } from './unknown-key.ts'

const styles =
  'none, page:PAGE,SIZE,N[,FIRST], offset:OFFSET,LIMIT,N or link (PAGE, SIZE, OFFSET, LIMIT being parameter names)'

const rule = `must be ${styles}, or JSON that gives one of these to leaves, timesheets, tasks, schedules or * (all others)`

const styleOfList = parsed(z.string(), parseStyle, `must be ${styles}`).optional()

const byList = members({
  leaves: styleOfList,
  timesheets: styleOfList,
  tasks: styleOfList,
  schedules: styleOfList,
  '*': styleOfList,
})

/** How the Read API parts its lists into pages: all alike, or each as an object says, in which `*` stands for those that it does not name. */
export const pagination: z.ZodType<ListPagination, string | object> = z
  .union([z.string(), z.looseObject({})], rule)
  .transform((given, context) => {
    const lists = parseLists(given)
    if (typeof lists !== 'string') return lists
    context.addIssue(lists)
    return z.NEVER
  })

/** What tells connections apart by their paging: the one style of all lists, or those of each. */
export function pagingIdentity(lists: ListPagination): Pagination | ListPagination {
  const all = Object.values(lists).map((it) => JSON.stringify(it))
  return new Set(all).size === 1 ? lists.tasks : lists
}

/** The paging, or the lines of what is wrong with it. */
function parseLists(given: string | object): ListPagination | string {
  if (typeof given === 'object') return eachList(given)
  if (given.startsWith('{')) return eachList(objectIn(given))
  const every = parseStyle(given)
  return every ? everyList(every) : rule
}

function objectIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function eachList(given: unknown): ListPagination | string {
  const { data: named, error } = byList.safeParse(given)
  if (!named) return linesOf(error)
  const { '*': others = { style: 'none' } as const, ...lists } = named
  const { leaves = others, timesheets = others, tasks = others, schedules = others } = lists
  return { leaves, timesheets, tasks, schedules }
}

function linesOf({ issues }: z.ZodError): string {
  const lines = issues.map(({ code, message }) => (code === 'unrecognized_keys' ? message : rule))
  return [...new Set(lines)].join('\n')
}

function parseStyle(value: string): Pagination | undefined {
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

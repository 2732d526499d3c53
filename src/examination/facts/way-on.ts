import { idsOf, recordsOf } from '../verdicts/outcomes.ts'
import { type AnsweredList, firstIds, type WayOn } from '../verdicts/truncation.ts'
import { ask, type Inquiry } from './inquiry.ts'

const pageNames = ['page', 'pageNumber', 'page_number', 'pageNo', 'p'] as const
const offsetNames = ['offset', 'skip', 'start', 'startAt', 'from'] as const
const sizeNames = ['limit', 'pageSize', 'per_page', 'perPage', 'page_size', 'size', 'take', 'count']
/** What is asked for; a server that gives fewer is read on all the same. */
const pageSize = 100

/** A list of which further pages are asked for. */
interface PagedList {
  /** The ids of its first answer. */
  readonly first: ReadonlySet<string>
  /** The ids that it brings when it is asked with that query. */
  readonly read: (query: Readonly<Record<string, string>>) => Promise<readonly string[]>
}

/** Looks for the way by which a list is paged; undefined where none of the usual ones brings other records. */
export async function findWayOn(inquiry: Inquiry, list: AnsweredList): Promise<WayOn | undefined> {
  if (list.outcome.hasNext) return { setting: 'link', beyond: [] }
  const { path, query } = list
  const paged: PagedList = {
    first: new Set(firstIds(list)),
    read: async (more) =>
      idsOf(recordsOf(await ask(inquiry, { path, query: { ...query, ...more } })) ?? []),
  }
  return (await findPages(paged)) ?? findOffsets(paged)
}

async function findPages(list: PagedList): Promise<WayOn | undefined> {
  for (const name of pageNames) {
    // The first page is 0 where page 1 brings other records than no page, else 1.
    for (const first of [0, 1]) {
      const beyond = await list.read({ [name]: String(first + 1) })
      if (isBeyond(beyond, list)) {
        const size = await findSizeName(list, { [name]: String(first) })
        const end = first === 1 ? '' : `,${first}`
        return { setting: `page:${name},${size},${pageSize}${end}`, beyond }
      }
    }
  }
  return undefined
}

async function findOffsets(list: PagedList): Promise<WayOn | undefined> {
  for (const name of offsetNames) {
    const beyond = await list.read({ [name]: String(list.first.size) })
    if (isBeyond(beyond, list)) {
      const limit = await findSizeName(list, { [name]: '0' })
      return { setting: `offset:${name},${limit},${pageSize}`, beyond }
    }
  }
  return undefined
}

function isBeyond(ids: readonly string[], { first }: PagedList): boolean {
  return ids.length > 0 && ids.every((id) => !first.has(id))
}

/** The name under which one record can be asked for; where none works it does no harm, since pages are read to the empty one. */
async function findSizeName(
  list: PagedList,
  firstPage: Readonly<Record<string, string>>,
): Promise<string> {
  for (const name of sizeNames) {
    const ids = await list.read({ ...firstPage, [name]: '1' })
    if (ids.length === 1 && list.first.size > 1) return name
  }
  return 'limit'
}

import type { ProbeAnswer } from '../domain/examination.ts'
import { ask, type Examining, idsOf, recordsOf } from './examining.ts'
import type { PlainList } from './readings.ts'

const pageNames = ['page', 'pageNumber', 'page_number', 'pageNo', 'p'] as const
const offsetNames = ['offset', 'skip', 'start', 'startAt', 'from'] as const
const sizeNames = ['limit', 'pageSize', 'per_page', 'perPage', 'page_size', 'size', 'take', 'count']
/** What is asked for; a server that gives fewer is read on all the same. */
const pageSize = 100

/** A way to the records beyond a list's first answer. */
export interface DetectedPagination {
  /** As the setting is written. */
  readonly setting: string
  /** Ids that its second page brought; empty where that was not read. */
  readonly beyond: readonly string[]
}

/** Looks for the way by which a list is paged; undefined where none of the usual ones brings other records. */
export async function detectPagination(
  examining: Examining,
  list: PlainList & { readonly answer: ProbeAnswer },
): Promise<DetectedPagination | undefined> {
  if (list.answer.hasNext) return { setting: 'link', beyond: [] }
  const asking: Asking = {
    seen: new Set(idsOf(list.answer.records ?? [])),
    read: async (query) => {
      const { path } = list
      const records = recordsOf(await ask(examining, { path, query: { ...list.query, ...query } }))
      return idsOf(records ?? [])
    },
  }
  return (await detectPages(asking)) ?? detectOffsets(asking)
}

interface Asking {
  /** The ids of the first answer. */
  readonly seen: ReadonlySet<string>
  readonly read: (query: Readonly<Record<string, string>>) => Promise<readonly string[]>
}

async function detectPages(asking: Asking): Promise<DetectedPagination | undefined> {
  for (const name of pageNames) {
    // The first page is 0 where page 1 brings other records than no page, else 1.
    for (const first of [0, 1]) {
      const beyond = await asking.read({ [name]: String(first + 1) })
      if (isBeyond(beyond, asking)) {
        const size = await detectSize(asking, { [name]: String(first) })
        const end = first === 1 ? '' : `,${first}`
        return { setting: `page:${name},${size},${pageSize}${end}`, beyond }
      }
    }
  }
  return undefined
}

async function detectOffsets(asking: Asking): Promise<DetectedPagination | undefined> {
  for (const name of offsetNames) {
    const beyond = await asking.read({ [name]: String(asking.seen.size) })
    if (isBeyond(beyond, asking)) {
      const limit = await detectSize(asking, { [name]: '0' })
      return { setting: `offset:${name},${limit},${pageSize}`, beyond }
    }
  }
  return undefined
}

function isBeyond(ids: readonly string[], { seen }: Asking): boolean {
  return ids.length > 0 && ids.every((id) => !seen.has(id))
}

/** The name under which one record can be asked for; where none works it does no harm, since pages are read to the empty one. */
async function detectSize(
  asking: Asking,
  first: Readonly<Record<string, string>>,
): Promise<string> {
  for (const name of sizeNames) {
    const ids = await asking.read({ ...first, [name]: '1' })
    if (ids.length === 1 && asking.seen.size > 1) return name
  }
  return 'limit'
}

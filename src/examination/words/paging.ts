import type { ListPagination, Pagination } from '../../domain/connection.ts'
import type { ListKind } from '../../domain/read-api.ts'

/** The setting by which that list is paged in another way: for all lists where they are set alike, else for it alone; null where it is set so. */
export function pagingToSet(
  set: ListPagination,
  list: ListKind,
  way: string,
): string | Readonly<Record<string, string>> | null {
  const { leaves, timesheets, tasks, schedules } = set
  const texts = {
    leaves: textOf(leaves),
    timesheets: textOf(timesheets),
    tasks: textOf(tasks),
    schedules: textOf(schedules),
  }
  // The first page is 1 where the setting does not say.
  if ([way, `${way},1`].includes(texts[list])) return null
  return new Set(Object.values(texts)).size === 1 ? way : { ...texts, [list]: way }
}

function textOf(pagination: Pagination): string {
  const { style } = pagination
  if (style === 'page') {
    const { pageParameter, sizeParameter, size, first } = pagination
    return `page:${pageParameter},${sizeParameter},${size},${first}`
  }
  if (style !== 'offset') return style
  const { offsetParameter, limitParameter, limit } = pagination
  return `offset:${offsetParameter},${limitParameter},${limit}`
}

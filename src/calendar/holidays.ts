import type { PlainDate } from '../domain/plain-date.ts'

export function holidaysIn(
  _places: readonly string[],
  _first: PlainDate,
  _last: PlainDate,
): ReadonlyMap<PlainDate, string> {
  return new Map()
}

import type { Pagination } from '../../domain/connection.ts'
import type { Behaviour } from '../controls/behaviour.ts'
import type { ListOperation } from '../operations.ts'
import type { FilterValues } from './lists.ts'
import { type Parameters, readFilter, readNumber, requireKnown } from './parameters.ts'

export const limitMax = 1000

/** What a request asks of a list, the company aside. */
export interface AskedList {
  readonly filters: FilterValues
  readonly page: AskedPage
}

/** All of the list; so many from a cursor on, after which a link leads on; or a page by its number. */
export type AskedPage =
  | { readonly is: 'whole' }
  | { readonly is: 'cursor'; readonly cursor: string | undefined; readonly limit: number }
  | { readonly is: 'number'; readonly offset: number; readonly limit: number }

/** Reads what is asked of the list; `invalid` for a parameter that it does not take, or that cannot be meant. */
export function readListQuestion(
  parameters: Parameters,
  operation: ListOperation,
  behaviour: Behaviour,
): AskedList {
  const names = filterNames(operation, behaviour)
  const style = behaviour.pagination?.[operation.list] ?? null
  requireKnown(parameters, [...parameterNames(operation, behaviour), ...credentialNames(behaviour)])
  return {
    filters: readFilters(parameters, operation, { names, behaviour }),
    page: readPage(parameters, style, behaviour),
  }
}

/** Which query parameters mean something there, the credential's aside. */
export function parameterNames(operation: ListOperation, behaviour: Behaviour): readonly string[] {
  const style = behaviour.pagination?.[operation.list] ?? null
  return [...filterNames(operation, behaviour).values(), ...pageNames(style)]
}

/** The names of the query parameters by the keys of the filters; one that does not exist is not among them. */
export function filterNames(
  { list, filters }: ListOperation,
  { parameters }: Pick<Behaviour, 'parameters'>,
): ReadonlyMap<string, string> {
  const names: Readonly<Record<string, Readonly<Record<string, string | null>>>> = { ...parameters }
  return new Map(
    Object.keys(filters).flatMap((key) => {
      const name = names[list]?.[key] ?? null
      return name === null ? [] : [[key, name] as const]
    }),
  )
}

/** Which query parameter carries the credential, where one does. */
export function credentialNames({ authentication }: Behaviour): readonly string[] {
  return authentication?.scheme === 'query' ? [authentication.name] : []
}

function pageNames(style: Pagination | null): readonly string[] {
  if (style === null) return ['limit', 'cursor']
  if (style.style === 'page') return [style.pageParameter, style.sizeParameter]
  if (style.style === 'offset') return [style.offsetParameter, style.limitParameter]
  return style.style === 'link' ? ['cursor'] : []
}

interface Reading {
  readonly names: ReadonlyMap<string, string>
  readonly behaviour: Behaviour
}

function readFilters(
  parameters: Parameters,
  { list, filters }: ListOperation,
  { names, behaviour }: Reading,
): FilterValues {
  const values = [...names].map(([key, name]) => {
    const filter = filters[key]
    return [key, filter && readFilter(parameters, name, filter.value)] as const
  })
  if (behaviour.ignored.has(list)) return {}
  const asked = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  // What the spec says of the active flag: true where it is left out.
  return list === 'schedules' ? { active: true, ...asked } : asked
}

function readPage(
  parameters: Parameters,
  style: Pagination | null,
  { pageSize }: Behaviour,
): AskedPage {
  const cursor = parameters.get('cursor') ?? undefined
  if (style === null) {
    const limit = readNumber(parameters, 'limit', [1, limitMax])
    if (limit === undefined && cursor === undefined) return { is: 'whole' }
    return { is: 'cursor', cursor, limit: limit ?? limitMax }
  }
  if (style.style === 'link') return { is: 'cursor', cursor, limit: pageSize }
  return style.style === 'none' ? { is: 'whole' } : readNumbered(parameters, style, pageSize)
}

const numberMax = 1_000_000

function readNumbered(
  parameters: Parameters,
  style: Extract<Pagination, { readonly style: 'page' | 'offset' }>,
  pageSize: number,
): AskedPage {
  if (style.style === 'offset') {
    const asked = readNumber(parameters, style.limitParameter, [1, numberMax]) ?? style.limit
    const offset = readNumber(parameters, style.offsetParameter, [0, numberMax]) ?? 0
    return { is: 'number', offset, limit: Math.min(asked, style.limit, pageSize) }
  }
  const asked = readNumber(parameters, style.sizeParameter, [1, numberMax]) ?? style.size
  const page = readNumber(parameters, style.pageParameter, [style.first, numberMax]) ?? style.first
  const limit = Math.min(asked, style.size, pageSize)
  return { is: 'number', offset: (page - style.first) * limit, limit }
}

/* Reads bodies and headers of PROPFIND (RFC 4918 section 9.1) and REPORT (RFC 4791 section 7, RFC 6578). */
import type { IncomingHttpHeaders } from 'node:http'

import { AppError } from '../domain/errors.ts'
import type { SyncPoint } from '../publishing/calendar-objects.ts'
import { type Matches, readFilter } from './filters.ts'
import { infiniteDepth, unknownReport, unknownSyncToken, unsupportedData } from './preconditions.ts'
import { parseSyncToken } from './sync-token.ts'
import { caldav, childrenOf, dav, isNamed, parseXml, type XmlElement, type XmlName } from './xml.ts'

/** The properties that a client wants of each resource. */
export type Wanted =
  | { readonly kind: 'all'; readonly also: readonly XmlName[] }
  | { readonly kind: 'names' }
  | { readonly kind: 'some'; readonly names: readonly XmlName[] }

interface Asked {
  readonly wanted: Wanted
  /** Whether missing properties are left out (RFC 8144 section 2.1, and Microsoft's `Brief`). */
  readonly isMinimal: boolean
}

export type Question = Asked &
  (
    | { readonly kind: 'propfind'; readonly depth: 0 | 1 }
    | { readonly kind: 'query'; readonly matches: Matches }
    | { readonly kind: 'multiget'; readonly hrefs: readonly string[] }
    | {
        readonly kind: 'sync'
        /** Undefined for an initial synchronisation. */
        readonly since: SyncPoint | undefined
        readonly limit: number
      }
  )

export function readPropfind(headers: IncomingHttpHeaders, body: Uint8Array): Question {
  const depth = depthOf(headers)
  if (depth === 'infinity') throw infiniteDepth()
  const asked = { kind: 'propfind', depth: depth ?? 1, isMinimal: isMinimal(headers) } as const
  if (body.length === 0) return { ...asked, wanted: { kind: 'all', also: [] } }
  const root = parseXml(body)
  const wanted = isNamed(root, dav, 'propfind') ? readWanted(root) : undefined
  if (!wanted) {
    throw new AppError(
      'invalid',
      'The body must be a propfind (DAV:) with prop, allprop or propname.',
    )
  }
  return { ...asked, wanted }
}

export function readReport(headers: IncomingHttpHeaders, body: Uint8Array): Question {
  const root = parseXml(body)
  const wanted = readWanted(root) ?? { kind: 'some', names: [] }
  const asked = { wanted, isMinimal: isMinimal(headers) }
  if (isNamed(root, caldav, 'calendar-query')) {
    const [filter] = childrenOf(root, caldav, 'filter')
    if (!filter) throw new AppError('invalid', 'A calendar-query needs a filter.')
    const matches = readFilter(filter)
    // Depth 0 is the calendar alone, without its events.
    return { kind: 'query', ...asked, matches: depthOf(headers) === 0 ? () => false : matches }
  }
  if (isNamed(root, caldav, 'calendar-multiget')) {
    const hrefs = childrenOf(root, dav, 'href').map(({ text }) => text.trim())
    if (hrefs.length === 0) throw new AppError('invalid', 'A calendar-multiget needs an href.')
    return { kind: 'multiget', ...asked, hrefs }
  }
  if (isNamed(root, dav, 'sync-collection')) return { ...asked, ...readSync(headers, root) }
  throw unknownReport()
}

function readSync(
  headers: IncomingHttpHeaders,
  root: XmlElement,
): Pick<Extract<Question, { kind: 'sync' }>, 'kind' | 'since' | 'limit'> {
  if (depthOf(headers) === 'infinity') {
    throw new AppError('invalid', 'The Depth of a sync-collection must be 0 or 1.')
  }
  const [token] = childrenOf(root, dav, 'sync-token')
  if (!token)
    throw new AppError('invalid', 'A sync-collection needs a sync-token, which may be empty.')
  const [level] = childrenOf(root, dav, 'sync-level')
  if (level && !/^(?:1|infinite)$/.test(level.text.trim())) {
    throw new AppError('invalid', 'The sync-level must be 1 or infinite.')
  }
  const text = token.text.trim()
  const since = text === '' ? undefined : parseSyncToken(text)
  if (text !== '' && !since) throw unknownSyncToken()
  return { kind: 'sync', since, limit: limitOf(root) }
}

function limitOf(root: XmlElement): number {
  const [limit] = childrenOf(root, dav, 'limit')
  if (!limit) return Infinity
  const text = childrenOf(limit, dav, 'nresults')[0]?.text.trim() ?? ''
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new AppError('invalid', 'The nresults of a limit must be a whole number from 1.')
}

function readWanted(root: XmlElement): Wanted | undefined {
  if (childrenOf(root, dav, 'propname').length > 0) return { kind: 'names' }
  if (childrenOf(root, dav, 'allprop').length > 0) {
    const also = childrenOf(root, dav, 'include').flatMap(({ children }) => children)
    return { kind: 'all', also }
  }
  const [prop] = childrenOf(root, dav, 'prop')
  if (!prop) return undefined
  for (const data of childrenOf(prop, caldav, 'calendar-data')) refuseOtherData(data)
  return { kind: 'some', names: prop.children }
}

/** A client may name parts of an event, but gets all of it; another format is refused (RFC 4791 section 9.6). */
function refuseOtherData({ attributes }: XmlElement): void {
  const { 'content-type': type = 'text/calendar', version = '2.0' } = attributes
  if (type.toLowerCase() !== 'text/calendar' || version !== '2.0') throw unsupportedData()
}

function depthOf({ depth }: IncomingHttpHeaders): 0 | 1 | 'infinity' | undefined {
  if (depth === undefined) return undefined
  const text = String(depth).trim().toLowerCase()
  if (text === '0') return 0
  if (text === '1') return 1
  if (text === 'infinity') return 'infinity'
  throw new AppError('invalid', 'Depth must be 0 or 1.')
}

function isMinimal({ prefer = '', brief = '' }: IncomingHttpHeaders): boolean {
  const isPreferred = /(?:^|[,;])\s*return\s*=\s*"?minimal"?\s*(?:$|[,;])/i.test(String(prefer))
  return isPreferred || /^\s*t\s*$/i.test(String(brief))
}

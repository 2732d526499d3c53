import type { EventKind } from '../domain/kinds.ts'

/** Beyond it clients and servers give up; a calendar is not to be filled with addresses. */
const uriLengthMax = 2048

/**
 * The record's page by the company's template, or null where that gives no http address of sensible length. Percent-encodes what
 * TEXT-escaping would alter, since a URI value is not TEXT (RFC 5545 section 3.3.13).
 */
export function recordUrl(template: string | null, kind: EventKind, id: string): string | null {
  if (template === null) return null
  const address = template
    .replaceAll('{kind}', kind === 'timesheetdue' ? 'timesheet' : kind)
    .replaceAll('{id}', () => encodeURIComponent(id.toWellFormed()))
  if (!URL.canParse(address)) return null
  const { href, protocol } = new URL(address)
  if (protocol !== 'https:' && protocol !== 'http:') return null
  const uri = href.replaceAll(/[,;\\]/g, encodeURIComponent)
  return uri.length <= uriLengthMax ? uri : null
}

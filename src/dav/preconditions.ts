import { AppError } from '../domain/errors.ts'
import { caldav, dav, type Markup, davTag, tag, type XmlName } from './xml.ts'

/** A request that fails a precondition (RFC 4918 section 16), answered with 403 and its name. */
export class PreconditionFailed extends AppError {
  readonly condition: Markup

  constructor(condition: XmlName, message: string, content: readonly Markup[] = []) {
    super('forbidden', message)
    this.condition = tag(condition, content)
  }
}

function davCondition(local: string): XmlName {
  return { uri: dav, local }
}

function caldavCondition(local: string): XmlName {
  return { uri: caldav, local }
}

export function infiniteDepth(): PreconditionFailed {
  return new PreconditionFailed(davCondition('propfind-finite-depth'), 'Depth must be 0 or 1.')
}

export function unknownReport(): PreconditionFailed {
  return new PreconditionFailed(davCondition('supported-report'), 'There is no such report here.')
}

export function tooMuch(): PreconditionFailed {
  const message = 'The answer would be too long: ask for fewer properties.'
  return new PreconditionFailed(davCondition('number-of-matches-within-limits'), message)
}

export function unknownSyncToken(): PreconditionFailed {
  const message = 'The sync token is not known any more: synchronise from the beginning.'
  return new PreconditionFailed(davCondition('valid-sync-token'), message)
}

export function invalidFilter(message: string): PreconditionFailed {
  return new PreconditionFailed(caldavCondition('valid-filter'), message)
}

export function unsupportedFilter(message: string): PreconditionFailed {
  return new PreconditionFailed(caldavCondition('supported-filter'), message)
}

export function unsupportedCollation(): PreconditionFailed {
  const message = 'The collation must be i;ascii-casemap or i;octet.'
  return new PreconditionFailed(caldavCondition('supported-collation'), message)
}

export function unsupportedData(): PreconditionFailed {
  const message = 'Events are text/calendar, version 2.0.'
  return new PreconditionFailed(caldavCondition('supported-calendar-data'), message)
}

/** RFC 3744 section 7.1.1. */
export function readOnly(href: string): PreconditionFailed {
  const resource = davTag('resource', [davTag('href', href), davTag('privilege', davTag('write'))])
  const message = 'This calendar is read-only.'
  return new PreconditionFailed(davCondition('need-privileges'), message, [resource])
}

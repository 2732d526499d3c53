import { AppError } from '../domain/errors.ts'
import { caldavName, davName, davTag, type Markup, tag, type XmlName } from './xml.ts'

/** Answered with 403 and an error element that names the precondition (RFC 4918 section 16). */
export class PreconditionFailed extends AppError {
  readonly condition: Markup

  constructor(condition: XmlName, message: string, content: readonly Markup[] = []) {
    super('forbidden', message)
    this.condition = tag(condition, content)
  }
}

export function infiniteDepth(): PreconditionFailed {
  return new PreconditionFailed(davName('propfind-finite-depth'), 'Depth must be 0 or 1.')
}

export function unknownReport(): PreconditionFailed {
  return new PreconditionFailed(davName('supported-report'), 'This resource has no such report.')
}

export function tooMuch(): PreconditionFailed {
  const message = 'The answer would be too long: ask for fewer properties.'
  return new PreconditionFailed(davName('number-of-matches-within-limits'), message)
}

export function unknownSyncToken(): PreconditionFailed {
  const message = 'The sync token is not valid: synchronise from the beginning.'
  return new PreconditionFailed(davName('valid-sync-token'), message)
}

export function invalidFilter(message: string): PreconditionFailed {
  return new PreconditionFailed(caldavName('valid-filter'), message)
}

export function unsupportedFilter(message: string): PreconditionFailed {
  return new PreconditionFailed(caldavName('supported-filter'), message)
}

export function unsupportedCollation(): PreconditionFailed {
  const message = 'The collation must be i;ascii-casemap or i;octet.'
  return new PreconditionFailed(caldavName('supported-collation'), message)
}

export function unsupportedData(): PreconditionFailed {
  const message = 'Events are text/calendar, version 2.0.'
  return new PreconditionFailed(caldavName('supported-calendar-data'), message)
}

/** RFC 3744 section 7.1.1. */
export function readOnly(href: string): PreconditionFailed {
  const resource = davTag('resource', [davTag('href', href), davTag('privilege', davTag('write'))])
  const message = 'This calendar is read-only.'
  return new PreconditionFailed(davName('need-privileges'), message, [resource])
}

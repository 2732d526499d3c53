import { z } from 'zod'

import type { Authentication } from '../domain/connection.ts'
import { parsed } from './fields.ts'

/** How requests to the Read API prove who asks, as a word and what belongs to it. */
export const authentication = parsed(
  z.string(),
  parseAuthentication,
  'must be none, bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE',
)

function parseAuthentication(value: string): Authentication | undefined {
  const [, scheme, rest = ''] = /^([a-z]+)(?::(.*))?$/s.exec(value) ?? []
  if (scheme === 'none') return rest === '' ? { scheme } : undefined
  if (scheme === 'bearer') return /^[\x21-\x7e]+$/.test(rest) ? { scheme, token: rest } : undefined
  const colon = rest.indexOf(':')
  if (colon < 1) return undefined
  return named(scheme, rest.slice(0, colon), rest.slice(colon + 1))
}

/** A basic credential may have an empty password (RFC 7617 section 2). */
function named(
  scheme: string | undefined,
  name: string,
  secret: string,
): Authentication | undefined {
  if (scheme === 'basic') return { scheme, user: name, password: secret }
  if (scheme === 'header') return header(name, secret)
  return scheme === 'query' && secret !== '' ? { scheme, name, value: secret } : undefined
}

function header(name: string, value: string): Authentication | undefined {
  const isHeader = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\x20-\x7e]+$/.test(value)
  return isHeader ? { scheme: 'header', name, value } : undefined
}

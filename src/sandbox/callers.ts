import type { Request } from 'express'

import type { Authentication } from '../domain/connection.ts'
import { AppError } from '../domain/errors.ts'
import { hashOfKey, type SandboxKeys } from '../settings/fields.ts'
import { isFromHere } from '../web/loopback.ts'
import { addressKey, type RequestLimit } from '../web/request-limit.ts'
import type { Behaviour } from './controls/behaviour.ts'
import { sampleCompanyId } from './records/companies.ts'

export interface CallerDeps {
  readonly keys: SandboxKeys
  readonly behaviour: Behaviour
  /** Limit of failed requests per client address. */
  readonly failures: RequestLimit
}

/**
 * Returns the company id that belongs to the request's credential. Without keys, only this machine has access, to the
 * sample company. Fails with `unauthorized`, or with `too_many_requests` after too many failures from one address.
 */
export function companyOf(request: Request, deps: CallerDeps): string {
  try {
    return allowedCompany(request, deps)
  } catch (error) {
    deps.failures.take(addressKey(request))
    throw error
  }
}

function allowedCompany(request: Request, { keys, behaviour }: CallerDeps): string {
  const { authentication } = behaviour
  if (keys.size === 0 && !isFromHere(request)) {
    throw new AppError(
      'unauthorized',
      'Without keys the sandbox answers this machine alone: set WORKFORCE_SANDBOX_KEYS, and send one as a bearer token.',
    )
  }
  if (authentication && authentication.scheme !== 'none') {
    if (!isSent(request, authentication)) {
      const message = 'This needs the credential that the sandbox is set to ask for.'
      throw new AppError('unauthorized', message)
    }
    return keys.get(hashOfKey(secretOf(authentication))) ?? sampleCompanyId
  }
  if (keys.size === 0) return sampleCompanyId
  const key = bearerOf(request.headers.authorization)
  const company = key === undefined ? undefined : keys.get(hashOfKey(key))
  if (company !== undefined) return company
  const says = key === undefined ? 'This needs a key' : 'There is no such key: this needs one'
  throw new AppError('unauthorized', `${says} as a bearer token (Authorization: Bearer KEY).`)
}

/** Returns the bearer token (RFC 6750 section 2.1); undefined if there is none. */
export function bearerOf(authorization = ''): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1]
}

type Credential = Exclude<Authentication, { readonly scheme: 'none' }>

function isSent({ headers, url }: Request, credential: Credential): boolean {
  if (credential.scheme === 'bearer') return bearerOf(headers.authorization) === credential.token
  if (credential.scheme === 'header') {
    return headers[credential.name.toLowerCase()] === credential.value
  }
  if (credential.scheme === 'query') {
    const given = new URL(url, 'http://sandbox').searchParams.getAll(credential.name)
    return given.length === 1 && given[0] === credential.value
  }
  const pair = Buffer.from(`${credential.user}:${credential.password}`).toString('base64')
  return /^Basic +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] === pair
}

/**
 * Returns the `WWW-Authenticate` value of a 401 (RFC 9110 section 11.6.1). HTTP defines no scheme for custom headers and
 * query parameters: these get `ApiKey`.
 */
export function challengeOf({ authentication }: Behaviour): string {
  if (authentication?.scheme === 'basic') return 'Basic realm="sandbox", charset="UTF-8"'
  const isOwnWay = authentication?.scheme === 'header' || authentication?.scheme === 'query'
  return isOwnWay ? 'ApiKey realm="sandbox"' : 'Bearer'
}

function secretOf(credential: Credential): string {
  if (credential.scheme === 'bearer') return credential.token
  return credential.scheme === 'basic' ? credential.password : credential.value
}

import type { Request, RequestHandler, Response } from 'express'

import { mayDo, type Role, type Staff } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import type { HttpDeps } from './http-deps.ts'
import { requireSameOrigin } from './same-origin.ts'
import { findSignIn } from './signed-in.ts'

const failuresPerMinute = 60
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

type AuthenticationDeps = Pick<HttpDeps, 'access' | 'staffTokens' | 'publicUrl' | 'clock'>

/**
 * Lets staff through: by `Authorization: Bearer TOKEN` (RFC 6750 section 2.1), or signed in, and then only with changes from a
 * page of ours. An address that fails too often within a minute is told 429 in place of 401; a right token is let through
 * at any time.
 */
export function requireStaff(deps: AuthenticationDeps): RequestHandler {
  const failures = new RequestLimit(failuresPerMinute, deps.clock)
  return async (request, response, next) => {
    const staff = await findStaff(deps, request)
    if (staff) {
      response.locals['staff'] = staff
      return next()
    }
    failures.take(addressKey(request))
    throw new AppError(
      'unauthorized',
      'This needs a token as a bearer token, such as the admin token.',
    )
  }
}

/** Refuses those whose role does not do, before anything is looked up: `forbidden`. */
export function requireRole(needed: Role): RequestHandler {
  return (_request, response, next) => {
    if (mayDo(staffOf(response).role, needed)) return next()
    throw new AppError('forbidden', `This needs the role ${needed}.`)
  }
}

/** Refuses those of one company where all are seen together: `forbidden`. */
export const requireAllCompanies: RequestHandler = (_request, response, next) => {
  if (staffOf(response).companyId === null) return next()
  throw new AppError('forbidden', 'This needs a token of all companies.')
}

/** Who has been let through. */
export function staffOf({ locals }: Pick<Response, 'locals'>): Staff {
  const staff: Staff | undefined = locals['staff']
  if (!staff) throw new Error('Nobody is let through here without being known.')
  return staff
}

async function findStaff(deps: AuthenticationDeps, request: Request): Promise<Staff | undefined> {
  const { authorization } = request.headers
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (given !== undefined) return deps.staffTokens.find(given)
  if (authorization !== undefined) return undefined
  const session = await findSignIn(deps, request)
  if (!session?.staff) return undefined
  if (!safeMethods.has(request.method)) requireSameOrigin(request.headers, deps.publicUrl)
  return { ...session.staff, companyId: null }
}

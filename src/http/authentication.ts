/* Authentication: staff by token or sign-in, people by sign-in. */
import type { Request, RequestHandler, Response } from 'express'

import { mayDo, type Role, type Staff, type Session } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import { isFromOwnPage } from '../web/own-page.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import type { HttpDeps } from './http-deps.ts'

const failuresPerMinute = 60
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Lets staff through: by `Authorization: Bearer TOKEN` (RFC 6750 section 2.1), or signed in, and then changes only from one of
 * our pages. An address that fails too often within a minute gets 429 in place of 401; a right token is let through at any time.
 */
export function requireStaff(deps: HttpDeps): RequestHandler {
  const failures = new RequestLimit(failuresPerMinute, deps.clock)
  return async (request, response, next) => {
    const staff = await findStaff(deps, request)
    if (staff) {
      response.locals['staff'] = staff
      return next()
    }
    failures.take(addressKey(request))
    throw new AppError('unauthorized', 'Send a bearer token, such as the admin token.')
  }
}

async function findStaff(deps: HttpDeps, request: Request): Promise<Staff | undefined> {
  const { authorization } = request.headers
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (given !== undefined) return deps.findStaff(given)
  if (authorization !== undefined) return undefined
  const session = await findSession(deps, request)
  if (!session?.staff) return undefined
  if (!safeMethods.has(request.method)) refuseOtherPages(request, deps.publicUrl)
  return { ...session.staff, companyId: null }
}

/** Refuses staff with a lower role, before anything is looked up: `forbidden`. */
export function requireRole(needed: Role): RequestHandler {
  return (_request, response, next) => {
    if (mayDo(staffOf(response).role, needed)) return next()
    throw new AppError('forbidden', `This needs the role ${needed}.`)
  }
}

/** Refuses staff of one company where all companies are seen together: `forbidden`. */
export const requireAllCompanies: RequestHandler = (_request, response, next) => {
  if (staffOf(response).companyId === null) return next()
  throw new AppError('forbidden', 'This needs a token for all companies.')
}

/** Who has been let through. */
export function staffOf({ locals }: Pick<Response, 'locals'>): Staff {
  const staff: Staff | undefined = locals['staff']
  if (!staff) throw new Error('This route is not behind requireStaff.')
  return staff
}

/** Refuses a change by a sign-in that does not come from one of our pages (`forbidden`), before its body is read. */
export function requireOwnPage(publicUrl: string): RequestHandler {
  return (request, _response, next) => {
    refuseOtherPages(request, publicUrl)
    next()
  }
}

function refuseOtherPages({ headers }: Request, publicUrl: string): void {
  if (isFromOwnPage(headers, publicUrl)) return
  throw new AppError('forbidden', 'This request does not come from one of our pages.')
}

/** The session of the browser's cookie; undefined if there is none or it has ended. */
export async function findSession(
  { access, publicUrl }: HttpDeps,
  request: Request,
): Promise<Session | undefined> {
  const secret = readCookie(request, 'cfb_session', publicUrl)
  return secret === undefined ? undefined : access.sessions.find(secret)
}

/** What the browser keeps of a sign-in, and of one that has begun. */
type CookieName = 'cfb_session' | 'cfb_signing_in'

/** The secret in the browser's cookie; undefined if there is none, or several. */
export function readCookie(
  { headers }: Request,
  name: CookieName,
  publicUrl: string,
): string | undefined {
  const start = `${fullName(name, publicUrl)}=`
  const found = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return found.length === 1 ? found[0]?.slice(start.length) : undefined
}

/** Gives the browser a secret; `maxAge` 0 takes it away. */
export function setCookie(
  response: Response,
  name: CookieName,
  secret: string,
  { publicUrl, maxAge }: { readonly publicUrl: string; readonly maxAge: number },
): void {
  const secure = isSecure(publicUrl)
  const options = { httpOnly: true, sameSite: 'lax', path: '/', secure, maxAge } as const
  response.cookie(fullName(name, publicUrl), secret, options)
}

/** The prefix keeps other hosts from setting this cookie on https addresses (RFC 6265bis). */
function fullName(name: CookieName, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

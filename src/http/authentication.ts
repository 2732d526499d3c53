/* Authentication: staff by token or sign-in, people by sign-in. */
import type { Request, RequestHandler, Response } from 'express'

import { mayDo, type Role, type Staff } from '../domain/access/staff.ts'
import { AppError } from '../domain/errors.ts'
import type { PersonInCompany } from '../domain/person.ts'
import type { Clock } from '../domain/world.ts'
import { isFromOwnPage } from '../web/own-page.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import type { HttpDeps } from './http-deps.ts'

const failuresPerMinute = 60

/** Of wrong tokens, by address: one for all places where a token can be tried. */
export function limitWrongTokens(clock: Clock): RequestLimit {
  return new RequestLimit(failuresPerMinute, clock)
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Admits staff with `Authorization: Bearer TOKEN` (RFC 6750 section 2.1) or a session; with a session, changes must come
 * from our pages. An address with too many failures in a minute gets 429 instead of 401; a valid token is always accepted.
 */
export function requireStaff(deps: HttpDeps, failures: RequestLimit): RequestHandler {
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
  if (given !== undefined) return findStaffByToken(deps, given)
  if (authorization !== undefined) return undefined
  const session = await findSession(deps, request)
  if (!session?.staff) return undefined
  if (!safeMethods.has(request.method)) refuseOtherPages(request, deps.publicUrl)
  return session.staff
}

/** Returns the staff member whom the token lets in; undefined if it opens nothing. */
async function findStaffByToken(
  { hashOfToken, findStaff: find }: HttpDeps,
  given: string,
): Promise<Staff | undefined> {
  const tokenHash = hashOfToken(given)
  return tokenHash && find(tokenHash)
}

/** Fails with `forbidden` for staff with a lower role, before any lookup. */
export function requireRole(needed: Role): RequestHandler {
  return (_request, response, next) => {
    if (mayDo(staffOf(response).role, needed)) return next()
    throw new AppError('forbidden', `This needs the role ${needed}.`)
  }
}

/** Fails with `forbidden` for staff of one company, on routes that cover all companies. */
export const requireAllCompanies: RequestHandler = (_request, response, next) => {
  if (staffOf(response).companyId === null) return next()
  throw new AppError('forbidden', 'This needs a token for all companies.')
}

/** Returns the staff that `requireStaff` admitted. */
export function staffOf({ locals }: Pick<Response, 'locals'>): Staff {
  const staff: Staff | undefined = locals['staff']
  if (!staff) throw new Error('This route is not behind requireStaff.')
  return staff
}

/** Fails with `forbidden` if a change by session does not come from one of our pages, before its body is read. */
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

/** Somebody with a browser that is signed in: a person of the directory, one of the staff, or both. */
export interface BrowserSession {
  readonly person: PersonInCompany | null
  readonly staff: Staff | null
}

/**
 * Returns the session of the browser's cookie; undefined if there is none or it has ended. One that began with a token ends
 * with it.
 */
export async function findSession(
  deps: HttpDeps,
  request: Request,
): Promise<BrowserSession | undefined> {
  const { access, publicUrl } = deps
  const secret = readCookie(request, 'cfb_session', publicUrl)
  const session = secret === undefined ? undefined : await access.sessions.find(secret)
  if (!session) return undefined
  const { person, staffToken } = session
  const staff = staffToken
    ? ((await deps.findStaff(staffToken)) ?? null)
    : session.staff && { ...session.staff, companyId: null }
  return person || staff ? { person, staff } : undefined
}

/** Cookies of a session, and of a sign-in in progress. */
type CookieName = 'cfb_session' | 'cfb_signing_in'

/** Returns the secret in the browser's cookie; undefined if there is none, or several. */
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

/** Stores a secret in the browser; `maxAge` 0 removes it. */
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

/** On https, the prefix keeps other hosts from setting this cookie (RFC 6265bis). */
function fullName(name: CookieName, publicUrl: string): string {
  return isSecure(publicUrl) ? `__Host-${name}` : name
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

import type { Request } from 'express'

import type { Session } from '../domain/access/session.ts'
import type { HttpDeps } from './http-deps.ts'
import { readCookie } from './session-cookie.ts'

/** The sign-in that the browser brings along; undefined where there is none, or it has ended. */
export async function findSignIn(
  { access, publicUrl }: Pick<HttpDeps, 'access' | 'publicUrl'>,
  request: Pick<Request, 'headers'>,
): Promise<Session | undefined> {
  const secret = readCookie(request, 'cfb_session', publicUrl)
  return secret === undefined ? undefined : access.sessions.find(secret)
}

import type { Request, RequestHandler } from 'express'

import { noteDeed } from '../../domain/access/audit-entry.ts'
import type { HttpDeps } from '../http-deps.ts'
import { basePath } from '../pages/page-renderer.ts'
import { requireSameOrigin } from '../same-origin.ts'
import { dropCookie, readCookie } from '../session-cookie.ts'
import { findSignIn } from '../signed-in.ts'

type SignOutDeps = Pick<HttpDeps, 'access' | 'publicUrl' | 'clock' | 'log'>

/** `POST /sign-out`: the session ends on every node. Whoever has none is out already. */
export function signOut(deps: SignOutDeps): RequestHandler {
  return async (request, response) => {
    const { access, publicUrl, clock, log } = deps
    requireSameOrigin(request.headers, publicUrl)
    const session = await findSignIn(deps, request)
    await endBrought(deps, request)
    if (session?.staff) {
      const { actor } = session.staff
      const { audit } = access
      await noteDeed({ audit, clock, log }, { actor, action: 'staff_signed_out' })
    }
    response.setHeader('Cache-Control', 'no-store')
    dropCookie(response, 'cfb_session', publicUrl)
    response.redirect(303, `${basePath(publicUrl)}/`)
  }
}

/** Ends the session that the browser has brought along, whoever's it is. */
export async function endBrought(
  { access, publicUrl }: Pick<HttpDeps, 'access' | 'publicUrl'>,
  request: Pick<Request, 'headers'>,
): Promise<void> {
  const brought = readCookie(request, 'cfb_session', publicUrl)
  if (brought !== undefined) await access.sessions.end(brought)
}

import type { Request, Response } from 'express'

import type { PersonInCompany } from '../../../domain/person.ts'
import { nothingHere } from '../../../web/not-found.ts'
import type { HttpDeps } from '../../http-deps.ts'
import { findSignIn } from '../../signed-in.ts'
import { basePath } from '../page-renderer.ts'

/** The person who has signed in; undefined where nobody has. */
export async function findPerson(
  deps: Pick<HttpDeps, 'access' | 'publicUrl'>,
  request: Request,
): Promise<PersonInCompany | undefined> {
  return (await findSignIn(deps, request))?.person ?? undefined
}

/** Leads whoever is no person who has signed in to where they can; `not_found` where nobody can. */
export async function leadAway(
  deps: Pick<HttpDeps, 'access' | 'publicUrl'>,
  request: Request,
  response: Response,
): Promise<void> {
  const base = basePath(deps.publicUrl)
  const isStaff = (await findSignIn(deps, request))?.staff != null
  if (!isStaff && !deps.access.signIn) throw nothingHere()
  response.setHeader('Cache-Control', 'no-store')
  response.redirect(303, `${base}${isStaff ? '/console' : '/sign-in'}`)
}

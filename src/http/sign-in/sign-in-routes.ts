import type { Request, RequestHandler, Response } from 'express'

import { signingInMs } from '../../access/sign-in/browser-secret.ts'
import { SignInRefused } from '../../access/sign-in/refusals.ts'
import type { SignIn } from '../../access/sign-in/sign-in.ts'
import type { Clock } from '../../domain/world.ts'
import { nothingHere } from '../../web/not-found.ts'
import { addressKey, RequestLimit } from '../../web/request-limit.ts'
import type { HttpDeps } from '../http-deps.ts'
import { basePath, type PageDeps } from '../pages/page-renderer.ts'
import { dropCookie, readCookie, setCookie } from '../session-cookie.ts'
import { sendRefusal } from './refusal-page.ts'
import { endBrought } from './sign-out.ts'

/** A sign-in asks twice, and all of an office come from one address. */
const perMinute = 240

type SignInDeps = PageDeps & Pick<HttpDeps, 'access' | 'log'>

/** Holds back an address that would have the identity provider asked too often. */
export function limitSignIn(clock: Clock): RequestHandler {
  const limit = new RequestLimit(perMinute, clock)
  return (request, _response, next) => {
    limit.take(addressKey(request))
    next()
  }
}

/** `GET /sign-in`: leads to the identity provider. */
export function beginSignIn(deps: SignInDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, request, response) => {
    const { publicUrl } = deps
    const brought = readCookie(request, 'cfb_signing_in', publicUrl)
    const { address, secret } = await signIn.begin(brought, request.query['again'] !== undefined)
    setCookie(response, 'cfb_signing_in', secret, { publicUrl, maxAge: signingInMs })
    response.redirect(303, address)
  })
}

/** `GET /sign-in/callback`: where the provider leads back to. Whatever session the browser had before ends. */
export function finishSignIn(deps: SignInDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, request, response) => {
    const { publicUrl } = deps
    const base = basePath(publicUrl)
    const brought = readCookie(request, 'cfb_signing_in', publicUrl)
    const { searchParams } = new URL(request.originalUrl, publicUrl)
    const finished = await signIn.finish(searchParams, brought)
    if (finished === 'again') return response.redirect(303, `${base}/sign-in?again`)
    await endBrought(deps, request)
    dropCookie(response, 'cfb_signing_in', publicUrl)
    setCookie(response, 'cfb_session', finished.session, { publicUrl, maxAge: signIn.sessionMs })
    response.redirect(303, `${base}${finished.who.person ? '/me' : '/console'}`)
  })
}

type SignInWork = (signIn: SignIn, request: Request, response: Response) => Promise<void>

/** Nothing is there without an identity provider. */
function unlessRefused(deps: SignInDeps, work: SignInWork): RequestHandler {
  return async (request, response) => {
    const { signIn } = deps.access
    if (!signIn) throw nothingHere()
    response.setHeader('Cache-Control', 'no-store')
    try {
      await work(signIn, request, response)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      sendRefusal(deps, request, response, error)
    }
  }
}

import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'

import { signingInMs } from '../../access/sign-in/browser-secret.ts'
import { SignInRefused } from '../../access/sign-in/refusals.ts'
import type { Entered, SignIn } from '../../access/sign-in/sign-in.ts'
import type { Clock } from '../../domain/world.ts'
import { isolated } from '../../text/isolated-text.ts'
import { nothingHere } from '../../web/not-found.ts'
import { addressKey, RequestLimit } from '../../web/request-limit.ts'
import type { HttpDeps } from '../http-deps.ts'
import { basePath, type PageDeps, sendPage } from '../pages/page-renderer.ts'
import { preferredLanguage } from '../pages/preferred-language.ts'
import { dropCookie, readCookie, setCookie } from '../session-cookie.ts'
import { sendRefusal } from './refusal-page.ts'
import { endBrought } from './sign-out.ts'

/** A sign-in asks twice, and all of an office come from one address. */
const perMinute = 240

type SignInDeps = PageDeps & Pick<HttpDeps, 'access' | 'connections' | 'log'>

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

/** `GET /sign-in/callback`: where the provider leads back to. */
export function finishSignIn(deps: SignInDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, request, response) => {
    const { publicUrl } = deps
    const base = basePath(publicUrl)
    const brought = readCookie(request, 'cfb_signing_in', publicUrl)
    const { searchParams } = new URL(request.originalUrl, publicUrl)
    const finished = await signIn.finish(searchParams, brought)
    if (finished === 'again') return response.redirect(303, `${base}/sign-in?again`)
    if (!('toChoose' in finished)) return enter(deps, request, response, finished)
    const query = new URLSearchParams({ state: finished.toChoose })
    response.redirect(303, `${base}/sign-in/company?${query.toString()}`)
  })
}

/** `GET /sign-in/company`: who is known to several companies chooses one. */
export function showCompanies(deps: SignInDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, request, response) => {
    const { state } = chosen.parse(request.query)
    const brought = readCookie(request, 'cfb_signing_in', deps.publicUrl)
    const ids = await signIn.choices(state, brought)
    response.vary('Accept-Language')
    sendPage(deps, response, {
      template: 'sign-in-company',
      referrer: 'same-origin',
      locale: preferredLanguage(request),
      kept: `${new URLSearchParams({ state }).toString()}&`,
      state,
      action: `${basePath(deps.publicUrl)}/sign-in/company`,
      companies: ids.map((id) => ({
        id,
        name: isolated(deps.connections.get(id)?.company.name ?? id),
      })),
    })
  })
}

/** `POST /sign-in/company`: signs in to the one that was chosen. */
export function chooseCompany(deps: SignInDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, request, response) => {
    const { state, company } = chosen.parse(request.body)
    const brought = readCookie(request, 'cfb_signing_in', deps.publicUrl)
    await enter(deps, request, response, await signIn.choose(state, brought, company))
  })
}

/** What is not said is nothing that was offered. */
const chosen = z
  .object({ state: z.string().catch(''), company: z.string().catch('') })
  .catch({ state: '', company: '' })

/** Whatever session the browser had before ends. */
async function enter(
  deps: SignInDeps,
  request: Request,
  response: Response,
  { who, session }: Entered,
): Promise<void> {
  const { publicUrl, access } = deps
  await endBrought(deps, request)
  dropCookie(response, 'cfb_signing_in', publicUrl)
  const maxAge = access.signIn?.sessionMs ?? 0
  setCookie(response, 'cfb_session', session, { publicUrl, maxAge })
  response.redirect(303, `${basePath(publicUrl)}${who.person ? '/me' : '/console'}`)
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

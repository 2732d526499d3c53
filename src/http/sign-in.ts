/* Sign-in with the company's identity provider, and sign-out. */
import type { Request, RequestHandler, Response } from 'express'
import { z } from 'zod'

import { SignInRefused, signInRefusals } from '../access/sign-in/provider.ts'
import { signingInMs, type Entered, type SignIn } from '../access/sign-in/sign-in.ts'
import { saveAuditEvent } from '../domain/access/audit-entry.ts'
import { AppError } from '../domain/errors.ts'
import type { Clock } from '../domain/world.ts'
import { isolated } from '../text/plain-text.ts'
import { nothingHere, onlyTakes, setRetryAfter, statusOf } from '../web/problem.ts'
import { addressKey, RequestLimit } from '../web/request-limit.ts'
import { findSession, readCookie, setCookie } from './authentication.ts'
import { basePath, type PageDeps, preferredLanguage, sendPage } from './pages/page.ts'
import { pageLanguages } from './pages/words/words.ts'

/** A sign-in takes two requests, and a whole office may share one address. */
const perMinute = 240

/**
 * Admits only requests that a person opened, so that nothing else uses up a code. Refuses HEAD (`wrong_method`) and
 * prefetches (`unavailable`; W3C Prefetch, `Sec-Purpose`), after which the browser sends the real request. Limits how often
 * one address can cause requests to the identity provider.
 */
export function guardSignIn(clock: Clock): RequestHandler {
  const limit = new RequestLimit(perMinute, clock)
  return (request, response, next) => {
    if (request.method === 'HEAD') return onlyTakes('GET')(request, response, next)
    const { 'sec-purpose': purpose, purpose: former } = request.headers
    if (/\bprefetch\b/.test(`${String(purpose)} ${String(former)}`)) {
      response.setHeader('Cache-Control', 'no-store')
      throw new AppError('unavailable', 'Sign-in pages cannot be prefetched.')
    }
    limit.take(addressKey(request))
    return next()
  }
}

/** `GET /sign-in`: redirects to the identity provider. */
export function beginSignIn(deps: PageDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, brought, _request, response) => {
    const { publicUrl } = deps
    const { address, secret } = await signIn.begin(brought)
    setCookie(response, 'cfb_signing_in', secret, { publicUrl, maxAge: signingInMs })
    response.redirect(303, address)
  })
}

/** `GET /sign-in/callback`: the identity provider redirects here. */
export function finishSignIn(deps: PageDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, brought, request, response) => {
    const base = basePath(deps.publicUrl)
    const { searchParams } = new URL(request.originalUrl, deps.publicUrl)
    const finished = await signIn.finish(searchParams, brought)
    if (!('toChoose' in finished)) return enter(deps, request, response, finished)
    const query = new URLSearchParams({ state: finished.toChoose })
    response.redirect(303, `${base}/sign-in/company?${query.toString()}`)
  })
}

/** `GET /sign-in/company`: people known to several companies choose one. */
export function showCompanies(deps: PageDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, brought, request, response) => {
    const { state } = choice.parse(request.query)
    const ids = await signIn.choices(state, brought)
    response.vary('Accept-Language')
    sendPage(deps, response, {
      template: 'sign-in-company',
      referrer: 'same-origin',
      locale: preferredLanguage(request),
      inLanguage: `?${new URLSearchParams({ state }).toString()}&`,
      state,
      action: `${basePath(deps.publicUrl)}/sign-in/company`,
      companies: ids.map((id) => ({
        id,
        name: isolated(deps.connections.get(id)?.company.name ?? id),
      })),
    })
  })
}

/** `POST /sign-in/company`: signs in to the chosen company. */
export function chooseCompany(deps: PageDeps): RequestHandler {
  return unlessRefused(deps, async (signIn, brought, request, response) => {
    const { state, company } = choice.parse(request.body)
    await enter(deps, request, response, await signIn.choose(state, brought, company))
  })
}

/** Missing fields become empty, which matches no offered choice. */
const choice = z
  .object({ state: z.string().catch(''), company: z.string().catch('') })
  .catch({ state: '', company: '' })

/** Starts the session and ends any former one of this browser. */
async function enter(
  deps: PageDeps,
  request: Request,
  response: Response,
  { who, session }: Entered,
): Promise<void> {
  const { publicUrl, access } = deps
  deps.metrics.countSignIn('signed_in')
  await endSession(deps, request)
  setCookie(response, 'cfb_signing_in', '', { publicUrl, maxAge: 0 })
  const maxAge = access.signIn?.sessionMs ?? 0
  setCookie(response, 'cfb_session', session, { publicUrl, maxAge })
  response.redirect(303, `${basePath(publicUrl)}${who.person ? '/me' : '/console'}`)
}

/** Fails with `not_found` without an identity provider. `brought` is the secret of a sign-in that this browser has begun. */
function unlessRefused(
  deps: PageDeps,
  work: (
    signIn: SignIn,
    brought: string | undefined,
    request: Request,
    response: Response,
  ) => Promise<void>,
): RequestHandler {
  return async (request, response) => {
    const { signIn } = deps.access
    if (!signIn) throw nothingHere()
    response.setHeader('Cache-Control', 'no-store')
    try {
      const brought = readCookie(request, 'cfb_signing_in', deps.publicUrl)
      await work(signIn, brought, request, response)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      const { reason, what, mend } = error
      // The details are for IT.
      deps.metrics.countSignIn(reason)
      deps.log.warn({ reason, ...(what && { what }), ...(mend && { mend }) }, 'sign_in_refused')
      sendRefusal(deps, request, response, error)
    }
  }
}

/** `GET /sign-in/refused`: the page of a refusal in another language. */
export function showRefusal(deps: PageDeps): RequestHandler {
  return (request, response) => {
    const { cause } = request.query
    const reason = signInRefusals.find((it) => it === cause)
    if (!deps.access.signIn || !reason) throw nothingHere()
    sendRefusal(deps, request, response, new SignInRefused(reason))
  }
}

/** Says why the sign-in failed and what to do. */
function sendRefusal(
  deps: PageDeps,
  request: Request,
  response: Response,
  refused: SignInRefused,
): void {
  const { reason } = refused
  const base = basePath(deps.publicUrl)
  const locale = preferredLanguage(request)
  const words = pageLanguages[locale]
  setRetryAfter(response, refused)
  response.status(statusOf(refused)).vary('Accept-Language')
  sendPage(deps, response, {
    template: 'error',
    locale,
    title: words.signIn.refusals[reason].heading,
    inLanguage: `${base}/sign-in/refused?cause=${reason}&`,
    error: words.signIn.refusals[reason],
    waysOn: [
      { address: `${base}/sign-in`, text: words.waysOn.again },
      { address: `${base}/`, text: words.waysOn.front },
    ],
  })
}

/** `POST /sign-out`, behind `requireOwnPage`: ends the session on every node. */
export function signOut(deps: PageDeps): RequestHandler {
  return async (request, response) => {
    const { access, publicUrl, clock, log } = deps
    const session = await findSession(deps, request)
    await endSession(deps, request)
    if (session?.staff) {
      const { actor, companyId } = session.staff
      await saveAuditEvent(
        { audit: access.audit, clock, log },
        { actor, action: 'staff_signed_out' },
        { companyId },
      )
    }
    response.setHeader('Cache-Control', 'no-store')
    setCookie(response, 'cfb_session', '', { publicUrl, maxAge: 0 })
    response.redirect(303, `${basePath(publicUrl)}/`)
  }
}

async function endSession({ access, publicUrl }: PageDeps, request: Request): Promise<void> {
  const brought = readCookie(request, 'cfb_session', publicUrl)
  if (brought !== undefined) await access.sessions.end(brought)
}

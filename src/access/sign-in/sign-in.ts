import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  type ServerMetadata,
  WWWAuthenticateChallengeError,
} from 'openid-client'

import { type AuditStore, saveAuditEvent } from '../../domain/access/audit-entry.ts'
import type { SignedIn } from '../../domain/access/staff.ts'
import { hashSecret, makeSecret } from '../../domain/secrets.ts'
import type { Clock, Log, Instant } from '../../domain/world.ts'
import type { Sessions } from '../sessions.ts'
import { listed, type Provider, providerFault, SignInRefused } from './provider.ts'
import { claimsNeeded, groupsLeftOut, ownClaim, type Told, type WhoDeps, whoIs } from './who.ts'

export interface SignInDeps extends WhoDeps {
  readonly provider: Provider
  readonly sessions: Sessions
  readonly audit: AuditStore
  readonly publicUrl: string
  readonly sessionMs: number
  readonly clock: Clock
  readonly log: Log
}

/** Somebody who is signed in, and the secret of their session. */
export interface Entered {
  readonly who: SignedIn
  readonly session: string
}

/** Signs people in with the identity provider: OpenID Connect Core, 3.1, with PKCE (RFC 7636). Fails with `SignInRefused`. */
export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  get sessionMs(): number {
    return this.#deps.sessionMs
  }

  /** Whether anybody can sign in as staff. */
  get hasStaff(): boolean {
    const { admin, support } = this.#deps.rules
    return (admin ?? support) !== undefined
  }

  /** What is set; no secret. */
  get settings(): Provider['client'] & {
    readonly callback: string
    readonly rules: SignInDeps['rules']
  } {
    const { provider, rules } = this.#deps
    return { ...provider.client, rules, callback: this.#callback().href }
  }

  /** What the provider publishes now, its keys too. */
  probe(): Promise<ServerMetadata> {
    return this.#deps.provider.probe()
  }

  /** Where the browser is sent, and the secret that it keeps meanwhile; `brought` is the one that it has. */
  async begin(
    brought: string | undefined,
  ): Promise<{ readonly address: string; readonly secret: string }> {
    const { provider, rules, clock } = this.#deps
    const secret = isBrowserSecret(brought) ? brought : makeSecret('cfs')
    const configuration = await provider.configuration()
    const { state, nonce, verifier } = makeAttempt(secret, clock.now())
    const parameters = {
      ...askedClaims(configuration.serverMetadata(), claimsNeeded(rules)),
      redirect_uri: this.#callback().href,
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    return { address: buildAuthorizationUrl(configuration, parameters).href, secret }
  }

  /** Ends it with what the browser has brought back. Somebody whom several companies know chooses one by the state. */
  async finish(
    answer: URLSearchParams,
    brought: string | undefined,
  ): Promise<Entered | { readonly toChoose: string }> {
    const [state = '', ...others] = answer.getAll('state')
    const attempt = findAttempt(brought, state, this.#deps.clock.now())
    if (!attempt || others.length > 0) throw new SignInRefused('not_begun_here')
    const told = await this.#ask(answer, attempt)
    this.#tellLeftOut(told)
    const all = await whoIs(this.#deps, told)
    const [who] = all
    if (who && all.length === 1) return this.#enter(who)
    for (const one of all) {
      const key = choiceKey(brought, state, one.person?.companyId ?? '')
      await this.#deps.sessions.offer(one, key, signingInMs)
    }
    return { toChoose: state }
  }

  /** The companies that may be chosen by that state, in the order of their settings. */
  async choices(state: string, brought: string | undefined): Promise<readonly string[]> {
    const offers = [...this.#deps.companies].map(async (id) => {
      return (await this.#findOffer(state, brought, id)) ? [id] : []
    })
    const found = (await Promise.all(offers)).flat()
    if (found.length === 0) throw new SignInRefused('not_begun_here')
    return found
  }

  async choose(state: string, brought: string | undefined, companyId: string): Promise<Entered> {
    const { sessions, companies } = this.#deps
    const offer = await this.#findOffer(state, brought, companyId)
    if (!offer) throw new SignInRefused('not_begun_here')
    for (const id of companies) await sessions.end(choiceKey(brought, state, id))
    return this.#enter(offer)
  }

  /** Someone who has left meanwhile may still be staff, but not of a company. */
  async #findOffer(
    state: string,
    brought: string | undefined,
    companyId: string,
  ): Promise<SignedIn | undefined> {
    const found = await this.#deps.sessions.findOffer(choiceKey(brought, state, companyId))
    return found?.person ? { person: found.person, staff: found.staff } : undefined
  }

  async #enter(who: SignedIn): Promise<Entered> {
    const { person, staff } = who
    const session = await this.#deps.sessions.begin(who)
    if (person) {
      this.#deps.log.info({ company: person.companyId, users: [person.userId] }, 'signed_in')
    }
    if (staff) {
      await saveAuditEvent(this.#deps, { actor: staff.actor, action: 'staff_signed_in' })
    }
    return { who, session }
  }

  async #ask(answer: URLSearchParams, { state, nonce, verifier }: Attempt): Promise<Told> {
    const { provider, rules } = this.#deps
    const address = this.#callback()
    address.search = answer.toString()
    const checks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    }
    try {
      const configuration = await provider.configuration()
      const tokens = await provider.showingSecret(() =>
        authorizationCodeGrant(configuration, address, checks),
      )
      const idToken = tokens.claims()
      if (!idToken) throw new Error('An answer without ID token has been refused.')
      const { sub, azp } = idToken
      // The library lets both through (OpenID Connect Core, 2 and 3.1.3.7).
      if (sub === '') throw new SignInRefused('answer_wrong', { what: 'sub' })
      if (azp !== undefined && azp !== configuration.clientMetadata().client_id) {
        throw new SignInRefused('answer_wrong', { what: 'azp' })
      }
      const isMissing = claimsNeeded(rules).some((name) => ownClaim(idToken, name) === undefined)
      const canAsk = configuration.serverMetadata().userinfo_endpoint !== undefined
      if (!isMissing || !canAsk) return { idToken, userinfo: null }
      const userinfo = await fetchUserInfo(configuration, tokens.access_token, sub).catch(
        refuseUserinfo,
      )
      return { idToken, userinfo }
    } catch (error) {
      throw providerFault(error)
    }
  }

  #tellLeftOut(told: Told): void {
    for (const claim of groupsLeftOut(this.#deps.rules, told)) {
      const mend =
        'The provider leaves the claim out where it would be long; it must tell an app role, or only the groups that are assigned to the application.'
      this.#deps.log.warn({ claim, mend }, 'groups_left_out')
    }
  }

  #callback(): URL {
    return new URL(`${this.#deps.publicUrl}/sign-in/callback`)
  }
}

/** Here a challenge says nothing about the secret of the client. */
function refuseUserinfo(cause: unknown): never {
  if (!(cause instanceof WWWAuthenticateChallengeError)) throw cause
  throw new SignInRefused('provider_wrong', { what: `userinfo_endpoint ${cause.status}`, cause })
}

/** Asks for claims as scopes, and by name if the provider takes that (OpenID Connect Core, 5.5). */
function askedClaims(
  metadata: ServerMetadata,
  names: readonly string[],
): { readonly scope: string; readonly claims?: string } {
  const known = listed(metadata.scopes_supported)
  const more = names.filter((scope) => known.includes(scope))
  const scope = [...new Set(['openid', 'email', 'profile', ...more])].join(' ')
  if (metadata.claims_parameter_supported !== true) return { scope }
  const each = Object.fromEntries(names.map((name) => [name, null]))
  return { scope, claims: JSON.stringify({ id_token: each, userinfo: each }) }
}

export const signingInMs = 600_000

/**
 * One way to the provider and back. All of it follows from the state and the secret that the browser keeps, so that nothing
 * is stored, several tabs can sign in at once, and every node knows the attempts of all.
 */
interface Attempt {
  readonly state: string
  readonly nonce: string
  /** RFC 7636 section 4.1. */
  readonly verifier: string
}

function isBrowserSecret(brought: string | undefined): brought is string {
  return brought !== undefined && hashSecret('cfs', brought) !== undefined
}

function makeAttempt(secret: string, now: Instant): Attempt {
  const text = `${randomBytes(24).toString('base64url')}.${now.toString(36)}`
  return attemptOf(secret, `${text}.${derived(secret, 'state', text)}`)
}

/** Undefined if the browser with that secret has not begun it, or too long ago. */
function findAttempt(secret: string | undefined, state: string, now: Instant): Attempt | undefined {
  const form = /^(?<text>[\w-]{32}\.(?<begun>[\da-z]{1,11}))\.(?<mark>[\w-]{43})$/
  const { text = '', begun = '', mark = '' } = form.exec(state)?.groups ?? {}
  if (mark === '' || !isBrowserSecret(secret)) return undefined
  if (!timingSafeEqual(Buffer.from(mark), Buffer.from(derived(secret, 'state', text)))) {
    return undefined
  }
  return now - Number.parseInt(begun, 36) <= signingInMs ? attemptOf(secret, state) : undefined
}

function attemptOf(secret: string, state: string): Attempt {
  const nonce = derived(secret, 'nonce', state)
  return { state, nonce, verifier: derived(secret, 'verifier', state) }
}

/** The key under which a sign-in waits until the browser chooses this company. */
function choiceKey(secret = '', state: string, companyId: string): string {
  return derived(secret, 'choice', `${state}\n${companyId}`)
}

function derived(
  secret: string,
  purpose: 'state' | 'nonce' | 'verifier' | 'choice',
  text: string,
): string {
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url')
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
  type IDToken,
  type ServerMetadata,
} from 'openid-client'

import { type AuditStore, saveAuditEvent } from '../../domain/access/audit-entry.ts'
import type { SignedIn } from '../../domain/access/session.ts'
import type { Clock, Log, Instant } from '../../domain/world.ts'
import { hashSecret, makeSecret } from '../secrets.ts'
import type { Sessions } from '../sessions.ts'
import {
  isClientRefused,
  isUnknownKey,
  providerFault,
  userinfoFault,
  type Provider,
  SignInRefused,
  listed,
} from './provider.ts'
import {
  type Claims,
  needsUserinfo,
  type Told,
  claimsNeeded,
  groupsLeftOut,
  type WhoDeps,
  whoIs,
} from './who.ts'

export interface SignInDeps extends WhoDeps {
  readonly provider: Provider
  readonly sessions: Sessions
  readonly audit: Pick<AuditStore, 'addEntry'>
  readonly publicUrl: string
  /** How long a session lasts. */
  readonly sessionMs: number
  readonly clock: Clock
  readonly log: Log
}

/** Where the browser is sent, and the secret that it keeps meanwhile. */
export interface Begun {
  readonly address: string
  readonly secret: string
}

/** Somebody who is signed in, and the secret of their session. */
export interface Entered {
  readonly who: SignedIn
  readonly session: string
}

/** That; or the state by which a company is to be chosen; or a second attempt that is due. */
export type Finished = Entered | { readonly toChoose: string } | 'again'

/** Signs people in with the identity provider: OpenID Connect Core, 3.1, with PKCE (RFC 7636). */
export class SignIn {
  readonly #deps: SignInDeps

  constructor(deps: SignInDeps) {
    this.#deps = deps
  }

  /** How long a session lasts. */
  get sessionMs(): number {
    return this.#deps.sessionMs
  }

  /** Begins in the browser that has brought that secret. Fails with `SignInRefused`. */
  async begin(brought: string | undefined, isAgain: boolean): Promise<Begun> {
    const { provider, rules, clock } = this.#deps
    const secret = browserSecret(brought)
    const configuration = await provider.configuration()
    const { state, nonce, verifier } = makeAttempt(secret, clock.now(), isAgain)
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

  /** Ends it with what the browser has brought back. Fails with `SignInRefused`. */
  async finish(answer: URLSearchParams, brought: string | undefined): Promise<Finished> {
    const { clock } = this.#deps
    const [state = '', ...others] = answer.getAll('state')
    const attempt = findAttempt(brought, others.length > 0 ? '' : state, clock.now())
    if (!attempt) throw new SignInRefused('not_begun_here')
    const told = await this.#ask(answer, attempt)
    if (!told) return 'again'
    const all = await whoIs(this.#deps, told).finally(() => this.#tellLeftOut(told))
    const [who] = all
    if (who && all.length === 1) return this.#enter(who)
    for (const one of all) await this.#offer(one, state, brought)
    return { toChoose: state }
  }

  /** The companies among which that browser may choose by that state, in the order of their settings. */
  async choices(state: string, brought: string | undefined): Promise<readonly string[]> {
    const { companies } = this.#deps
    const found = await Promise.all(
      [...companies].map(async (id) => ((await this.#offered(state, brought, id)) ? [id] : [])),
    )
    if (found.flat().length === 0) throw new SignInRefused('not_begun_here')
    return found.flat()
  }

  /** Ends it in the company that was chosen. Fails with `SignInRefused`. */
  async choose(state: string, brought: string | undefined, companyId: string): Promise<Entered> {
    const offered = await this.#offered(state, brought, companyId)
    if (!offered) throw new SignInRefused('not_begun_here')
    const { sessions, companies } = this.#deps
    for (const id of companies) await sessions.endOffer(choiceKey(brought ?? '', state, id))
    return this.#enter(offered)
  }

  async #offer(who: SignedIn, state: string, brought = ''): Promise<void> {
    const key = choiceKey(brought, state, who.person?.companyId ?? '')
    await this.#deps.sessions.offer(who, key, signingInMs)
  }

  async #offered(
    state: string,
    brought: string | undefined,
    companyId: string,
  ): Promise<SignedIn | undefined> {
    if (brought === undefined) return undefined
    const found = await this.#deps.sessions.findOffer(choiceKey(brought, state, companyId))
    // Of one who has left meanwhile what they are as staff is left; that is no company's.
    return found?.person ? { person: found.person, staff: found.staff } : undefined
  }

  async #enter(who: SignedIn): Promise<Entered> {
    const session = await this.#deps.sessions.begin(who)
    await this.#note(who)
    return { who, session }
  }

  /** undefined where the provider has changed its keys since they were fetched. */
  async #ask(answer: URLSearchParams, attempt: Attempt): Promise<Told | undefined> {
    const { provider } = this.#deps
    try {
      const secretIn = await provider.secretIn()
      return await this.#exchange(answer, attempt).catch(async (error: unknown) => {
        const isShownWrongly = isClientRefused(error) && secretIn !== undefined
        if (!isShownWrongly || !(await provider.changeSecretsPlace(secretIn))) throw error
        return this.#exchange(answer, attempt)
      })
    } catch (error) {
      if (!isUnknownKey(error) || attempt.isAgain) throw providerFault(error)
      provider.forgetKeys()
      return undefined
    }
  }

  async #exchange(answer: URLSearchParams, attempt: Attempt): Promise<Told> {
    const { provider, rules } = this.#deps
    const configuration = await provider.configuration()
    const address = this.#callback()
    address.search = answer.toString()
    const tokens = await authorizationCodeGrant(configuration, address, {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    })
    const idToken = tokens.claims()
    if (!idToken) throw new Error('An answer without ID token has been refused.')
    requireOurs(configuration, idToken)
    const isAsked =
      needsUserinfo(idToken, claimsNeeded(rules)) &&
      configuration.serverMetadata().userinfo_endpoint !== undefined
    const userinfo = isAsked ? await askUserinfo(configuration, tokens.access_token, idToken) : null
    return { idToken: { ...idToken }, userinfo }
  }

  async #note({ person, staff }: SignedIn): Promise<void> {
    const { log } = this.#deps
    if (person) log.info({ company: person.companyId, users: [person.userId] }, 'signed_in')
    if (!staff) return
    await saveAuditEvent(this.#deps, { actor: staff.actor, action: 'staff_signed_in' })
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

/** Refuses an ID token that is of nobody, or was made for another client than this (OpenID Connect Core, 2 and 3.1.3.7). */
function requireOurs(configuration: Configuration, { sub, azp }: IDToken): void {
  if (sub === '') throw new SignInRefused('answer_wrong', { what: 'sub' })
  const isOurs = azp === undefined || azp === configuration.clientMetadata().client_id
  if (!isOurs) throw new SignInRefused('answer_wrong', { what: 'azp' })
}

async function askUserinfo(
  configuration: Configuration,
  accessToken: string,
  { sub }: IDToken,
): Promise<Claims> {
  try {
    return { ...(await fetchUserInfo(configuration, accessToken, sub)) }
  } catch (error) {
    throw userinfoFault(error)
  }
}

/** The scopes that bring the standard's claims, besides those of everybody (OpenID Connect Core, 5.4). */
const scopeOfClaim: Readonly<Record<string, string>> = {
  phone_number: 'phone',
  phone_number_verified: 'phone',
  address: 'address',
}

type Asked = { readonly scope: string; readonly claims?: string }

/** What a sign-in asks the provider to tell: as scopes, and by name where the provider takes that (OpenID Connect Core, 5.5). */
function askedClaims(metadata: ServerMetadata, names: readonly string[]): Asked {
  const known = listed(metadata.scopes_supported)
  const more = names
    .map((name) => scopeOfClaim[name] ?? name)
    .filter((scope) => known.includes(scope))
  const scope = [...new Set(['openid', 'email', 'profile', ...more])].join(' ')
  if (metadata.claims_parameter_supported !== true) return { scope }
  const each = Object.fromEntries(names.map((name) => [name, null]))
  return { scope, claims: JSON.stringify({ id_token: each, userinfo: each }) }
}

/** For so long a sign-in may take at the provider. */
export const signingInMs = 600_000

/**
 * One way to the provider and back. All of it follows from the state and the secret that the browser keeps meanwhile, so
 * nothing is stored, several tabs may be under way at once, and each node knows those of all.
 */
export interface Attempt {
  readonly state: string
  readonly nonce: string
  /** RFC 7636 section 4.1. */
  readonly verifier: string
  /** Whether it is the second one, because the first met a key that was not known. */
  readonly isAgain: boolean
}

/** The secret that the browser keeps while it signs in: the one it has, or a new one. */
function browserSecret(brought: string | undefined): string {
  const isOne = brought !== undefined && hashSecret('cfs', brought) !== undefined
  return isOne ? brought : makeSecret('cfs').secret
}

/** A new attempt of the browser with that secret. */
function makeAttempt(secret: string, now: Instant, isAgain: boolean): Attempt {
  const random = randomBytes(24).toString('base64url')
  const text = [random, now.toString(36), isAgain ? 'again' : 'first'].join('.')
  return attemptOf(secret, `${text}.${derived(secret, 'state', text)}`, isAgain)
}

/** The attempt of that state; undefined where the browser of that secret has not begun it, or too long ago. */
function findAttempt(secret: string | undefined, state: string, now: Instant): Attempt | undefined {
  const [, text, mark] =
    /^([\w-]{32}\.[\da-z]{1,11}\.(?:again|first))\.([\w-]{43})$/.exec(state) ?? []
  if (text === undefined || mark === undefined) return undefined
  if (secret === undefined || hashSecret('cfs', secret) === undefined) return undefined
  if (!timingSafeEqual(Buffer.from(mark), Buffer.from(derived(secret, 'state', text))))
    return undefined
  const [, begun = '', count] = text.split('.')
  const age = now - Number.parseInt(begun, 36)
  return age <= signingInMs ? attemptOf(secret, state, count === 'again') : undefined
}

function attemptOf(secret: string, state: string, isAgain: boolean): Attempt {
  const nonce = derived(secret, 'nonce', state)
  return { state, nonce, verifier: derived(secret, 'verifier', state), isAgain }
}

/** By what a sign-in is known that is finished once the browser of that secret chooses this company. */
function choiceKey(secret: string, state: string, companyId: string): string {
  return derived(secret, 'choice', `${state}\n${companyId}`)
}

type Purpose = 'state' | 'nonce' | 'verifier' | 'choice'

function derived(secret: string, purpose: Purpose, text: string): string {
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest('base64url')
}

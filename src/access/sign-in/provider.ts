import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
  type ServerMetadata,
} from 'openid-client'

import { AppError, codeOf, type ErrorCode } from '../../domain/errors.ts'
import { namesIn } from '../../domain/kinds.ts'
import type { Clock, Instant } from '../../domain/world.ts'

/** Why a sign-in fails, and the code of that for programs. */
const codes = {
  unknown_mail: 'forbidden',
  mail_of_several: 'forbidden',
  unverified_mail: 'forbidden',
  no_mail: 'forbidden',
  no_id: 'forbidden',
  unknown_id: 'forbidden',
  id_of_several: 'forbidden',
  has_left: 'forbidden',
  groups_left_out: 'forbidden',
  not_begun_here: 'invalid',
  cancelled: 'forbidden',
  code_refused: 'invalid',
  answer_wrong: 'invalid',
  provider_away: 'upstream_unavailable',
  provider_wrong: 'upstream_invalid',
  set_up_wrong: 'upstream_rejected',
} as const satisfies Record<string, ErrorCode>

export type SignInRefusal = keyof typeof codes
export const signInRefusals = namesIn(codes)

const retryAfterMs = 30_000

interface RefusalDetails {
  /** What went wrong, by the name that the standard, the library or the system has for it; no secret. */
  readonly what?: string | undefined
  /** What IT has to do, as a sentence. */
  readonly mend?: string | undefined
  readonly cause?: unknown
}

export class SignInRefused extends AppError {
  readonly reason: SignInRefusal
  readonly what: string | undefined
  readonly mend: string | undefined

  constructor(reason: SignInRefusal, { what, mend, cause }: RefusalDetails = {}) {
    const isPassing = reason === 'provider_away' || reason === 'provider_wrong'
    super(codes[reason], 'Nobody is signed in.', { cause, ...(isPassing ? { retryAfterMs } : {}) })
    this.reason = reason
    this.what = what
    this.mend = mend
  }
}

/** What the provider's words (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core, 3.1.2.6) and the library's codes mean. */
const refusals: Readonly<Record<string, SignInRefusal>> = {
  access_denied: 'cancelled',
  login_required: 'cancelled',
  interaction_required: 'cancelled',
  consent_required: 'cancelled',
  account_selection_required: 'cancelled',
  invalid_grant: 'code_refused',
  server_error: 'provider_away',
  temporarily_unavailable: 'provider_away',
  OAUTH_TIMEOUT: 'provider_away',
  OAUTH_ABORT: 'provider_away',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_wrong',
  OAUTH_RESPONSE_IS_NOT_JSON: 'provider_wrong',
  OAUTH_PARSE_ERROR: 'provider_wrong',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'provider_wrong',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'provider_wrong',
}

const mends: Readonly<Record<string, string>> = {
  invalid_client: 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be those that the provider knows.',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED:
    'The clocks of this machine and of the provider must agree within a minute.',
}
const mendClient =
  'The provider must know this client, with PUBLIC_URL and /sign-in/callback as its redirect URI, and allow it the authorization code flow and the scopes openid, email and profile.'
const mendIssuer =
  'OIDC_ISSUER must be written as the provider itself writes it, down to a slash at its end.'

/** The refusal, if the provider or the way to it is the cause; any other error stays as it is. */
export function providerFault(cause: unknown): unknown {
  const what = wordOf(cause)
  if (what !== undefined) {
    const reason = refusals[what] ?? 'set_up_wrong'
    const mend = reason === 'set_up_wrong' ? (mends[what] ?? mendClient) : undefined
    return new SignInRefused(reason, { what, mend, cause })
  }
  if (cause instanceof SignInRefused) return cause
  const code = codeOf(cause)
  if (code.startsWith('OAUTH_')) {
    return new SignInRefused(refusals[code] ?? 'answer_wrong', {
      what: code,
      mend: mends[code],
      cause,
    })
  }
  // Without a code the library only passes on what happened on the way, or a key that is none.
  const passedOn = cause instanceof ClientError ? cause.cause : cause
  if (passedOn instanceof DOMException) {
    return new SignInRefused('provider_wrong', { what: passedOn.name, cause })
  }
  if (!(passedOn instanceof AppError)) return cause
  const reason = passedOn.code === 'upstream_unavailable' ? 'provider_away' : 'provider_wrong'
  return new SignInRefused(reason, { what: codeOf(passedOn.cause) || passedOn.code, cause })
}

function discoveryFault(cause: unknown): unknown {
  const fault = providerFault(cause)
  if (!(fault instanceof SignInRefused) || fault.reason !== 'answer_wrong') return fault
  const { what } = fault
  return what === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
    ? new SignInRefused('set_up_wrong', { what, mend: mendIssuer, cause })
    : new SignInRefused('provider_wrong', { what, cause })
}

/** The provider's word for what it refuses; never more than a word. */
function wordOf(error: unknown): string | undefined {
  if (error instanceof WWWAuthenticateChallengeError) {
    return error.status === 401 ? 'invalid_client' : 'challenge'
  }
  if (error instanceof ResponseBodyError && error.status === 429) return 'temporarily_unavailable'
  const isSaid = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
  if (!isSaid) return undefined
  return /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'other'
}

export function listed(list: unknown): readonly string[] {
  const members: readonly unknown[] = Array.isArray(list) ? list : []
  return members.filter((member) => typeof member === 'string')
}

const renewedMs = 3_600_000
const requestTimeoutMs = 5000
/** How far the provider's clock may be from ours. */
const clocksDifferSeconds = 60

export interface ProviderDeps {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly fetch: CustomFetch
  readonly clock: Clock
  readonly timeoutMs?: number
}

/** What the provider publishes about itself: read when somebody signs in, and kept for an hour. */
export class Provider {
  readonly #deps: ProviderDeps
  #discovered: { readonly at: Instant; readonly configuration: Promise<Configuration> } | undefined
  /** Where the client shows its secret (RFC 6749 section 2.3.1), once that is known. */
  #secretIn: 'body' | 'header' | undefined

  constructor(deps: ProviderDeps) {
    this.#deps = deps
  }

  /** Fails with `SignInRefused`; then it is read again the next time. */
  async configuration(): Promise<Configuration> {
    const now = this.#deps.clock.now()
    const known = this.#discovered
    if (known && now - known.at < renewedMs) return known.configuration
    const discovered = { at: now, configuration: this.#discover() }
    this.#discovered = discovered
    try {
      return await discovered.configuration
    } catch (error) {
      if (this.#discovered === discovered) this.#discovered = undefined
      throw error
    }
  }

  /** How this program is known there. */
  get client(): Pick<ProviderDeps, 'issuer' | 'clientId'> & { readonly hasSecret: boolean } {
    const { issuer, clientId, clientSecret } = this.#deps
    return { issuer, clientId, hasSecret: clientSecret !== undefined }
  }

  /** What the provider publishes now, its keys too. Fails with `SignInRefused`. */
  async probe(): Promise<ServerMetadata> {
    this.#discovered = undefined
    const metadata = (await this.configuration()).serverMetadata()
    await this.#readKeys(String(metadata.jwks_uri))
    return metadata
  }

  async #readKeys(address: string): Promise<void> {
    const headers = { accept: 'application/json' }
    const asked = { method: 'GET', headers, body: undefined, redirect: 'manual' } as const
    try {
      const answer = await this.#deps.fetch(address, asked)
      const { keys } = Object(await answer.json().catch(() => null))
      if (answer.status === 200 && Array.isArray(keys) && keys.length > 0) return
      throw new SignInRefused('provider_wrong', { what: 'jwks_uri' })
    } catch (error) {
      throw providerFault(error)
    }
  }

  /**
   * Does what shows the client's secret. If the provider refuses that, it is done again with the secret in the other place:
   * no provider publishes for which one a client is registered.
   */
  async showingSecret<T>(work: () => Promise<T>): Promise<T> {
    const shownIn = this.#secretIn
    try {
      return await work()
    } catch (error) {
      if (wordOf(error) !== 'invalid_client' || this.#deps.clientSecret === undefined) throw error
      // Others may have changed it meanwhile.
      if (this.#secretIn === shownIn) this.#secretIn = shownIn === 'body' ? 'header' : 'body'
      return work()
    }
  }

  async #discover(): Promise<Configuration> {
    const {
      issuer,
      clientId,
      clientSecret: secret,
      fetch,
      timeoutMs = requestTimeoutMs,
    } = this.#deps
    const isPlain = issuer.toLowerCase().startsWith('http:')
    const execute = [...(isPlain ? [allowInsecureRequests] : []), enableNonRepudiationChecks]
    const client = {
      ...(secret === undefined ? {} : { client_secret: secret }),
      [clockTolerance]: clocksDifferSeconds,
    }
    const ways = { body: ClientSecretPost(secret), header: ClientSecretBasic(secret) }
    const options = { timeout: timeoutMs / 1000, execute, [customFetch]: fetch }
    try {
      const found = await discovery(
        new URL(issuer),
        clientId,
        client,
        secret === undefined ? None() : (...of) => ways[this.#secretIn ?? 'header'](...of),
        options,
      )
      const metadata = found.serverMetadata()
      refuseAllTenants(metadata.issuer)
      requireEndpoints(metadata)
      const takesBody = listed(metadata.token_endpoint_auth_methods_supported)
      this.#secretIn ??= takesBody.includes('client_secret_post') ? 'body' : 'header'
      return found
    } catch (error) {
      throw discoveryFault(error)
    }
  }
}

/** Refuses a provider without an address to ask, or with one to which no browser should be sent. */
function requireEndpoints(metadata: ServerMetadata): void {
  const isPlain = URL.parse(metadata.issuer)?.protocol === 'http:'
  const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const
  const what = endpoints.find((name) => {
    const { protocol } = URL.parse(String(metadata[name])) ?? {}
    return protocol !== 'https:' && !(isPlain && protocol === 'http:')
  })
  if (what !== undefined) throw new SignInRefused('provider_wrong', { what })
}

/**
 * Microsoft's issuer for all tenants at once is a pattern. The library would take the tokens of every tenant, and the
 * administrators of each could use any id.
 */
function refuseAllTenants(issuer: string): void {
  if (!/[{}]/.test(issuer)) return
  const mend = 'OIDC_ISSUER must name the tenant by its own id.'
  throw new SignInRefused('set_up_wrong', { what: 'issuer', mend })
}

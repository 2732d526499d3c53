import {
  type ServerMetadata,
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockTolerance,
  type Configuration,
  customFetch,
  type CustomFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client'

import { AppError, type ErrorCode } from '../../domain/errors.ts'
import type { Clock, Instant } from '../../domain/world.ts'

/** Why nobody is signed in, and what that is to programs. */
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

const retryAfterMs = 30_000

interface RefusalDetails {
  /** What went wrong by the standard's, the library's or the system's name; no secret. */
  readonly what?: string | undefined
  /** What IT has to mend, as a sentence. */
  readonly mend?: string | undefined
  readonly cause?: unknown
}

/** A sign-in that has come to nothing. */
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

/** Without which nobody signs in. */
const endpoints = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** Refuses (`provider_wrong`) a provider that publishes no address for what it has to be asked, or one to which no browser should be sent. */
function requireEndpoints(metadata: ServerMetadata): void {
  const isPlain = URL.parse(metadata.issuer)?.protocol === 'http:'
  const what = endpoints.find((name) => {
    const { protocol } = URL.parse(String(metadata[name])) ?? {}
    return protocol !== 'https:' && !(isPlain && protocol === 'http:')
  })
  if (what !== undefined) throw new SignInRefused('provider_wrong', { what })
}

/**
 * Refuses (`set_up_wrong`) a provider whose issuer is a pattern, as Microsoft's is for all tenants at once: the library takes the
 * tokens of every one of them, and anyone who governs another could call anybody by any id.
 */
function requireOneIssuer({ issuer }: ServerMetadata): void {
  if (!/[{}]/.test(issuer)) return
  const mend = 'OIDC_ISSUER must name the tenant by its own id.'
  throw new SignInRefused('set_up_wrong', { what: 'issuer', mend })
}

/** What the provider lists; nothing where that is no list. */
export function listed(list: unknown): readonly string[] {
  const members: readonly unknown[] = Array.isArray(list) ? list : []
  return members.filter((member) => typeof member === 'string')
}

/** What a provider says by its errors (RFC 6749 sections 4.1.2.1 and 5.2, OpenID Connect Core, 3.1.2.6). */
const said: Readonly<Record<string, SignInRefusal>> = {
  access_denied: 'cancelled',
  login_required: 'cancelled',
  interaction_required: 'cancelled',
  consent_required: 'cancelled',
  account_selection_required: 'cancelled',
  invalid_grant: 'code_refused',
  server_error: 'provider_away',
  temporarily_unavailable: 'provider_away',
}

/** By what the library calls them; all others mean that an answer does not check out. */
const refusalsByCode: Readonly<Record<string, SignInRefusal>> = {
  OAUTH_TIMEOUT: 'provider_away',
  OAUTH_ABORT: 'provider_away',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'provider_wrong',
  OAUTH_RESPONSE_IS_NOT_JSON: 'provider_wrong',
  OAUTH_PARSE_ERROR: 'provider_wrong',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'provider_wrong',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'provider_wrong',
  OAUTH_INVALID_SERVER_METADATA: 'provider_wrong',
  OAUTH_MISSING_SERVER_METADATA: 'provider_wrong',
}

const mends: Readonly<Record<string, string>> = {
  invalid_client: 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be those that the provider knows.',
  unauthorized_client: 'The provider must allow this client the authorization code flow.',
  unsupported_response_type: 'The provider must allow this client the authorization code flow.',
  unsupported_grant_type: 'The provider must allow this client the authorization code flow.',
  invalid_scope: 'The provider must allow this client the scopes openid, email and profile.',
}
const mendOther =
  'The provider must know this client, with PUBLIC_URL and /sign-in/callback as its redirect URI.'
const mendUserinfo =
  'The provider must tell this client about the person at its userinfo_endpoint, by the scopes openid, email and profile.'
const mendClock = 'The clocks of this machine and of the provider must agree within a minute.'
const mendIssuer =
  'OIDC_ISSUER must be written as the provider itself writes it, down to a slash at its end.'

/** Whether a token is signed with a key that was not among the provider's when they were fetched. */
export function isUnknownKey(error: unknown): boolean {
  return error instanceof ClientError && error.code === 'OAUTH_KEY_SELECTION_FAILED'
}

/** Whether the provider does not take how the client shows who it is. */
export function isClientRefused(error: unknown): boolean {
  return toldError(error) === 'invalid_client'
}

/** Why nobody is signed in, where the provider, or the way to it, is why; what else there is stays as it is. */
export function providerFault(error: unknown): unknown {
  const told = toldError(error)
  if (told !== undefined) return sayTold(told, error)
  if (error instanceof SignInRefused) return error
  if (error instanceof AppError) return sayUnasked(error, error)
  if (!(error instanceof ClientError)) return error
  if (error.code === undefined) return sayUncoded(error)
  const mend = error.code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED' ? mendClock : undefined
  const reason = refusalsByCode[error.code] ?? 'answer_wrong'
  return new SignInRefused(reason, { what: error.code, mend, cause: error })
}

/** The same for what it tells of somebody, where a refusal says nothing about the client. */
export function userinfoFault(error: unknown): unknown {
  if (!(error instanceof WWWAuthenticateChallengeError)) return error
  const what = `userinfo_endpoint ${error.status}`
  return new SignInRefused('provider_wrong', { what, mend: mendUserinfo, cause: error })
}

/** The same for what the provider publishes of itself. */
function discoveryFault(error: unknown): unknown {
  const isOther =
    error instanceof ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED'
  if (isOther) {
    return new SignInRefused('set_up_wrong', { what: error.code, mend: mendIssuer, cause: error })
  }
  const fault = providerFault(error)
  const isWrong = fault instanceof SignInRefused && fault.reason === 'answer_wrong'
  return isWrong ? new SignInRefused('provider_wrong', { what: fault.what, cause: error }) : fault
}

function sayTold(told: string, cause: unknown): SignInRefused {
  const reason = said[told] ?? 'set_up_wrong'
  const mend = reason === 'set_up_wrong' ? (mends[told] ?? mendOther) : undefined
  return new SignInRefused(reason, { what: told, mend, cause })
}

/** What the library only passes on: the way to the provider, or a key of it that is none (Web Cryptography, "DataError"). */
function sayUncoded(error: ClientError): unknown {
  const { cause } = error
  if (cause instanceof AppError) return sayUnasked(cause, error)
  if (!(cause instanceof DOMException)) return error
  return new SignInRefused('provider_wrong', { what: cause.name, cause: error })
}

function sayUnasked({ code, cause: by }: AppError, cause: unknown): SignInRefused {
  const what = by instanceof Error && 'code' in by ? String(by.code) : code
  const reason = code === 'upstream_unavailable' ? 'provider_away' : 'provider_wrong'
  return new SignInRefused(reason, { what, cause })
}

/** The word of the standard, or of the provider, for what it refuses; never more than a word. */
function toldError(error: unknown): string | undefined {
  if (error instanceof WWWAuthenticateChallengeError) {
    return error.status === 401 ? 'invalid_client' : 'challenge'
  }
  const isTold = error instanceof AuthorizationResponseError || error instanceof ResponseBodyError
  if (!isTold) return undefined
  if (error instanceof ResponseBodyError && error.status === 429) return 'temporarily_unavailable'
  return /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'other'
}

const renewedMs = 3_600_000
const anewMs = 60_000
const requestTimeoutMs = 5000
/** By so much the provider's clock may differ from ours. */
const clocksDifferSeconds = 60

/** The identity provider, and how it knows the bridge. */
export interface ProviderDeps {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly fetch: CustomFetch
  readonly clock: Clock
  /** Of one request; 5 seconds where it is left out. */
  readonly timeoutMs?: number
}

/** Where a client shows its secret (RFC 6749 section 2.3.1). */
type SecretIn = 'body' | 'header'

const methods = { body: 'client_secret_post', header: 'client_secret_basic' } as const

interface Discovered {
  readonly at: Instant
  readonly configuration: Promise<Configuration>
}

/** Where the keys of what was discovered stand, and whether they have been asked for since. */
interface Keys {
  address: string | undefined
  wereAsked: boolean
}

/** What the provider publishes of itself: asked for when somebody signs in, and once for all who do within an hour. */
export class Provider {
  readonly #deps: ProviderDeps
  #discovered: Discovered | undefined
  /** When keys that had been asked for were asked for again. */
  #keysAgainAt: Instant = 0
  /** Where a client was found to be registered otherwise than the provider's list has it first. */
  #secretIn: SecretIn | undefined

  constructor(deps: ProviderDeps) {
    this.#deps = deps
  }

  /** Fails with `SignInRefused`; then it is asked again the next time. */
  async configuration(): Promise<Configuration> {
    const now = this.#deps.clock.now()
    const known = this.#discovered
    if (known && now - known.at < renewedMs) return known.configuration
    const configuration = this.#discover()
    const discovered = { at: now, configuration }
    this.#discovered = discovered
    try {
      return await configuration
    } catch (error) {
      if (this.#discovered === discovered) this.#discovered = undefined
      throw error
    }
  }

  /** Has its keys asked for again the next time; but not if they have been within a minute. */
  forgetKeys(): void {
    const now = this.#deps.clock.now()
    const at = Math.max(this.#discovered?.at ?? 0, this.#keysAgainAt)
    if (now - at >= anewMs) this.#discovered = undefined
  }

  /** Where the client's secret is shown now; undefined where it has none. Fails with `SignInRefused`. */
  async secretIn(): Promise<SecretIn | undefined> {
    if (this.#deps.clientSecret === undefined) return undefined
    return this.#placeOf((await this.configuration()).serverMetadata())
  }

  /**
   * Shows the client's secret in the other way from now on than in the one that was refused, unless others have changed it
   * meanwhile; false where there is none. In which one a client is registered is nowhere published.
   */
  async changeSecretsPlace(refused: SecretIn): Promise<boolean> {
    const metadata = (await this.configuration()).serverMetadata()
    if (this.#placeOf(metadata) !== refused) return true
    const other = refused === 'body' ? 'header' : 'body'
    const known = listed(metadata.token_endpoint_auth_methods_supported)
    if (known.length > 0 && !known.includes(methods[other])) return false
    this.#secretIn = other
    return true
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, timeoutMs = requestTimeoutMs } = this.#deps
    const keys: Keys = { address: undefined, wereAsked: false }
    const isPlain = issuer.toLowerCase().startsWith('http:')
    const execute = [...(isPlain ? [allowInsecureRequests] : []), enableNonRepudiationChecks]
    try {
      const options = { timeout: timeoutMs / 1000, execute, [customFetch]: this.#noting(keys) }
      const server = new URL(issuer)
      const authentication = this.#authentication()
      const client = {
        ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
        [clockTolerance]: clocksDifferSeconds,
      }
      const found = await discovery(server, clientId, client, authentication, options)
      requireOneIssuer(found.serverMetadata())
      requireEndpoints(found.serverMetadata())
      keys.address = found.serverMetadata().jwks_uri
      return found
    } catch (error) {
      throw discoveryFault(error)
    }
  }

  /** The library asks for keys again by itself, too, where it meets one that is unknown. */
  #noting(keys: Keys): CustomFetch {
    const { fetch, clock } = this.#deps
    return (address, options) => {
      if (keys.address !== undefined && address === new URL(keys.address).href) {
        if (keys.wereAsked) this.#keysAgainAt = clock.now()
        keys.wereAsked = true
      }
      return fetch(address, options)
    }
  }

  #authentication(): ClientAuth {
    const { clientSecret } = this.#deps
    if (clientSecret === undefined) return None()
    const ways = { body: ClientSecretPost(clientSecret), header: ClientSecretBasic(clientSecret) }
    return (metadata, ...request) => ways[this.#placeOf(metadata)](metadata, ...request)
  }

  #placeOf({ token_endpoint_auth_methods_supported: supported }: ServerMetadata): SecretIn {
    return this.#secretIn ?? (listed(supported).includes(methods.body) ? 'body' : 'header')
  }
}

import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client'

import { AppError } from '../../domain/errors.ts'
import { type SignInRefusal, SignInRefused } from './refusals.ts'

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
const found: Readonly<Record<string, SignInRefusal>> = {
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
  const reason = found[error.code] ?? 'answer_wrong'
  return new SignInRefused(reason, { what: error.code, mend, cause: error })
}

/** The same for what it tells of somebody, where a refusal says nothing about the client. */
export function userinfoFault(error: unknown): unknown {
  if (!(error instanceof WWWAuthenticateChallengeError)) return error
  const what = `userinfo_endpoint ${error.status}`
  return new SignInRefused('provider_wrong', { what, mend: mendUserinfo, cause: error })
}

/** The same for what the provider publishes of itself. */
export function discoveryFault(error: unknown): unknown {
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

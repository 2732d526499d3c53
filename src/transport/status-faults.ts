import type { Authentication } from '../domain/connection.ts'
import type { AppError } from '../domain/errors.ts'
import { withoutSecrets } from './authentication.ts'
import type { HttpAnswer } from './http.ts'
import { redirectTarget } from './redirects.ts'
import { requestFault } from './request-fault.ts'

interface StatusFaultOptions {
  readonly retryAfterMs: number | undefined
  readonly authentication: Authentication
}

/** What an answer of any status but 200 means to the caller. */
export function statusFault(
  answer: HttpAnswer,
  url: URL,
  { retryAfterMs, authentication }: StatusFaultOptions,
): AppError {
  const { status } = answer
  const says = `answered ${status}${withoutSecrets(authentication, hint(answer, url))}`
  const options = retryAfterMs === undefined ? { status } : { status, retryAfterMs }
  return requestFault(codeOf(status), url, says, options)
}

function codeOf(
  status: number,
): 'upstream_not_found' | 'upstream_unavailable' | 'upstream_rejected' {
  if (status === 404 || status === 410) return 'upstream_not_found'
  if (status === 429 || status >= 500) return 'upstream_unavailable'
  return 'upstream_rejected'
}

function hint(answer: HttpAnswer, url: URL): string {
  const target = redirectTarget(answer, url)
  if (target?.origin === url.origin) return ', a redirect that is not followed'
  if (target) return `, a redirect that is not followed, to ${target.origin}`
  if (answer.status === 401) return ': the credential was not accepted'
  if (answer.status === 403) return ': the credential does not open it'
  return isHtml(answer) ? ' with HTML: is the base URL right?' : ''
}

function isHtml({ headers }: HttpAnswer): boolean {
  return /\bhtml\b/i.test(String(headers['content-type']))
}

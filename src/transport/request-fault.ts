import { AppError, type ErrorCode } from '../domain/errors.ts'

type FaultCode = Extract<ErrorCode, `upstream_${string}`>

/** The error of one request, `says` completing "GET /path …"; the query is left out, since a credential may stand in it. */
export function requestFault(
  code: FaultCode,
  url: URL,
  says: string,
  options: { readonly status?: number; readonly retryAfterMs?: number } = {},
): AppError {
  const end = says.endsWith('?') ? '' : '.'
  return new AppError(code, `GET ${url.pathname} ${says}${end}`, options)
}

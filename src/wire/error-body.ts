import type { ErrorCode } from '../domain/errors.ts'

/** The body of every answer that is no success: a word for programs, one sentence for people. */
export interface ErrorBody {
  readonly error: { readonly code: ReadApiErrorCode; readonly message: string }
}

export type ReadApiErrorCode = ErrorCode | 'bad_request' | 'method_not_allowed' | 'internal'

/** The error body of the Read API, whose spec shows none. */
export function errorBody(code: ReadApiErrorCode, message: string): ErrorBody {
  return { error: { code, message } }
}

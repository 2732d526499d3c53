import type { Request, RequestHandler } from 'express'

import { memo } from '../../domain/memo.ts'
import { type LastingAnswer, serveLasting } from '../../web/lasting-answer.ts'

/** More than a sandbox has names; what is made for others is made again. */
const baseUrlsMax = 8

/** Answers with what names the address under which the sandbox is reached: made once for each. */
export function serveForBaseUrl(make: (baseUrl: string) => LastingAnswer): RequestHandler {
  const answers = memo(baseUrlsMax, (baseUrl: string) => serveLasting(make(baseUrl)))
  return (request, response, next) => answers(baseUrlOf(request))(request, response, next)
}

const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** `{base_url}` of the spec, as whoever asks has it; empty where that cannot be told. */
function baseUrlOf({ protocol, headers: { host = '' } }: Request): string {
  return hostPattern.test(host) ? `${protocol}://${host.toLowerCase()}` : ''
}

import type { RequestHandler } from 'express'

import { AppError } from '../../domain/errors.ts'
import { onlyTakes } from '../../web/only-takes.ts'

/**
 * Refuses what nobody has opened, so that no code is used up by it: HEAD (`wrong_method`), and what a browser asks for ahead of
 * its reader (`unavailable`; W3C Prefetch, `Sec-Purpose`), for which it asks again once they do.
 */
export const onlyMeant: RequestHandler = (request, response, next) => {
  if (request.method === 'HEAD') return onlyTakes('GET')(request, response, next)
  const { 'sec-purpose': purpose, purpose: former } = request.headers
  if (!/\bprefetch\b/.test(`${String(purpose)} ${String(former)}`)) return next()
  response.setHeader('Cache-Control', 'no-store')
  throw new AppError('unavailable', 'Signing in is not for asking ahead.')
}

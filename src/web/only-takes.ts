import type { RequestHandler } from 'express'

import { AppError } from '../domain/errors.ts'

/** Refuses every method that has come so far; the answer names those that are taken (RFC 9110 section 15.5.6). */
export function onlyTakes(methods: string): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', methods)
    throw new AppError('wrong_method', `This address takes only ${methods}.`)
  }
}

import type { RequestHandler } from 'express'

import { AppError } from '../../domain/errors.ts'

/** The address of the page of somebody's calendar; undefined where there is none. */
export type PageOf = (userId: string) => Promise<string | undefined>

/** Leads to the page on which somebody's calendar is subscribed to; programs are told where it is. */
export function showPersonsPage(pageOf: PageOf): RequestHandler {
  return async (request, response) => {
    const userId = String(request.params['user'])
    const page = await pageOf(userId)
    if (page === undefined) {
      throw new AppError('not_found', `There is no calendar of ${userId} here.`)
    }
    const wantsJson = request.accepts(['html', 'json']) === 'json'
    if (wantsJson) response.json({ data: { page } })
    else response.redirect(303, page)
  }
}

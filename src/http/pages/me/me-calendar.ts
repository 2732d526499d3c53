import type { RequestHandler } from 'express'

import { AppError } from '../../../domain/errors.ts'
import type { PreviewedCalendar } from '../../../publishing/preview-calendar.ts'
import type { RequestLimit } from '../../../web/request-limit.ts'
import type { HttpDeps } from '../../http-deps.ts'
import { wantsPage } from '../error-page.ts'
import { askedFeed, meAddress } from './me-address.ts'
import { findPerson, leadAway } from './visitor.ts'

/**
 * `GET /me/calendar.ics`: what the page shows of the calendar, for its script alone; it is no address to subscribe to, and whoever
 * opens it in a browser is led to the page.
 */
export function showOwnCalendar(
  deps: Pick<HttpDeps, 'access' | 'publicUrl' | 'ownCalendarOf' | 'preview'>,
  limit: RequestLimit,
): RequestHandler {
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    response.vary('Accept')
    const person = await findPerson(deps, request)
    const isOpened = wantsPage(request)
    if (!person && isOpened) return leadAway(deps, request, response)
    if (!person) throw new AppError('unauthorized', 'This needs a sign-in.')
    if (isOpened) return response.redirect(303, meAddress(deps, request, askedFeed(request)))
    limit.take(JSON.stringify(person))
    const found = await deps.ownCalendarOf(person).find(askedFeed(request))
    if (!found) throw new AppError('not_found', 'There is no calendar yet.')
    const { text }: PreviewedCalendar = await deps.preview(found.feed)
    if (text === null) throw new AppError('unavailable', 'There is no calendar to be had now.')
    response.type('text/calendar; charset=utf-8').send(text)
  }
}

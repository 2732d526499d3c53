import type { RequestHandler } from 'express'

import { AppError } from '../../../domain/errors.ts'
import type { PreviewedCalendar } from '../../../publishing/preview-calendar.ts'
import type { RequestLimit } from '../../../web/request-limit.ts'
import type { HttpDeps } from '../../http-deps.ts'
import { askedFeed } from './me-page.ts'
import { findPerson } from './visitor.ts'

/** `GET /me/calendar.ics`: what the page shows of the calendar, for its script alone; it is no address to subscribe to. */
export function showOwnCalendar(
  deps: Pick<HttpDeps, 'access' | 'publicUrl' | 'ownCalendarOf' | 'preview'>,
  limit: RequestLimit,
): RequestHandler {
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store')
    const person = await findPerson(deps, request)
    if (!person) throw new AppError('unauthorized', 'This needs a sign-in.')
    limit.take(JSON.stringify(person))
    const found = await deps.ownCalendarOf(person).find(askedFeed(request))
    if (!found) throw new AppError('not_found', 'There is no calendar yet.')
    const { text }: PreviewedCalendar = await deps.preview(found.feed)
    if (text === null) throw new AppError('unavailable', 'There is no calendar to be had now.')
    response.type('text/calendar; charset=utf-8').send(text)
  }
}

import type { Request, Response } from 'express'

import type { LinkView, RotatedLinkView } from '../../feeds/feed-view.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { feedIdOf, isPurge, jsonBody, labelOf, optionalJsonBody, refuseQuery } from './input.ts'

type LinkApiDeps = Pick<HttpDeps, 'administrationBy'>

type FeedRequest = Request<{ id: string }>

/** `POST /api/feeds/{id}/links`: another link; its address stands in no other reply. */
export function createLink({ administrationBy }: LinkApiDeps) {
  return async (request: FeedRequest, response: Response<LinkView>): Promise<void> => {
    refuseQuery(request)
    const link = await administrationBy(staffOf(response)).feedLinks.create(
      feedIdOf(request),
      jsonBody(request),
    )
    response.status(201).json(link)
  }
}

/** `POST /api/feeds/{id}/rotations`: a new link, the old one of its label ending now or after days of grace. */
export function rotateLink({ administrationBy }: LinkApiDeps) {
  return async (request: FeedRequest, response: Response<RotatedLinkView>): Promise<void> => {
    refuseQuery(request)
    const input = optionalJsonBody(request)
    const link = await administrationBy(staffOf(response)).feedLinks.rotate(
      feedIdOf(request),
      input,
    )
    response.status(201).json(link)
  }
}

/** `DELETE /api/feeds/{id}/links/{label}`: its end, with `?purge` after 30 days of a calendar that says so. */
export function endLink({ administrationBy }: LinkApiDeps) {
  return async (
    request: Request<{ id: string; label: string }>,
    response: Response,
  ): Promise<void> => {
    const purge = isPurge(request)
    await administrationBy(staffOf(response)).feedLinks.end(
      feedIdOf(request),
      labelOf(request),
      purge,
    )
    response.status(204).end()
  }
}

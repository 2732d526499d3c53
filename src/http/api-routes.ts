import type { Request, Response } from 'express'

import { AppError } from '../domain/errors.ts'
import type { FeedManager } from '../feeds/feed-manager.ts'

interface ApiDeps {
  readonly manager: FeedManager
}

/** `POST /api/feeds`: 201 with the feed; its first link's `url` stands in no other reply. */
export function createFeed({ manager }: ApiDeps) {
  return async (request: Request, response: Response): Promise<void> => {
    const { feed, warnings } = await manager.create(jsonBody(request))
    response.setHeader('Cache-Control', 'no-store')
    response.status(201).json(warnings.length > 0 ? { ...feed, warnings } : feed)
  }
}

/** `PATCH /api/feeds/{id}`: an RFC 7396 merge patch. */
export function updateFeed({ manager }: ApiDeps) {
  return async (request: Request<{ id: string }>, response: Response): Promise<void> => {
    response.json(await manager.update(request.params.id, jsonBody(request)))
  }
}

function jsonBody(request: Pick<Request, 'body' | 'is'>): unknown {
  if (request.is(['application/json', 'application/merge-patch+json'])) return request.body
  throw new AppError(
    'unsupported_media_type',
    'The body must be JSON (Content-Type: application/json).',
  )
}

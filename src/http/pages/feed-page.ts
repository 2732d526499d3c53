import path from 'node:path'

import { Eta } from 'eta'
import type { Request, Response } from 'express'

import { asAppError } from '../../domain/errors.ts'
import { feedUrl } from '../../feeds/feed-view.ts'
import { openLink } from '../../feeds/open-link.ts'
import type { Publisher } from '../../feeds/publisher.ts'

interface FeedPageDeps {
  readonly publisher: Publisher
  readonly links: Parameters<typeof openLink>[0]
  readonly publicUrl: string
}

const eta = new Eta({ views: path.join(import.meta.dirname, 'templates'), cache: true })

/** `GET /feeds/{token}`: the page of the person whose calendar it is. */
export function showFeedPage({ publisher, links, publicUrl }: FeedPageDeps) {
  return async (request: Request<{ token: string }>, response: Response): Promise<void> => {
    const { token } = request.params
    const open = await openLink(links, token)
    const leavesMissing = await publisher.assess(open).then(
      ({ serviceability }) => serviceability.leavesMissing,
      (error: unknown) => {
        if (!asAppError(error)) throw error
        return 'unavailable' as const
      },
    )
    const { name, locale } = open.feed
    const url = feedUrl(publicUrl, token, name)
    response.setHeader('Cache-Control', 'no-store')
    response.type('html').send(eta.render('feed', { name, locale, url, leavesMissing }))
  }
}

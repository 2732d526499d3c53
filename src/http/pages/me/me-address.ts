import type { Request } from 'express'

import { basePath, type PageDeps } from '../page-renderer.ts'
import { askedLanguage } from '../preferred-language.ts'

/** The feed that the address names, where it names one. */
export function askedFeed({ query }: Pick<Request, 'query'>): string | undefined {
  return typeof query['feed'] === 'string' ? query['feed'] : undefined
}

/** The path of the page, about that feed where one is named, in the language that the reader has chosen. */
export function meAddress(
  { publicUrl }: Pick<PageDeps, 'publicUrl'>,
  request: Pick<Request, 'query'>,
  feed: string | undefined,
): string {
  const lang = askedLanguage(request)
  const query = new URLSearchParams({ ...(feed !== undefined && { feed }), ...(lang && { lang }) })
  return `${basePath(publicUrl)}/me${query.size > 0 ? `?${query.toString()}` : ''}`
}

/** What a link to the same page in another language keeps of its address. */
export function keptOf(feed: string | undefined): string {
  return feed === undefined ? '' : `${new URLSearchParams({ feed }).toString()}&`
}

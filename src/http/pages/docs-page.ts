import type { RequestHandler } from 'express'

import { listOptions } from '../../feeds/feed-options.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { openApiDocument } from '../api/openapi.ts'
import type { HttpDeps } from '../http-deps.ts'
import { type PageDeps, renderPage } from './page.ts'

/** `GET /docs`: the API for people, from the same document as `/openapi.json`. */
export function showDocs(deps: PageDeps): RequestHandler {
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs(deps),
  })
}

/** Returns a complete request to paste. The page is public, so it shows no folder outside the program's own. */
export function firstRequest({
  publicUrl,
  tokenFile = '',
}: Pick<HttpDeps, 'publicUrl' | 'tokenFile'>): string {
  const isInside = /^\w[\w./-]*$/.test(tokenFile)
  const token = isInside ? `$(cat ${tokenFile})` : '$ADMIN_TOKEN'
  return `curl -H "Authorization: Bearer ${token}" ${publicUrl}/api/feeds`
}

function renderDocs(deps: PageDeps): string {
  const document = openApiDocument(deps.publicUrl)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
  return renderPage(deps, {
    template: 'docs',
    locale: 'en',
    inLanguage: null,
    title: `${document.info.title}: API`,
    document,
    groups: [...Map.groupBy(operations, ({ tags }) => tags[0] ?? '')],
    options: listOptions(),
    first: firstRequest(deps),
  })
}

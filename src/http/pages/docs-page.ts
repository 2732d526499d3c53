import type { RequestHandler } from 'express'

import { listOptions } from '../../feeds/options/option-table.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { type OpenApiDocument, openApiDocument, type Operation } from '../api/openapi.ts'
import type { HttpDeps } from '../http-deps.ts'
import { type PageDeps, renderPage } from './page-renderer.ts'

interface DocumentedOperation extends Operation {
  readonly method: string
  readonly path: string
}

type DocsDeps = PageDeps & Pick<HttpDeps, 'tokenFile'>

/** `GET /docs`: the API for people, made of the same document as `/openapi.json`. */
export function showDocs(deps: DocsDeps): RequestHandler {
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs(deps),
  })
}

/** A whole request to paste. Everybody may read it, so it names no folder outside the program's own. */
export function firstRequest({
  publicUrl,
  tokenFile = '',
}: Pick<DocsDeps, 'publicUrl' | 'tokenFile'>): string {
  const isInside = /^\w[\w./-]*$/.test(tokenFile)
  const token = isInside ? `$(cat ${tokenFile})` : '$ADMIN_TOKEN'
  return `curl -H "Authorization: Bearer ${token}" ${publicUrl}/api/feeds`
}

function renderDocs(deps: DocsDeps): string {
  const document = openApiDocument(deps.publicUrl)
  const groups = [...Map.groupBy(operationsOf(document), ({ tags }) => tags[0] ?? '')]
  const options = listOptions()
  const title = `${document.info.title}: API`
  const first = firstRequest(deps)
  const shown = { title, document, groups, options, first }
  return renderPage(deps, { template: 'docs', locale: 'en', ...shown })
}

function operationsOf({ paths }: OpenApiDocument): readonly DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

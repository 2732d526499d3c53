import type { RequestHandler } from 'express'

import { listOptions } from '../../feeds/options/option-table.ts'
import { type OpenApiDocument, openApiDocument, type Operation } from '../api/openapi.ts'
import { serveLasting } from '../lasting-answer.ts'
import { type PageDeps, renderPage } from './page-renderer.ts'

interface DocumentedOperation extends Operation {
  readonly method: string
  readonly path: string
}

/** `GET /docs`: the API for people, made of the same document as `/openapi.json`. */
export function showDocs(deps: PageDeps): RequestHandler {
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () => renderDocs(deps),
  })
}

function renderDocs(deps: PageDeps): string {
  const document = openApiDocument(deps.publicUrl)
  const groups = [...Map.groupBy(operationsOf(document), ({ tags }) => tags[0] ?? '')]
  const options = listOptions()
  const title = `${document.info.title}: API`
  return renderPage(deps, { template: 'docs', locale: 'en', title, document, groups, options })
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

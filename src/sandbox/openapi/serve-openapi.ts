import type { RequestHandler } from 'express'

import { serveLasting } from '../../web/lasting-answer.ts'
import { companyFileSchema } from '../../wire/company-file-schema.ts'
import { serveForBaseUrl } from '../pages/base-url.ts'
import { type DocumentDeps, openApiDocument } from './document.ts'

/** `GET /openapi.json`: the Read API for programs. */
export function serveOpenApi(deps: Omit<DocumentDeps, 'baseUrl'>): RequestHandler {
  return serveForBaseUrl((baseUrl) => ({
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(openApiDocument({ ...deps, baseUrl })),
  }))
}

/** `GET /schema.json`: what a company file holds, for editors and other programs. */
export function serveFileSchema(): RequestHandler {
  return serveLasting({
    type: 'application/schema+json; charset=utf-8',
    make: () => JSON.stringify(companyFileSchema()),
  })
}

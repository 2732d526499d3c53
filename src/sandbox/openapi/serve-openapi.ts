import type { RequestHandler } from 'express'

import { serveForBaseUrl } from '../pages/base-url.ts'
import { type DocumentDeps, openApiDocument } from './document.ts'

/** `GET /openapi.json`: the Read API for programs. */
export function serveOpenApi(deps: Omit<DocumentDeps, 'baseUrl'>): RequestHandler {
  return serveForBaseUrl((baseUrl) => ({
    type: 'application/json; charset=utf-8',
    make: () => JSON.stringify(openApiDocument({ ...deps, baseUrl })),
  }))
}

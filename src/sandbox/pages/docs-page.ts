import type { RequestHandler } from 'express'

import { serveLasting } from '../../web/lasting-answer.ts'
import { basePath, operations } from '../operations.ts'
import type { PageAssets } from './page-assets.ts'
import { renderPage } from './page-renderer.ts'

/** `GET /` and `GET /docs`: the Read API for people. */
export function showDocs(assets: PageAssets): RequestHandler {
  const title = 'Workforce Management Read API'
  return serveLasting({
    type: 'text/html; charset=utf-8',
    headers: { 'X-Robots-Tag': 'noindex, nofollow', 'Content-Language': 'en' },
    make: () =>
      renderPage(assets, { template: 'docs', title, styles: ['docs.css'], basePath, operations }),
  })
}

import type { Response } from 'express'

import { pageUrl } from '../feeds/feed-address.ts'
import { basePath } from './pages/page-renderer.ts'

/** Sends a browser to the page, which says what becomes of the address: it is neither looked up nor counted here. */
export function sendToPage(publicUrl: string, token: string, response: Response): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Vary', 'Sec-Fetch-Dest')
  response.setHeader('Location', pageUrl(basePath(publicUrl), encodeURIComponent(token)))
  response.status(303).end()
}

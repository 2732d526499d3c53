import type { Request, Response } from 'express'

import type { ContentCoding } from '../conditional-request.ts'
import { nothingHere } from '../not-found.ts'
import { type StaticAssets, typeOf } from './static-assets.ts'

/**
 * `GET /assets/{version}/{name}`, kept by browsers for ever (RFC 8246). Another version is answered with what there
 * is, but not kept: while nodes are replaced one by one, a page of the new may ask the old.
 */
export function serveAsset(assets: StaticAssets) {
  return async (
    request: Request<{ version: string; name: string }>,
    response: Response,
  ): Promise<void> => {
    const { version, name } = request.params
    if (!assets.has(name)) throw nothingHere()
    const isCurrent = version === assets.version
    response.setHeader(
      'Cache-Control',
      isCurrent ? 'public, max-age=31536000, immutable' : 'no-store',
    )
    await sendAsset(assets, name, request, response)
  }
}

/** `GET /favicon.ico`, which browsers ask for where no page names an icon, as beside a calendar's address. */
export function serveIcon(assets: StaticAssets) {
  return async (request: Request, response: Response): Promise<void> => {
    response.setHeader('Cache-Control', 'public, max-age=86400')
    await sendAsset(assets, 'favicon.svg', request, response)
  }
}

async function sendAsset(
  assets: StaticAssets,
  name: string,
  request: Request,
  response: Response,
): Promise<void> {
  const coding = codingOf(request)
  const bytes = await assets.bytes(name, coding)
  response.setHeader('Vary', 'Accept-Encoding')
  response.setHeader('Content-Type', typeOf(name))
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Brotli where it is accepted: browsers name it after gzip, but take both alike. */
function codingOf(request: Request): ContentCoding {
  const accepts = (coding: ContentCoding): boolean => request.acceptsEncodings(coding) === coding
  return (['br', 'gzip'] as const).find(accepts) ?? 'identity'
}

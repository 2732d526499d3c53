import type { RequestHandler } from 'express'

import { isFromHere, isLoopback } from '../../web/loopback.ts'

/**
 * Lets pages that this machine itself serves, a developer's own, read from here (the Fetch standard's CORS protocol); no
 * other page may. Answers the question that a browser sends before a request with a credential.
 */
export const allowLoopbackPages: RequestHandler = (request, response, next) => {
  const { origin } = request.headers
  response.vary('Origin')
  if (origin === undefined || !isAllowed(origin) || !isFromHere(request)) return next()
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', 'ETag, Link, Retry-After')
  if (
    request.headers['access-control-request-method'] === undefined ||
    request.method !== 'OPTIONS'
  ) {
    return next()
  }
  response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD')
  response.setHeader('Access-Control-Allow-Headers', 'Authorization, If-None-Match, Accept')
  response.setHeader('Access-Control-Max-Age', '600')
  response.status(204).end()
}

function isAllowed(origin: string): boolean {
  return URL.canParse(origin) && isLoopback(origin)
}

import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

import { Eta } from 'eta'
import type { Response } from 'express'
import helmet, { type HelmetOptions } from 'helmet'

/** Templates that all programs share, by the names `@layout` and `@icon`. */
const shared = ['layout', 'icon'] as const

export type RenderTemplate = (name: string, data: object) => string

/** Opens a folder of templates. They include each other by `./`, and the shared ones by `@layout` and `@icon`. */
export function openTemplates(folder: string): RenderTemplate {
  const eta = new Eta({ views: folder, cache: true })
  for (const name of shared) {
    const file = new URL(`templates/${name}.eta`, import.meta.url)
    eta.loadTemplate(`@${name}`, readFileSync(file, 'utf8'))
  }
  return (name, data) => eta.render(name, data)
}

/** Longer pages are compressed: they are tables and sheets, ten times as long as what they say. */
const plainLengthMax = 128 * 1024

/** Sends a page that is never cached or indexed. */
export function sendHtml(response: Response, html: string, language: string): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow')
  response.setHeader('Content-Language', language)
  response.type('html')
  if (html.length <= plainLengthMax || response.req.acceptsEncodings('gzip') === false) {
    response.send(html)
    return
  }
  response.vary('Accept-Encoding').setHeader('Content-Encoding', 'gzip')
  response.send(gzipSync(html))
}

/**
 * Policy of every page: it loads only from its own origin, nothing inline, and shows in no frame. Its address never leaves
 * as a referrer. HSTS is left to the operator.
 */
const pagePolicy: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      // Style sheets draw their arrows and check marks with data URLs.
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
      formAction: ["'self'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: 'no-referrer' },
  strictTransportSecurity: false,
}

/** Sets this policy on all later responses. */
export const setPageHeaders = helmet(pagePolicy)

import { readFileSync } from 'node:fs'

import { Eta } from 'eta'
import type { Response } from 'express'
import helmet, { type HelmetOptions } from 'helmet'

/** What the pages of every program are made with, each by the name `@` and that. */
const shared = ['layout', 'icon'] as const

/** Renders the named template with the data. */
export type RenderTemplate = (name: string, data: object) => string

/** Templates of a folder, which name each other by `./` and what all programs share by `@layout` and `@icon`. */
export function openTemplates(folder: string): RenderTemplate {
  const eta = new Eta({ views: folder, cache: true })
  for (const name of shared) {
    const file = new URL(`templates/${name}.eta`, import.meta.url)
    eta.loadTemplate(`@${name}`, readFileSync(file, 'utf8'))
  }
  return (name, data) => eta.render(name, data)
}

/** Answers with a page that is never cached or indexed. */
export function sendHtml(response: Response, html: string, language: string): void {
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('X-Robots-Tag', 'noindex, nofollow')
  response.setHeader('Content-Language', language)
  response.type('html').send(html)
}

/**
 * What browsers are told of every page: it loads from its own origin alone, nothing inline, and is shown in no
 * frame; no address of it goes out as a referrer. Whether the host is https for ever is said by who runs it.
 */
const pagePolicy: HelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      // Style sheets draw their arrows and check marks with data addresses.
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

/** Sets what that policy says on every answer behind it. */
export const setPageHeaders = helmet(pagePolicy)

import path from 'node:path'

import type { Request, RequestHandler } from 'express'

import { memo } from '../../domain/memo.ts'
import {
  type LastingAnswer,
  serveLasting,
  sharedAssets,
  type StaticAssets,
} from '../../web/lasting-answer.ts'
import { openTemplates } from '../../web/pages/templates.ts'

const render = openTemplates(path.join(import.meta.dirname, 'templates'))

/** A page of the sandbox; further members are for its template. */
export interface Page {
  readonly template: 'docs' | 'sandbox'
  readonly title: string
  readonly styles?: readonly AssetName[]
  readonly modules?: readonly AssetName[]
  readonly [member: string]: unknown
}

export function renderPage(assets: PageAssets, page: Page): string {
  const asset = (name: AssetName): string => assets.pathOf(name)
  return render(page.template, { ...page, locale: 'en', asset })
}

/** More addresses than a sandbox is reached at. */
const baseUrlsMax = 8

/** Serves content that contains the base URL, rendered once per base URL. */
export function serveForBaseUrl(make: (baseUrl: string) => LastingAnswer): RequestHandler {
  const answers = memo(baseUrlsMax, (baseUrl: string) => serveLasting(make(baseUrl)))
  return (request, response, next) => answers(baseUrlOf(request))(request, response, next)
}

const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** Returns `{base_url}` of the spec as the client knows it; empty if it is unknown. */
function baseUrlOf({ protocol, headers: { host = '' } }: Request): string {
  return hostPattern.test(host) ? `${protocol}://${host.toLowerCase()}` : ''
}

/** Maps asset names to files: those shared by all pages, and the sandbox's own. */
export const assetFiles = {
  ...sharedAssets,
  'docs.js': own('docs.js'),
  'try-it.js': own('try-it.js'),
  'sandbox.css': own('sandbox.css'),
  'sandbox.js': own('sandbox.js'),
} as const

export type AssetName = keyof typeof assetFiles

export type PageAssets = StaticAssets<AssetName>

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}

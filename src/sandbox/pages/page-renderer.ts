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

/** A page of the sandbox; what else it has is for its template. */
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

/** More than a sandbox has names. */
const baseUrlsMax = 8

/** Answers with what names the address under which the sandbox is reached: made once for each. */
export function serveForBaseUrl(make: (baseUrl: string) => LastingAnswer): RequestHandler {
  const answers = memo(baseUrlsMax, (baseUrl: string) => serveLasting(make(baseUrl)))
  return (request, response, next) => answers(baseUrlOf(request))(request, response, next)
}

const hostPattern = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i

/** `{base_url}` of the spec as the caller knows it; empty where it is unknown. */
function baseUrlOf({ protocol, headers: { host = '' } }: Request): string {
  return hostPattern.test(host) ? `${protocol}://${host.toLowerCase()}` : ''
}

/** Name in the address to file: what all pages share, and our own. */
export const assetFiles = {
  ...sharedAssets,
  'docs.js': own('docs.js'),
  'try-it.js': own('try-it.js'),
  'shown-json.js': own('shown-json.js'),
  'sandbox.css': own('sandbox.css'),
  'sandbox.js': own('sandbox.js'),
} as const

export type AssetName = keyof typeof assetFiles

export type PageAssets = StaticAssets<AssetName>

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}

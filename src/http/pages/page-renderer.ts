import path from 'node:path'

import type { Response } from 'express'

import { type Locale, locales } from '../../domain/feed.ts'
import { openTemplates, sendHtml } from '../../web/pages/templates.ts'
import type { HttpDeps } from '../http-deps.ts'
import type { AssetName, PageAssets } from './page-assets.ts'
import { pageLanguages } from './words/languages.ts'

const render = openTemplates(path.join(import.meta.dirname, 'templates'))

/** What every page is made with. */
export interface PageDeps extends Pick<HttpDeps, 'publicUrl'> {
  readonly assets: PageAssets
}

/** The styles and scripts of a page, in the order in which they are loaded. */
export interface PageParts {
  readonly styles?: readonly AssetName[]
  readonly scripts?: readonly AssetName[]
  readonly modules?: readonly AssetName[]
  /** Styles and scripts that its modules load on a wide screen. */
  readonly wide?: readonly AssetName[]
}

/** What a template is given, besides the words of the language. */
export interface Page extends PageParts {
  readonly template:
    | 'feed'
    | 'replaced'
    | 'ended'
    | 'error'
    | 'docs'
    | 'front'
    | 'lost-link'
    | 'sign-in-refused'
    | 'sign-in-company'
    | 'console'
    | 'me'
    | 'me-new'
    | 'me-made'
  readonly locale: Locale
  /** What its address says beside the language, before which it stands: `feed=feed_…&`. */
  readonly kept?: string
  /** Where its forms work by a session: else browsers would not say that they are of this page. */
  readonly referrer?: 'same-origin'
  readonly [member: string]: unknown
}

/** Answers with the page: kept by nobody, found by no search engine. */
export function sendPage(deps: PageDeps, response: Response, page: Page): void {
  if (page.referrer) response.setHeader('Referrer-Policy', page.referrer)
  sendHtml(response, renderPage(deps, page), page.locale)
}

/** The page's text. */
export function renderPage({ assets, publicUrl }: PageDeps, page: Page): string {
  const base = basePath(publicUrl)
  const asset = (name: AssetName): string => base + assets.pathOf(name)
  const said = { words: pageLanguages[page.locale], languages: otherLanguages(page.locale) }
  return render(page.template, { ...page, ...said, asset })
}

/** The page in other words: `?lang=de` changes the page alone, never the calendar. */
function otherLanguages(locale: Locale): readonly object[] {
  return locales
    .filter((it) => it !== locale)
    .map((it) => ({ locale: it, name: pageLanguages[it].ownName }))
}

/** The path under which the proxy in front serves this program; empty where it serves all. */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '')
}

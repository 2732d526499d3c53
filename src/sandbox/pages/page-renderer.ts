import path from 'node:path'

import { openTemplates } from '../../web/pages/templates.ts'
import type { AssetName, PageAssets } from './page-assets.ts'

const render = openTemplates(path.join(import.meta.dirname, 'templates'))

/** A page of the sandbox; what else it has is for its template. */
export interface Page {
  readonly template: 'docs' | 'sandbox'
  readonly title: string
  /** Loaded in that order. */
  readonly styles?: readonly AssetName[]
  readonly modules?: readonly AssetName[]
  readonly [member: string]: unknown
}

/** The page's text, in English. */
export function renderPage(assets: PageAssets, page: Page): string {
  const asset = (name: AssetName): string => assets.pathOf(name)
  return render(page.template, { ...page, locale: 'en', asset })
}

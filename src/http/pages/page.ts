import path from 'node:path'

import type { Request, Response } from 'express'

import { type Locale, localeNames, locales } from '../../domain/feed.ts'
import { sharedAssets, type StaticAssets } from '../../web/lasting-answer.ts'
import { openTemplates, sendHtml } from '../../web/pages/templates.ts'
import type { HttpDeps } from '../http-deps.ts'
import type { BrandFiles } from './brand-files.ts'
import { fill, pageLanguages } from './words/words.ts'

/** Files by their name in the address: those of packages unchanged, and our own. */
export const assetFiles = {
  ...sharedAssets,
  'fullcalendar.css': import.meta.resolve('fullcalendar/skeleton.css'),
  'fullcalendar-theme.css': import.meta.resolve('fullcalendar/themes/breezy/theme.css'),
  'fullcalendar.js': beside('fullcalendar/all', 'global.js'),
  'fullcalendar-theme.js': beside('fullcalendar/themes/breezy', 'global.js'),
  'fullcalendar-de.js': beside('fullcalendar/locales/de', 'global.js'),
  'ical.js': beside('ical.js', 'ical.min.js'),
  'page.css': [sharedAssets['page.css'], own('feed-page.css')],
  'calendar.css': own('calendar.css'),
  'docs-page.css': own('docs-page.css'),
  'docs-page.js': own('docs-page.js'),
  'front-page.css': own('front-page.css'),
  'me-page.css': own('me-page.css'),
  'console.css': own('../../console/assets/console.css'),
  'console.js': own('../../console/assets/console.js'),
  'hand-out.css': own('../../console/assets/hand-out.css'),
  'hand-out.js': own('../../console/assets/hand-out.js'),
  'feed-page.js': own('feed-page.js'),
  'autosave.js': own('autosave.js'),
  'preview.js': own('preview.js'),
  'preview-events.js': own('preview-events.js'),
  'preview-list.js': own('preview-list.js'),
  'preview-month.js': own('preview-month.js'),
  'preview-dialog.js': own('preview-dialog.js'),
  'preview-times.js': own('preview-times.js'),
} as const

export type AssetName = keyof typeof assetFiles

/** The package's browser script, which its exports do not list. */
function beside(exported: string, file: string): string {
  return new URL(file, import.meta.resolve(exported)).href
}

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}

const render = openTemplates(path.join(import.meta.dirname, '..'))

/** `error` lies in `pages/templates/`, `console/people` in `console/templates/`. */
function fileOf(template: string): string {
  return template.startsWith('console/')
    ? template.replace('/', '/templates/')
    : `pages/templates/${template}`
}

export interface PageDeps extends HttpDeps {
  readonly assets: StaticAssets<AssetName>
  readonly brands: BrandFiles
}

/** What a template receives, besides the words of the language. */
export interface Page {
  readonly template: string
  readonly locale: Locale
  /** Styles and scripts of the page, in loading order. */
  readonly styles?: readonly AssetName[]
  readonly modules?: readonly AssetName[]
  /** Styles and scripts that the modules load only on a wide screen. */
  readonly wide?: readonly AssetName[]
  /** Left out if the page belongs to no company. */
  readonly companyId?: string | undefined
  /**
   * What stands before `lang=de` in the address of this page in another language; left out: `?`. null if there is none.
   * After a form, it is a page that can be opened.
   */
  readonly inLanguage?: string | null
  /** For pages with forms that use a session: without it, browsers send `null` as Origin. */
  readonly referrer?: 'same-origin'
  readonly [member: string]: unknown
}

/** Sends the page, which is never cached or indexed. */
export function sendPage(deps: PageDeps, response: Response, page: Page): void {
  if (page.referrer) response.setHeader('Referrer-Policy', page.referrer)
  sendHtml(response, renderPage(deps, page), page.locale)
}

export function renderPage({ assets, brands, publicUrl }: PageDeps, page: Page): string {
  const base = basePath(publicUrl)
  const words = pageLanguages[page.locale]
  const { name, logo, style } = brands.of(page.companyId)
  const brand = {
    name,
    logo: logo && { ...logo, path: base + logo.path },
    style: style === null ? null : base + style,
  }
  return render(fileOf(page.template), {
    ...page,
    words,
    fill,
    brand,
    header: render(fileOf('header'), { brand, words, ...headerLinks(base, page) }),
    asset: (asset: AssetName) => base + assets.pathOf(asset),
  })
}

function headerLinks(base: string, { locale, inLanguage = '?' }: Page): object {
  const others = inLanguage === null ? [] : locales.filter((it) => it !== locale)
  return {
    front: inLanguage === null ? `${base}/` : `${base}/?lang=${locale}`,
    // `?lang=de` changes only the page, never the calendar.
    languages: others.map((it) => ({
      locale: it,
      name: localeNames[it],
      address: `${inLanguage}lang=${it}`,
    })),
  }
}

export function previewParts(locale: Locale): Pick<Page, 'styles' | 'modules' | 'wide'> {
  return {
    styles: ['calendar.css'],
    modules: ['feed-page.js', 'autosave.js', 'preview.js'],
    wide: [
      'fullcalendar.css',
      'fullcalendar-theme.css',
      'fullcalendar.js',
      'fullcalendar-theme.js',
      ...previewLanguages[locale],
    ],
  }
}

const previewLanguages: Readonly<Record<Locale, readonly AssetName[]>> = {
  en: [],
  de: ['fullcalendar-de.js'],
}

/** Returns the path under which a reverse proxy serves this program; empty for the root. */
export function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '')
}

/** Returns the language of a page without a feed: from `?lang`, otherwise from the browser (RFC 9110 section 12.5.4). */
export function preferredLanguage(request: Request): Locale {
  const accepted = request.acceptsLanguages(...locales)
  return askedLanguage(request) ?? locales.find((locale) => locale === accepted) ?? locales[0]
}

/** Returns the language that the reader chose for the page: `?lang=de`. */
export function askedLanguage({ query }: Pick<Request, 'query'>): Locale | undefined {
  return locales.find((locale) => locale === query['lang'])
}

/** The query before `lang=de` in the address of this page in another language; keeps what the reader asked for. */
export function queryBeforeLanguage({ query }: Pick<Request, 'query'>, feed?: string): string {
  const asked = new URLSearchParams(feed === undefined ? {} : { feed })
  for (const name of ['view', 'day']) {
    const value = query[name]
    if (typeof value === 'string') asked.set(name, value)
  }
  return asked.size > 0 ? `?${asked.toString()}&` : '?'
}

/** Returns the query that carries the chosen language to another page. */
export function languageQuery(sign: '?' | '&', asked: Locale | undefined): string {
  return asked === undefined ? '' : `${sign}lang=${asked}`
}

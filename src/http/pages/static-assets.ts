import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

import type { Request, Response } from 'express'

import { nothingHere } from '../not-found.ts'

type Coding = 'br' | 'gzip' | 'identity'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Name in the address to file: of the packages that are served as they come, and our own. */
const files = {
  'pico.css': import.meta.resolve('@picocss/pico/css/pico.min.css'),
  'fullcalendar.css': import.meta.resolve('fullcalendar/skeleton.css'),
  'fullcalendar-theme.css': import.meta.resolve('fullcalendar/themes/breezy/theme.css'),
  'fullcalendar.js': beside('fullcalendar/all', 'global.js'),
  'fullcalendar-theme.js': beside('fullcalendar/themes/breezy', 'global.js'),
  'fullcalendar-de.js': beside('fullcalendar/locales/de', 'global.js'),
  'ical.js': beside('ical.js', 'ical.min.js'),
  'page.css': own('page.css'),
  'calendar.css': own('calendar.css'),
  'feed-page.js': own('feed-page.js'),
  'preview.js': own('preview.js'),
  'preview-events.js': own('preview-events.js'),
  'preview-list.js': own('preview-list.js'),
  'preview-month.js': own('preview-month.js'),
  'preview-dialog.js': own('preview-dialog.js'),
  'favicon.svg': own('favicon.svg'),
} as const

export type AssetName = keyof typeof files

/** The files that pages load, each compressed once per coding, when it is first asked for. */
export class StaticAssets {
  /** Of all files together, since some name others by relative address. */
  readonly version: string
  readonly #contents: ReadonlyMap<string, Buffer>
  readonly #encoded = new Map<string, Promise<Buffer>>()

  constructor() {
    this.#contents = new Map(
      Object.entries(files).map(([name, file]) => [name, readFileSync(new URL(file))]),
    )
    const hash = createHash('sha256')
    for (const content of this.#contents.values()) hash.update(content)
    this.version = hash.digest('base64url').slice(0, 16)
  }

  has(name: string): boolean {
    return this.#contents.has(name)
  }

  /** The bytes of a file that there is. */
  bytes(name: string, coding: Coding): Promise<Buffer> {
    const key = `${coding} ${name}`
    const encoded = this.#encoded.get(key) ?? encode(this.#contents.get(name), coding)
    this.#encoded.set(key, encoded)
    return encoded
  }
}

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
  response.setHeader('Content-Type', types[path.extname(name)] ?? 'application/octet-stream')
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Brotli where it is accepted: browsers name it after gzip, but take both alike. */
function codingOf(request: Request): Coding {
  const accepts = (coding: Coding): boolean => request.acceptsEncodings(coding) === coding
  return (['br', 'gzip'] as const).find(accepts) ?? 'identity'
}

async function encode(content: Buffer | undefined, coding: Coding): Promise<Buffer> {
  if (!content) throw new Error('Asked for a file that there is not.')
  if (coding === 'identity') return content
  if (coding === 'gzip') return promisify(gzip)(content)
  // The highest levels gain 9 % more and take twenty times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return promisify(brotliCompress)(content, { params })
}

/** The script for browsers that lies beside what the package exports. */
function beside(exported: string, file: string): string {
  return new URL(file, import.meta.resolve(exported)).href
}

function own(file: string): string {
  return new URL(`assets/${file}`, import.meta.url).href
}

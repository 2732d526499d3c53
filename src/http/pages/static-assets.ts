import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** RFC 9110 section 8.4.1 content codings that a file is served in. */
export type Coding = 'br' | 'gzip' | 'identity'

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
  'preview-times.js': own('preview-times.js'),
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

/** The media type of a file, by how its name ends. */
export function typeOf(name: string): string {
  return types[path.extname(name)] ?? 'application/octet-stream'
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

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import type { ContentCoding } from '../conditional-request.ts'
import { LastingBody } from '../lasting-body.ts'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Name in the address to the addresses of its files, which are sent one after the other as one. */
export type AssetFiles<Name extends string> = Readonly<Record<Name, string | readonly string[]>>

/** What the pages of every program load. */
export const sharedAssets = {
  'pico.css': import.meta.resolve('@picocss/pico/css/pico.min.css'),
  'page.css': new URL('assets/page.css', import.meta.url).href,
  'favicon.svg': new URL('assets/favicon.svg', import.meta.url).href,
} as const

/** The files that a program's pages load. */
export class StaticAssets<Name extends string = string> {
  /** Of all files together, since some name others by relative address. */
  readonly version: string
  readonly #bodies: ReadonlyMap<string, LastingBody>

  constructor(files: AssetFiles<Name>) {
    const hash = createHash('sha256')
    this.#bodies = new Map(
      Object.entries<string | readonly string[]>(files).map(([name, addresses]) => {
        const content = Buffer.concat([addresses].flat().map((it) => readFileSync(new URL(it))))
        hash.update(content)
        return [name, new LastingBody(content)]
      }),
    )
    this.version = hash.digest('base64url').slice(0, 16)
  }

  has(name: string): boolean {
    return this.#bodies.has(name)
  }

  /** The path of a file, from the root of the program on. */
  pathOf(name: Name): string {
    return `/assets/${this.version}/${name}`
  }

  /** The bytes of a file that there is. */
  async bytes(name: string, coding: ContentCoding): Promise<Buffer> {
    const body = this.#bodies.get(name)
    if (!body) throw new Error('Asked for a file that there is not.')
    return body.in(coding)
  }
}

/** The media type of a file, by how its name ends. */
export function typeOf(name: string): string {
  return types[path.extname(name)] ?? 'application/octet-stream'
}

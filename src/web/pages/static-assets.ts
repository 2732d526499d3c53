import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'

import type { Request, Response } from 'express'

import type { ContentCoding } from '../conditional-request.ts'
import { LastingBody } from '../lasting-answer.ts'
import { nothingHere } from '../problem.ts'

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
function typeOf(name: string): string {
  return types[path.extname(name)] ?? 'application/octet-stream'
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
  response.setHeader('Content-Type', typeOf(name))
  if (coding !== 'identity') response.setHeader('Content-Encoding', coding)
  response.setHeader('Content-Length', bytes.length)
  response.end(bytes)
}

/** Brotli where it is accepted: browsers name it after gzip, but take both alike. */
function codingOf(request: Request): ContentCoding {
  const accepts = (coding: ContentCoding): boolean => request.acceptsEncodings(coding) === coding
  return (['br', 'gzip'] as const).find(accepts) ?? 'identity'
}

/* Content that stays the same while the program runs: created once, compressed once per coding. */
import { createHash, hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'

import type { RequestHandler } from 'express'

import {
  type CodedBody,
  type ContentCoding,
  lastingCodingFor,
  sendContent,
  sendRepresentation,
} from './conditional-request.ts'
import { nothingHere } from './problem.ts'

export interface LastingAnswer {
  readonly type: string
  readonly headers?: Readonly<Record<string, string>>
  /** Called once, at the first request. */
  readonly make: () => string | Buffer
}

/** Serves content that is created once; a client that has it gets 304. Clients revalidate it unless `headers` says otherwise. */
export function serveLasting({ type, headers = {}, make }: LastingAnswer): RequestHandler {
  let made: { readonly etag: string; readonly body: CodedBody } | undefined
  return async (request, response) => {
    made ??= represent(make())
    const { etag, body } = made
    response.setHeader('Cache-Control', 'no-cache')
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.vary('Accept-Encoding')
    const representation = { type, validators: { etag }, body }
    await sendRepresentation(request, response, representation, lastingCodingFor)
  }
}

/** All content codings share one weak entity tag (RFC 9110 section 8.8.3). */
function represent(content: string | Buffer): { etag: string; body: CodedBody } {
  const etag = `W/"${hash('sha256', content, 'base64url').slice(0, 27)}"`
  const bytes = Buffer.from(content)
  const encoded = new Map<ContentCoding, Promise<Buffer>>()
  const body = {
    in(coding: ContentCoding): Promise<Buffer> {
      const ready = encoded.get(coding) ?? encode(bytes, coding)
      encoded.set(coding, ready)
      return ready
    },
  }
  return { etag, body }
}

async function encode(bytes: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === 'identity') return bytes
  if (coding === 'gzip') return promisify(gzip)(bytes)
  if (coding === 'zstd') return promisify(zstdCompress)(bytes)
  // The highest levels gain 9 % more and take twenty times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  return promisify(brotliCompress)(bytes, { params })
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Files that the pages of every program load. */
export const sharedAssets = {
  'pico.css': import.meta.resolve('@picocss/pico/css/pico.min.css'),
  'page.css': new URL('pages/assets/page.css', import.meta.url).href,
  'favicon.svg': new URL('pages/assets/favicon.svg', import.meta.url).href,
  'copy-button.js': new URL('pages/assets/copy-button.js', import.meta.url).href,
  'shown-json.js': new URL('pages/assets/shown-json.js', import.meta.url).href,
} as const

/** Files that a program's pages load. Several files under one name are concatenated. */
export class StaticAssets<Name extends string = string> {
  /** One version for all files, since some refer to others by relative address. */
  readonly #version: string
  readonly #handlers: ReadonlyMap<string, RequestHandler>

  constructor(files: Readonly<Record<Name, string | readonly string[]>>) {
    const digest = createHash('sha256')
    this.#handlers = new Map(
      Object.entries<string | readonly string[]>(files).map(([name, addresses]) => {
        const content = Buffer.concat([addresses].flat().map((it) => readFileSync(new URL(it))))
        digest.update(content)
        const type = types[path.extname(name)] ?? 'application/octet-stream'
        const { body } = represent(content)
        // No entity tag: immutable files are never revalidated.
        const handler: RequestHandler = async (request, response) => {
          response.setHeader('Vary', 'Accept-Encoding')
          await sendContent(request, response, { type, body }, lastingCodingFor)
        }
        return [name, handler]
      }),
    )
    this.#version = digest.digest('base64url').slice(0, 16)
  }

  /** Returns the path of a file below the program's root. */
  pathOf(name: Name): string {
    return `/assets/${this.#version}/${name}`
  }

  /**
   * `GET /assets/{version}/{name}`, cached by browsers for good (RFC 8246). Another version gets the current file,
   * uncached: in a rolling update, a page of a new node may request it from an old one.
   */
  readonly serve: RequestHandler<{ version: string; name: string }> = (request, response, next) => {
    const { version, name } = request.params
    const handler = this.#handlers.get(name)
    if (!handler) throw nothingHere()
    const isCurrent = version === this.#version
    const kept = isCurrent ? 'public, max-age=31536000, immutable' : 'no-store'
    response.setHeader('Cache-Control', kept)
    return handler(request, response, next)
  }

  /** `GET /favicon.ico`, which browsers request if no page names an icon. */
  readonly serveIcon: RequestHandler = (request, response, next) => {
    response.setHeader('Cache-Control', 'public, max-age=86400')
    return this.#handlers.get('favicon.svg')?.(request, response, next)
  }
}

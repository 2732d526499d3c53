/* What is the same for everybody as long as the program runs: made once, compressed once per coding. */
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

/** Answers with what was made once; a client that has it gets 304. It is revalidated unless its headers say more. */
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

/** The weak entity tag is the same for every content coding (RFC 9110 section 8.8.3). */
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

/** What the pages of every program load. */
export const sharedAssets = {
  'pico.css': import.meta.resolve('@picocss/pico/css/pico.min.css'),
  'page.css': new URL('pages/assets/page.css', import.meta.url).href,
  'favicon.svg': new URL('pages/assets/favicon.svg', import.meta.url).href,
} as const

/** The files that a program's pages load. Several files under one name are sent one after the other. */
export class StaticAssets<Name extends string = string> {
  /** Of all files together, since some name others by relative address. */
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

  /** The path of a file, from the root of the program on. */
  pathOf(name: Name): string {
    return `/assets/${this.#version}/${name}`
  }

  /**
   * `GET /assets/{version}/{name}`, kept by browsers for ever (RFC 8246). Another version gets the current file, not to be
   * kept: while nodes are replaced one by one, a page of a new node may ask an old one.
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

  /** `GET /favicon.ico`, which browsers ask for if no page names an icon. */
  readonly serveIcon: RequestHandler = (request, response, next) => {
    response.setHeader('Cache-Control', 'public, max-age=86400')
    return this.#handlers.get('favicon.svg')?.(request, response, next)
  }
}

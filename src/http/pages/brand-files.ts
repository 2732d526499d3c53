/* The logos and colours of companies, as files that their pages load. */
import { hash } from 'node:crypto'

import type { RequestHandler } from 'express'

import type { Brand, Logo } from '../../domain/brand.ts'
import { serveLasting } from '../../web/lasting-answer.ts'
import { nothingHere } from '../../web/problem.ts'
import { brandStyle } from './brand-colors.ts'

/** What pages show of a brand; paths are below the program's root. */
export interface ShownBrand {
  readonly name: string | null
  readonly logo: {
    readonly path: string
    /** Wide logos are words. */
    readonly hasName: boolean
  } | null
  readonly style: string | null
}

/** Broader in proportion than any symbol. */
const wideRatio = 2

/** So that an SVG that is opened by itself can neither run nor load anything. */
const svgPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

export class BrandFiles {
  readonly #served = new Map<string, RequestHandler>()
  readonly #ofCompany: ReadonlyMap<string, ShownBrand>
  readonly #ofBridge: ShownBrand

  constructor(brandOf: (companyId?: string) => Brand, companyIds: Iterable<string>) {
    this.#ofBridge = this.#show(brandOf())
    this.#ofCompany = new Map([...companyIds].map((id) => [id, this.#show(brandOf(id))]))
  }

  /** Returns the brand of a company's pages; for none or an unknown one, that of all other pages. */
  of(companyId: string | undefined): ShownBrand {
    return (companyId === undefined ? null : this.#ofCompany.get(companyId)) ?? this.#ofBridge
  }

  /** `GET /assets/brand/{name}`: names change with their content, so browsers keep the files for good (RFC 8246). */
  readonly serve: RequestHandler<{ name: string }> = (request, response, next) => {
    const handler = this.#served.get(request.params.name)
    if (!handler) throw nothingHere()
    return handler(request, response, next)
  }

  #show({ name, logo, color }: Brand): ShownBrand {
    return {
      name,
      logo: logo && { path: this.#addLogo(logo), hasName: logo.width / logo.height >= wideRatio },
      style: color === null ? null : this.#add('css', 'text/css; charset=utf-8', brandStyle(color)),
    }
  }

  #addLogo({ type, bytes }: Logo): string {
    const isSvg = type === 'image/svg+xml'
    const headers = isSvg ? { 'Content-Security-Policy': svgPolicy } : {}
    return this.#add(isSvg ? 'svg' : 'png', type, Buffer.from(bytes), headers)
  }

  #add(ending: string, type: string, content: string | Buffer, headers = {}): string {
    const name = `${hash('sha256', content, 'base64url').slice(0, 16)}.${ending}`
    const kept = { 'Cache-Control': 'public, max-age=31536000, immutable' }
    const answer = { type, headers: { ...kept, ...headers }, make: () => content }
    this.#served.set(name, serveLasting(answer))
    return `/assets/brand/${name}`
  }
}

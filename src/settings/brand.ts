/* How pages and mails look: the settings of a brand, and the image that one of them names. */
import { resolve } from 'node:path'

import type { Brand, Logo } from '../domain/brand.ts'
import { cannotRead } from '../domain/errors.ts'
import type { ReadFile } from './environment.ts'

interface GivenBrand {
  readonly name?: string | undefined
  /** The path of an image. */
  readonly logo?: string | undefined
  readonly color?: string | undefined
}

/** Returns the brand with its logo. If that is wrong, `fail` gets what it has to be, and there is none. */
export function readBrand(
  { name, logo, color }: GivenBrand,
  readFile: ReadFile,
  fail: (rule: string) => void,
): Brand {
  return {
    name: name ?? null,
    logo: logo === undefined ? null : readLogo(logo, readFile, fail),
    color: color ?? null,
  }
}

function readLogo(file: string, readFile: ReadFile, fail: (rule: string) => void): Logo | null {
  try {
    const logo = logoOf(readFile(file))
    if (typeof logo !== 'string') return logo
    fail(`must name ${logo}, unlike ${resolve(file)}`)
  } catch (cause) {
    fail(`must name an SVG or PNG file. ${cannotRead(resolve(file), cause).message}`)
  }
  return null
}

const bytesMax = 200 * 1024

/** Returns the image, or what it has to be. */
function logoOf(bytes: Uint8Array): Logo | string {
  if (bytes.length > bytesMax) return 'an image of at most 200 KB'
  const isPng = pngStart.every((byte, index) => bytes[index] === byte)
  const image = { type: isPng ? 'image/png' : 'image/svg+xml', bytes } as const
  const fault = isPng ? null : svgFault(bytes)
  if (fault !== null) return fault
  const size = logoSize(image)
  return size ? { ...image, ...size } : sizeless[image.type]
}

const sizeless: Readonly<Record<Logo['type'], string>> = {
  'image/png': 'a whole PNG file',
  'image/svg+xml': 'an SVG file with a viewBox, or with width and height',
}

/** The signature, then the length and the name of the header chunk (RFC 2083 section 4.1.1). */
const pngStart = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]

type LogoSize = Pick<Logo, 'width' | 'height'>

/** Null if the image gives none. */
function logoSize({ type, bytes }: Pick<Logo, 'type' | 'bytes'>): LogoSize | null {
  const { width, height } = type === 'image/png' ? pngSize(bytes) : svgSize(bytes)
  return width > 0 && height > 0 ? { width, height } : null
}

/** Reads the header chunk, which always comes first (RFC 2083 section 4.1.1). */
function pngSize(bytes: Uint8Array): LogoSize {
  if (bytes.length < 24) return { width: 0, height: 0 }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function svgSize(bytes: Uint8Array): LogoSize {
  const [root = ''] = /<(?:\w+:)?svg\b[^>]*>/.exec(new TextDecoder().decode(bytes)) ?? []
  const box = attributeOf(root, 'viewBox')
    ?.trim()
    .split(/[\s,]+/)
  const [width, height] = box?.slice(2) ?? [attributeOf(root, 'width'), attributeOf(root, 'height')]
  return { width: Number.parseFloat(width ?? ''), height: Number.parseFloat(height ?? '') }
}

function attributeOf(element: string, name: string): string | undefined {
  return new RegExp(String.raw`\s${name}\s*=\s*["']([^"']*)["']`).exec(element)?.[1]
}

const noImage = 'an SVG or PNG file'
const active =
  'an SVG file without scripts, event handlers, foreignObject, DTD and references to other files'

const markup =
  /<\/(?<end>[\w:.-]+)\s*>|<(?<start>[\w:.-]+)(?<attributes>(?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<isEmpty>\/?)>|(?<text>[^<]+)/gy
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * Returns what an SVG file has to be that runs nothing and loads nothing; null if it is. Reads only what such files need:
 * no DTD and no processing instructions.
 */
function svgFault(bytes: Uint8Array): string | null {
  const text = textOf(bytes)
  if (text === null) return noImage
  const body = text.replace(/^\s*<\?xml\s[^>]*\?>/, '').replaceAll(/<!--.*?-->/gs, '')
  if (!/<(?:\w+:)?svg[\s/>]/.test(body)) return noImage
  if (/<[!?]/.test(body)) return active
  if (!/^\s*<(?:\w+:)?svg[\s/>]/.test(body)) return noImage
  const open: string[] = []
  let read = 0
  for (const { 0: piece, groups = {} } of body.matchAll(markup)) {
    read += piece.length
    const { start, end, attributes = '', isEmpty, text: content } = groups
    if (content !== undefined && isActiveStyle(content)) return active
    if (start !== undefined) {
      if (activeElement.test(localName(start)) || hasActiveAttribute(attributes)) return active
      if (isEmpty === '') open.push(start)
    }
    if (end !== undefined && open.pop() !== end) return wrong
  }
  return read === body.length && open.length === 0 ? null : wrong
}

const wrong = 'an SVG file that is well-formed XML'

/** UTF-8 only; null for anything else. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const activeElement =
  /^(?:script|foreignObject|iframe|object|embed|audio|video|handler|listener|set|animate\w*)$/i

function hasActiveAttribute(attributes: string): boolean {
  return [...attributes.matchAll(attribute)].some(([, name = '', double, single]) => {
    const value = decoded(double ?? single ?? '')
    const local = localName(name)
    if (/^on/i.test(local) || name === 'xml:base') return true
    return /^(?:href|src)$/i.test(local) ? !isOwnPart(value) : isActiveStyle(value)
  })
}

/** A part of the same file, or an image within it. */
function isOwnPart(address: string): boolean {
  return /^\s*(?:#|data:image\/(?:png|jpeg|gif|webp)[;,])/i.test(address)
}

/** CSS can write any letter behind a backslash. */
function isActiveStyle(text: string): boolean {
  return /@import|\\|url\(\s*["']?(?!\s*["']?(?:#|data:image\/(?:png|jpeg|gif|webp)[;,]))|image-set\(/i.test(
    decoded(text),
  )
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Replaces references to characters, as XML writes them. */
function decoded(text: string): string {
  return text.replaceAll(
    /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi,
    (whole, hex?: string, decimal?: string) => {
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return point <= 0x10_ffff ? String.fromCodePoint(point) : whole
    },
  )
}

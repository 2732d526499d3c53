/* Reads and writes XML. */
import { SaxesParser } from 'saxes'

import { AppError } from '../domain/errors.ts'

export const dav = 'DAV:'
export const caldav = 'urn:ietf:params:xml:ns:caldav'
/** calendarserver.org's extensions. */
export const calendarServer = 'http://calendarserver.org/ns/'
export const apple = 'http://apple.com/ns/ical/'

/** Declared by every document that is written here. */
const prefixes: ReadonlyMap<string, string> = new Map([
  [dav, 'd'],
  [caldav, 'c'],
  [calendarServer, 'cs'],
  [apple, 'a'],
])
/** Always has the prefix `xml`, and must not be the default namespace (W3C Namespaces in XML, section 3). */
const xmlItself = 'http://www.w3.org/XML/1998/namespace'

const depthMax = 50
const elementsMax = 1000

/** An expanded name (W3C Namespaces in XML, section 2.1). */
export interface XmlName {
  readonly uri: string
  readonly local: string
}

export function davName(local: string): XmlName {
  return { uri: dav, local }
}

export function caldavName(local: string): XmlName {
  return { uri: caldav, local }
}

export interface XmlElement extends XmlName {
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** All character data directly in it. */
  readonly text: string
}

interface OpenElement extends XmlElement {
  readonly children: OpenElement[]
  text: string
}

/** Returns the root element; `invalid` if it is no well-formed XML in UTF-8, declares a document type, or is too large. */
export function parseXml(bytes: Uint8Array): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  let elements = 0
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw invalid('must be in UTF-8')
  })
  parser.on('doctype', () => {
    throw invalid('must have no document type declaration')
  })
  parser.on('opentag', ({ uri, local, attributes }) => {
    elements += 1
    if (elements > elementsMax) throw invalid(`has more than ${elementsMax} elements`)
    if (open.length >= depthMax) throw invalid(`is nested more than ${depthMax} deep`)
    const plain = Object.values(attributes).filter((it) => it.prefix === '')
    const values = Object.fromEntries(plain.map((it) => [it.local, it.value]))
    const element = { uri, local, attributes: values, children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const takeText = (text: string): void => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', takeText)
  parser.on('cdata', takeText)
  parser.on('closetag', () => {
    open.pop()
  })
  // The parser's message repeats the input.
  parser.on('error', (cause) => {
    throw invalid('is not well-formed XML', cause)
  })
  parser.write(textOf(bytes)).close()
  if (!root) throw invalid('has no element')
  return root
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw invalid('must be in UTF-8', cause)
  }
}

function invalid(what: string, cause?: unknown): AppError {
  return new AppError('invalid', `The body ${what}.`, { cause })
}

export function isNamed({ uri, local }: XmlName, ...[ofUri, ofLocal]: [string, string]): boolean {
  return uri === ofUri && local === ofLocal
}

/** The children with that name. */
export function childrenOf(
  element: XmlElement,
  ...name: [uri: string, local: string]
): readonly XmlElement[] {
  return element.children.filter((child) => isNamed(child, ...name))
}

/** XML that is written as it is; plain strings are escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Content = string | Markup | readonly (string | Markup)[]

/** Writes an element; it declares its namespace if that has no prefix. */
export function tag(name: XmlName, content: Content = ''): Markup {
  const prefix = name.uri === xmlItself ? 'xml' : prefixes.get(name.uri)
  // A prefix cannot stand for no namespace, in which a client may ask for a property too.
  const written = prefix === undefined ? name.local : `${prefix}:${name.local}`
  const own = prefix === undefined ? ` xmlns="${escaped(name.uri)}"` : ''
  const inner = [content].flat().map((it) => (it instanceof Markup ? it.text : escaped(it)))
  const text = inner.join('')
  return new Markup(text === '' ? `<${written}${own}/>` : `<${written}${own}>${text}</${written}>`)
}

export function davTag(local: string, content?: Content): Markup {
  return tag(davName(local), content)
}

export function caldavTag(local: string, content?: Content): Markup {
  return tag(caldavName(local), content)
}

const declarations = [...prefixes].map(([uri, prefix]) => ` xmlns:${prefix}="${uri}"`).join('')

/** A document with that root element. */
export function documentOf(root: Markup): string {
  const named = root.text.replace(/^<[a-z]+:[a-z-]+/, (start) => start + declarations)
  return `<?xml version="1.0" encoding="utf-8"?>\n${named}`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // Parsers read a bare one as a line feed (W3C XML, section 2.11).
  '\r': '&#13;',
}

/** Escapes text, without the characters that XML cannot contain (W3C XML, section 2.2). */
export function escaped(text: string): string {
  const plain = text.replaceAll(/[[\p{Cc}\p{Cs}\uFFFE\uFFFF]--[\t\n\r\x7F-\x9F]]/gv, '')
  return plain.replaceAll(/[&<>"\r]/g, (character) => references[character] ?? character)
}

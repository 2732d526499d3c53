/* XML in and out. */
import { SaxesParser } from 'saxes'

import { AppError } from '../domain/errors.ts'

export const dav = 'DAV:'
export const caldav = 'urn:ietf:params:xml:ns:caldav'
/** calendarserver.org's extensions. */
const calendarServer = 'http://calendarserver.org/ns/'
const apple = 'http://apple.com/ns/ical/'

/** The prefixes of every document that is written here. */
const prefixes: ReadonlyMap<string, string> = new Map([
  [dav, 'd'],
  [caldav, 'c'],
  [calendarServer, 'cs'],
  [apple, 'a'],
])
/** It always has this prefix, and must not be the default (W3C Namespaces in XML, section 3). */
const xmlItself = 'http://www.w3.org/XML/1998/namespace'

const depthMax = 50
const elementsMax = 1000

/** A name with its namespace (Namespaces in XML 1.0). */
export interface XmlName {
  readonly uri: string
  readonly local: string
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
  // Its own message repeats the input.
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

/** Markup that is written as it is; everything else is escaped. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Content = string | Markup | readonly (string | Markup)[]

/** Writes an element; of the namespaces, those without a prefix are declared in it. */
export function tag(name: XmlName, content: Content = ''): Markup {
  const prefix = name.uri === xmlItself ? 'xml' : prefixes.get(name.uri)
  // A client may ask for a property in no namespace, which no prefix can name.
  const written = prefix === undefined ? name.local : `${prefix}:${name.local}`
  const own = prefix === undefined ? ` xmlns="${escaped(name.uri)}"` : ''
  const inner = [content].flat().map((it) => (it instanceof Markup ? it.text : escaped(it)))
  const text = inner.join('')
  return new Markup(text === '' ? `<${written}${own}/>` : `<${written}${own}>${text}</${written}>`)
}

export function davTag(local: string, content?: Content): Markup {
  return tag({ uri: dav, local }, content)
}

export function caldavTag(local: string, content?: Content): Markup {
  return tag({ uri: caldav, local }, content)
}

const declarations = [...prefixes].map(([uri, prefix]) => ` xmlns:${prefix}="${uri}"`).join('')

/** A whole document with that root, from `tag`. */
export function documentOf(root: Markup): string {
  const named = root.text.replace(/^<[a-z]+:[a-z-]+/, (start) => start + declarations)
  return `<?xml version="1.0" encoding="utf-8"?>\n${named}`
}

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  // A bare one would be read as a line feed (W3C XML, section 2.11).
  '\r': '&#13;',
}

/** Text as XML; characters that XML cannot hold (W3C XML, section 2.2) are left out. */
export function escaped(text: string): string {
  // eslint-disable-next-line no-control-regex -- Those are what it is about.
  const plain = text.replaceAll(/[\0-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]|\p{Cs}/gu, '')
  return plain.replaceAll(/[&<>"\r]/g, (character) => references[character] ?? character)
}

export const names = {
  getctag: { uri: calendarServer, local: 'getctag' },
  calendarColor: { uri: apple, local: 'calendar-color' },
} as const

import type { Request } from 'express'

/** The validators of a representation (RFC 9110 section 8.8). */
export interface Validators {
  readonly etag: string
  /** Milliseconds since 1970, on a whole second; none where only the entity tag tells. */
  readonly lastModified?: number | undefined
}

/**
 * Whether the client has this representation already (RFC 9110 section 13.2.2): If-None-Match decides by weak
 * comparison where it is there, also under `Cache-Control: no-cache`, which asks for revalidation and not for
 * bytes; otherwise If-Modified-Since, where it is an HTTP-date.
 */
export function isNotModified(headers: Request['headers'], validators: Validators): boolean {
  const noneMatch = headers['if-none-match']
  if (noneMatch !== undefined) return matchesWeakly(noneMatch, validators.etag)
  const since = parseHttpDate(headers['if-modified-since'])
  const { lastModified } = validators
  return since !== undefined && lastModified !== undefined && lastModified <= since
}

/** RFC 9110 section 8.8.3.2, weak comparison of a list with one entity tag. */
function matchesWeakly(list: string, etag: string): boolean {
  if (list.trim() === '*') return true
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => opaqueTag(tag) === opaqueTag(etag))
}

function opaqueTag(tag: string): string {
  return tag.replace(/^W\//, '')
}

const imfFixdate = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/
const rfc850Date = /^\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/
const asctimeDate = /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/

/** The three forms of RFC 9110 section 5.6.7; undefined for anything else. */
function parseHttpDate(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const asctime = asctimeDate.test(value)
  if (!asctime && !imfFixdate.test(value) && !rfc850Date.test(value)) return undefined
  const instant = Date.parse(asctime ? `${value} GMT` : value)
  return Number.isNaN(instant) ? undefined : instant
}

import { create as contentDisposition } from 'content-disposition'

/** Longer ones are cut by file systems, which then lose the extension. */
const lengthMax = 100
/**
 * Letters of any script with their marks, digits, pictographs and the joints of words. No dot, which would fake another
 * extension; no separator, quote or sign that a header or a file system reads; nothing unseen that turns what is read.
 */
const unsafe = /[^\p{L}\p{M}\p{N}[\p{Extended_Pictographic}--\p{Cn}] _\-]+/gv

/**
 * RFC 6266: `{name}.ics`, to be shown in place or to be kept. Whoever has an address may write any name into it, so
 * that what is no part of a plain name is a hyphen. The name is always quoted, since not every client reads it
 * otherwise; one outside ASCII stands in `filename*` too.
 */
export function calendarDisposition(type: 'inline' | 'attachment', name: string): string {
  const header = contentDisposition(`${safeName(name)}.ics`, { type })
  return header.replace(/filename=([^";]+)/, 'filename="$1"')
}

function safeName(name: string): string {
  // Half of a pair that is cut in two is unsafe as well.
  const plain = name.normalize('NFC').slice(0, lengthMax).replaceAll(unsafe, '-')
  return plain.replaceAll(/^[ _-]+|[ _-]+$/g, '') || 'calendar'
}

/** The only place where texts are cleaned and cut. HTML stays the text that it is. */

export const titleLengthMax = 255
export const descriptionLengthMax = 4000

/** Every sequence that some client takes for the end of a line: behind it a text could begin a property of its own. */
const lineBreaks = /\r\n|[\r\n\u0085\u2028\u2029]/g
/** C0 controls but tab and line feed, DEL and C1 controls: RFC 5545 section 3.1 allows none of them in TEXT. */
const controls = /(?![\t\n])\p{Cc}/gu
/** They are no UTF-8, and break the folding of lines. */
const loneSurrogates = /\p{Cs}/gu
/** Anything that leaves ink: no control, format or unassigned character, space, filler or bare mark. */
const visible = /[^\p{C}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * One line without control characters and lone surrogates; line breaks are spaces, since one client drops an event whose
 * title has any.
 */
export function singleLine(text: string): string {
  return clean(text, ' ')
}

/** Lines, each ended by one line feed, without control characters and lone surrogates. */
export function multiLine(text: string): string {
  return clean(text, '\n')
}

/** One line of at most 255 characters, ending between two graphemes. */
export function titleText(text: string): string {
  return cutText(singleLine(text), titleLengthMax)
}

/** Lines of at most 4,000 characters together, ending between two graphemes. */
export function descriptionText(text: string): string {
  return cutText(multiLine(text), descriptionLengthMax)
}

/** Whether a reader would see anything of it. */
export function isVisible(text: string): boolean {
  return visible.test(text)
}

/** At most so many UTF-16 code units, ending between two graphemes (between two code points if the first is longer). */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  // Where a grapheme ends depends on no more than the code point behind it.
  const near = text.slice(0, lengthMax + 2)
  const end = graphemes.segment(near).containing(lengthMax)?.index ?? 0
  return end > 0 ? near.slice(0, end) : near.slice(0, lengthMax).replaceAll(loneSurrogates, '')
}

function clean(text: string, lineBreak: string): string {
  return text
    .replaceAll(lineBreaks, lineBreak)
    .replaceAll(controls, '')
    .replaceAll(loneSurrogates, '')
}

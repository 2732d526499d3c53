/* What a text from outside may hold, wherever it is kept, shown or printed. */

/** Every sequence that some program takes for the end of a line. */
const lineBreaks = /\r\n|[\r\n\u0085\u2028\u2029]/g
/** Controls but tab and line feed, lone surrogates, which are no UTF-8, the byte order mark, and what Unicode promises never to give a meaning. */
const unfit = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]/gu
const suspicious = /[^\P{Cc}\n]|[\u2028\u2029\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]/u
/** What moves the cursor, ends a line or turns what stands beside it round. */
const unprintable = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu

/** Made when it is first needed, since that takes long. */
let graphemes: Intl.Segmenter | undefined

/** The text with each line break as that, and without what no text may hold; HTML stays the text that it is. */
export function plainText(text: string, lineBreak: '\n' | ' '): string {
  if (!suspicious.test(text) && (lineBreak === '\n' || !text.includes('\n'))) return text
  return text.replaceAll(lineBreaks, lineBreak).replaceAll(unfit, '')
}

/** One line. */
export function plainLine(text: string): string {
  return plainText(text, ' ').replaceAll('\t', ' ')
}

/** A word of a list of words: what no text may hold leaves a mark, so that it never becomes another word of the list. */
export function plainWord(text: string): string {
  return text
    .replaceAll(/[\t\n]/g, '\uFFFD')
    .replaceAll(lineBreaks, '\uFFFD')
    .replaceAll(unfit, '\uFFFD')
}

/** The text as a terminal may be given it: what could steer it is written as JSON writes it, `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (unit) => `\\u${hexOf(unit)}`)
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text.replaceAll(/[\t\n\r]/g, (unit) => `\\u${hexOf(unit)}`))
}

/** At most so many UTF-16 code units, ending between two graphemes (between two code points if the first is longer). */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  // Where a grapheme ends depends on no more than the code point behind it.
  const near = text.slice(0, lengthMax + 2)
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const end = graphemes.segment(near).containing(lengthMax)?.index ?? 0
  return end > 0 ? near.slice(0, end) : near.slice(0, lengthMax).replaceAll(/\p{Cs}/gu, '')
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

export const titleLengthMax = 255
export const descriptionLengthMax = 4000

/** Anything that leaves ink: no control, format or unassigned character, space, filler or bare mark. */
const visible = /[^\p{C}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u

/**
 * One line without control characters and lone surrogates; line breaks are spaces, since one client drops an event whose
 * title has any.
 */
export function singleLine(text: string): string {
  return plainText(text, ' ')
}

/** Lines, each ended by one line feed, without control characters and lone surrogates. */
export function multiLine(text: string): string {
  return plainText(text, '\n')
}

/** One line of at most 255 characters, ending between two graphemes. */
export function titleText(text: string): string {
  return cutText(singleLine(text), titleLengthMax)
}

/** Lines of at most 4,000 characters together, ending between two graphemes. */
export function descriptionText(text: string): string {
  return cutText(multiLine(text), descriptionLengthMax)
}

/** Whether it is one line that every database takes: without control characters and lone surrogates. */
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

/** Whether a reader would see anything of it. */
export function isVisible(text: string): boolean {
  return visible.test(text)
}

/** What may make the text around it run the other way: marks of direction, and letters that run from right to left. */
const turning =
  /[\p{Bidi_Control}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** Embeddings, overrides and isolates, which would end the isolate around them or outlast it. */
const nesting = /[\u202A-\u202E\u2066-\u2069]/g

/** The text as it may stand within a sentence, whose order it does not change (Unicode Standard Annex 9, FSI to PDI). */
export function isolated(text: string): string {
  return turning.test(text) ? `\u2068${text.replaceAll(nesting, '')}\u2069` : text
}

/* What a text from outside may contain, wherever it is kept, shown or printed. */

/** Every sequence that some program takes for the end of a line. */
const lineBreaks = /\r\n|[\r\n\u0085\u2028\u2029]/g
/** Controls but tab and line feed, lone surrogates, the byte order mark, and noncharacters. */
const unfit = /(?![\t\n])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]/gu
const suspicious = /[^\P{Cc}\n]|[\u2028\u2029\p{Cs}\p{Noncharacter_Code_Point}\uFEFF]/u
/** Characters that move the cursor, end a line or reverse the text next to them. */
const unprintable = /\r(?!\n)|(?![\t\n\r])\p{Cc}|[\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu
/** Anything that leaves ink: no control, format or unassigned character, space, filler or bare mark. */
const visible = /[^\p{C}\p{Z}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u
/** What may turn the text around it: marks of direction, and letters that run from right to left. */
const turning =
  /[\p{Bidi_Control}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** Embeddings, overrides and isolates, which would end the isolate around them or outlast it. */
const nesting = /[\u202A-\u202E\u2066-\u2069]/g

export const titleLengthMax = 255
export const descriptionLengthMax = 4000

/** The text with this in place of each line break, without `unfit` characters; HTML stays as it is. */
export function plainText(text: string, lineBreak: '\n' | ' '): string {
  if (!suspicious.test(text) && (lineBreak === '\n' || !text.includes('\n'))) return text
  return text.replaceAll(lineBreaks, lineBreak).replaceAll(unfit, '')
}

/** One line; tabs become spaces, too. */
export function plainLine(text: string): string {
  return plainText(text, ' ').replaceAll('\t', ' ')
}

/** Unfit characters leave a mark, so that the word never becomes another word of a list. */
export function plainWord(text: string): string {
  return text
    .replaceAll(/[\t\n]/g, '\uFFFD')
    .replaceAll(lineBreaks, '\uFFFD')
    .replaceAll(unfit, '\uFFFD')
}

/** For a terminal: what could steer it is written as in JSON, `\u001b`. */
export function printable(text: string): string {
  return text.replaceAll(unprintable, (unit) => `\\u${hexOf(unit)}`)
}

export function printableLine(text: string): string {
  return printable(text.replaceAll(/[\t\n\r]/g, (unit) => `\\u${hexOf(unit)}`))
}

function hexOf(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0')
}

// Made when it is first needed, because that takes long.
let graphemes: Intl.Segmenter | undefined

/** At most `lengthMax` UTF-16 code units, ending between two graphemes, or two code points if the first grapheme is longer. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  // The end of a grapheme depends only on the next code point.
  const near = text.slice(0, lengthMax + 2)
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  const end = graphemes.segment(near).containing(lengthMax)?.index ?? 0
  return end > 0 ? near.slice(0, end) : near.slice(0, lengthMax).replaceAll(/\p{Cs}/gu, '')
}

/** One line that every database takes. */
export function isOneLine(text: string): boolean {
  return text.isWellFormed() && !/\p{Cc}/u.test(text)
}

export function isVisible(text: string): boolean {
  return visible.test(text)
}

/** The text as part of a sentence, without turning that round (Unicode Standard Annex 9, FSI to PDI). */
export function isolated(text: string): string {
  return turning.test(text) ? `\u2068${text.replaceAll(nesting, '')}\u2069` : text
}

/** What may make the text around it run the other way: marks of direction, and letters that run from right to left. */
const turning =
  /[\p{Bidi_Control}\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u
/** Embeddings, overrides and isolates, which would end the isolate around them or outlast it. */
const nesting = /[\u202A-\u202E\u2066-\u2069]/g

/** The text as it may stand within a sentence, whose order it does not change (Unicode Standard Annex 9, FSI to PDI). */
export function isolated(text: string): string {
  return turning.test(text) ? `\u2068${text.replaceAll(nesting, '')}\u2069` : text
}

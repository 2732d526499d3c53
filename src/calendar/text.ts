import { cutText, plainText } from '../text/plain-text.ts'

/* The only place where texts of events are cleaned and cut: RFC 5545 section 3.1 allows no control in TEXT but tab and line breaks. */

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

/** Whether a reader would see anything of it. */
export function isVisible(text: string): boolean {
  return visible.test(text)
}

import { isOneLine, isVisible } from '../text/plain-text.ts'

export const linkLabelLengthMax = 100

/** Dots alone would change the path of an address (RFC 3986 section 5.2.4). */
export function isDots(label: string): boolean {
  return label === '.' || label === '..'
}

/** As `linkLabelField`, for the command line, which does not load schemas for it; undefined if invalid. */
export function readLinkLabel(text: string): string | undefined {
  const label = text.trim()
  const isOne = isOneLine(text) && label.length <= linkLabelLengthMax && isVisible(label)
  return isOne && !isDots(label) ? label : undefined
}

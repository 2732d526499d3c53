import { isOneLine, isVisible } from '../text/plain-text.ts'

export const linkLabelLengthMax = 100

/** Dots alone would lead elsewhere in the addresses in which labels stand (RFC 3986 section 5.2.4). */
export function isDots(label: string): boolean {
  return label === '.' || label === '..'
}

/** The label as it is kept, as `linkLabelField` reads it; undefined where it is none. The command line checks it without loading a schema. */
export function readLinkLabel(text: string): string | undefined {
  const label = text.trim()
  const isOne = isOneLine(text) && label.length <= linkLabelLengthMax && isVisible(label)
  return isOne && !isDots(label) ? label : undefined
}

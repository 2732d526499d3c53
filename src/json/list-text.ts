/* The JSON of lists of any length, some elements in each step, so that its caller may rest between them. */
import { createHash } from 'node:crypto'

const elementsAtOnce = 1_000

/** The text that `JSON.stringify` makes of the list, in parts. */
function* jsonParts(list: readonly unknown[]): Generator<string, void> {
  if (list.length === 0) yield '[]'
  for (let from = 0; from < list.length; from += elementsAtOnce) {
    const to = from + elementsAtOnce
    const text = JSON.stringify(list.slice(from, to))
    yield `${from === 0 ? '[' : ','}${text.slice(1, -1)}${to < list.length ? '' : ']'}`
  }
}

/** The SHA-256 of that text. */
export function* hashOfList(list: readonly unknown[]): Generator<unknown, string> {
  const hash = createHash('sha256')
  for (const part of jsonParts(list)) yield hash.update(part)
  return hash.digest('base64url')
}

/** That text in bytes. */
export function* bytesOfList(list: readonly unknown[]): Generator<unknown, Buffer> {
  const parts: Buffer[] = []
  for (const part of jsonParts(list)) yield parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

import { createHash } from 'node:crypto'

import { createRests } from './rest.ts'

const elementsAtOnce = 1_000

/** What `JSON.stringify` makes of a list of any length, in slices, so that others have their turn in between. */
async function* jsonParts(list: readonly unknown[]): AsyncGenerator<string> {
  const rests = createRests()
  if (list.length === 0) yield '[]'
  for (let from = 0; from < list.length; from += elementsAtOnce) {
    const to = from + elementsAtOnce
    const text = JSON.stringify(list.slice(from, to))
    yield `${from === 0 ? '[' : ','}${text.slice(1, -1)}${to < list.length ? '' : ']'}`
    if (rests.isDue()) await rests.take()
  }
}

/** The SHA-256 of that text. */
export async function hashOfList(list: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of jsonParts(list)) hash.update(part)
  return hash.digest('base64url')
}

/** That text in bytes. */
export async function bytesOfList(list: readonly unknown[]): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of jsonParts(list)) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

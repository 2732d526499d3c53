import { hash } from 'node:crypto'

import { z } from 'zod'

/** The company of each key, by the SHA-256 of the key in base64url: no key itself is kept. */
export type SandboxKeys = ReadonlyMap<string, string>

/** Under which a key is kept. */
export function hashOfKey(key: string): string {
  return hash('sha256', key, 'base64url')
}

const rule =
  'must be KEY=COMPANY, several separated by commas; a key is of printable ASCII characters other than comma and space, a company of 1 to 64 letters, digits, _, . and -'
const doubled = 'must not hold a key twice'

/** The keys of the sandbox: what comes after the last `=` of each is its company. */
export const sandboxKeys: z.ZodType<SandboxKeys, string> = z.string().transform((text, context) => {
  const pairs = text.split(',').map((pair) => parsePair(pair.trim()))
  const found = pairs.flatMap((pair) => (pair ? [pair] : []))
  const keys = new Map(found.map(([key, company]) => [hashOfKey(key), company]))
  if (text === '') return keys
  if (found.length < pairs.length) context.addIssue(rule)
  else if (keys.size < found.length) context.addIssue(doubled)
  return keys
})

function parsePair(pair: string): readonly [key: string, company: string] | undefined {
  const [, key, company] = /^([\x21-\x7e]+)=((?!\.{1,2}$)[\w.-]{1,64})$/.exec(pair) ?? []
  return key !== undefined && company !== undefined ? [key, company] : undefined
}

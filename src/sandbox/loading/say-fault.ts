import { identifierExpected, timestampExpected } from '../../wire/fields.ts'

/** What a sentence of a schema leaves out for who writes a file by hand. */
const hints: ReadonlyMap<string, string> = new Map([
  [timestampExpected, ', such as 2026-01-05T00:00:00.000Z'],
  [identifierExpected, ': a text of 1 to 256 characters, none of them a control character'],
])

/** What a schema finds wrong, in words of JSON, which knows no `undefined` and no records. */
export function sayFault(message: string): string {
  return `${message}${hints.get(message) ?? ''}`
    .replace(/, received undefined$/, ', and there is none')
    .replace(/expected record\b/, 'expected object')
}

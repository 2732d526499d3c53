/* Whatever the text: taken in parts it is what JSON.parse makes of it as a whole. */
import { isDeepStrictEqual } from 'node:util'

import fc, { type Arbitrary } from 'fast-check'
import { expect, it } from 'vitest'

import { type Outline, outlineOf, TooMuch } from '../../src/json/outline.ts'
import { NotJson } from '../../src/json/scan.ts'
import { elementsOf, TooLarge, valueOf } from '../../src/json/values.ts'

const spaces = fc.stringMatching(/^[ \t\r\n]{0,2}$/)
const escapes = fc.constantFrom(
  '\\"',
  '\\\\',
  '\\/',
  '\\b',
  '\\n',
  '\\u0000',
  '\\u0061',
  '\\uD83D',
  '\\uDE00',
  '\\u2028',
)
const strings = fc
  .array(fc.oneof(escapes, fc.string({ unit: 'binary', maxLength: 3 }).map(escapedOnce)), {
    maxLength: 4,
  })
  .map((parts) => `"${parts.join('')}"`)
const keys = fc.oneof(
  fc.constantFrom('"data"', '"d\\u0061ta"', '"__proto__"', '"id"', '"constructor"', '""'),
  strings,
)
const numbers = fc.oneof(
  fc.constantFrom('0', '-0', '1e5', '-1.50E+3', '2E-9', '1e999', '12345678901234567890', '0.1'),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => JSON.stringify(number)),
)
const words = fc.constantFrom('true', 'false', 'null')

const { value: texts } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc
    .tuple(
      spaces,
      fc.oneof({ maxDepth: 4 }, words, numbers, strings, tie('list'), tie('object')),
      spaces,
    )
    .map((parts) => parts.join('')),
  list: fc.array(tie('value'), { maxLength: 5 }).map((values) => `[${values.join(',')}]`),
  object: fc
    .array(fc.tuple(spaces, keys, spaces, tie('value')), { maxLength: 5 })
    .map((members) => `{${members.map(memberText).join(',')}}`),
}))

const damaged = fc
  .tuple(
    texts,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom(...Array.from('{}[]:,"\\0-.eE+ut\n\u0001\u00A0')),
  )
  .map(([text, place, cut, put]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + put + text.slice(at + cut)
  })

const bodies: Arbitrary<Uint8Array> = fc.oneof(
  fc.oneof(texts, damaged).map((text) => Buffer.from(text)),
  fc.oneof(texts, damaged).map((text) => Buffer.from(`\uFEFF{"more": ${text}, "data": [${text}]}`)),
  // Bytes that are no UTF-8.
  fc
    .tuple(texts, fc.nat(), fc.nat(255))
    .map(([text, place, byte]) => withByte(Buffer.from(`{"data":[${text},1]}`), place, byte)),
)

it('any text is read as JSON.parse reads it', () => {
  fc.assert(
    fc.property(bodies, (bytes) => {
      const whole = parsed(bytes)
      const outline = outlined(bytes)
      expect(outline === 'no JSON').toBe(whole === undefined)
      if (whole === undefined || outline === 'no JSON' || !outline) return
      const value = valueOf(bytes, outline.part)
      fc.pre(isReadAlike(bytes, whole.value))
      expect(isDeepStrictEqual(value, whole.value)).toBe(true)
      expect(outline.containers).toBe(containersIn(bytes))
    }),
    { numRuns: 1000 },
  )
})

it("any text's list is read element by element as JSON.parse reads it", () => {
  fc.assert(
    fc.property(bodies, (bytes) => {
      const whole = parsed(bytes)
      const outline = outlined(bytes, 'data')
      expect(outline === 'no JSON').toBe(whole === undefined)
      const data = whole && dataOf(whole.value)
      if (outline === 'no JSON') return
      expect(outline === undefined).toBe(data === undefined)
      if (!data || !outline) return
      expect(outline.is).toBe(kindOf(data.value))
      const [value, read] = [valueOf(bytes, outline.part), [...elementsOf(bytes, outline)].flat()]
      fc.pre(isReadAlike(bytes, whole.value))
      expect(isDeepStrictEqual(value, data.value)).toBe(true)
      expect(isDeepStrictEqual(read, Array.isArray(data.value) ? data.value : [])).toBe(true)
    }),
    { numRuns: 1000 },
  )
})

it('an element that is larger than it may be stands for itself, and its neighbours are read', () => {
  const limits = { bytesMax: 20, valuesMax: 4, depthMax: 2 }
  const elements = ['1', '[1,2,3]', '[1,2,3,4]', `"${'a'.repeat(30)}"`, '[[1]]', '[[[]]]', '{}']
  const bytes = Buffer.from(`[${elements.join(' , ')}]`)
  const outline = outlined(bytes)
  if (!outline || outline === 'no JSON') throw new Error('was refused')
  const read = [...elementsOf(bytes, outline, limits)].flat()
  expect(
    read.map((one) => (one instanceof TooLarge ? Buffer.from(one.bytes).toString() : one)),
  ).toEqual([1, [1, 2, 3], elements[2], elements[3], [[1]], elements[5], {}])
})

it.each([
  ['too many elements', '{"data":[1,2,3,4]}', 'elements'],
  ['too many objects and lists', '{"more":[[],[],[]],"data":[1]}', 'containers'],
  ['endless nesting', `{"data":${'['.repeat(50)}`, 'containers'],
])('%s end it at once', (_what, text, of) => {
  const options = { member: 'data', elementsMax: 3, containersMax: 3 }
  expect(() => lastOf(outlineOf(Buffer.from(text), options))).toThrow(new TooMuch(of as 'elements'))
})

it('nesting of any depth is followed without a stack', () => {
  const bytes = Buffer.from('['.repeat(200_000) + ']'.repeat(200_000))
  expect(outlined(bytes)).toMatchObject({ part: { depth: 200_000, values: 200_000 } })
})

/** Of a member that comes twice V8 itself takes the last one, and once it knows the object's shape the first. */
function isReadAlike(bytes: Uint8Array, before: unknown): boolean {
  return isDeepStrictEqual(parsed(bytes)?.value, before)
}

type Outlined = Outline | undefined | 'no JSON'

function outlined(bytes: Uint8Array, member?: string): Outlined {
  try {
    return lastOf(outlineOf(bytes, member === undefined ? {} : { member }))
  } catch (error) {
    if (error instanceof NotJson) return 'no JSON'
    throw error
  }
}

function lastOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

function parsed(bytes: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(new TextDecoder().decode(bytes)) }
  } catch {
    return undefined
  }
}

/** What an object's own member of that name is, undefined where there is none. */
function dataOf(value: unknown): { readonly value: unknown } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const descriptor = Object.getOwnPropertyDescriptor(value, 'data')
  return descriptor && { value: descriptor.value }
}

function kindOf(value: unknown): Outline['is'] {
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' && value !== null ? 'object' : 'scalar'
}

/** Those of values that a later member of the same name replaced are counted, too. */
function containersIn(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes)
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/gsu, '').match(/[[{]/g)?.length ?? 0
}

function escapedOnce(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function memberText([before, key, after, value]: readonly string[]): string {
  return `${before}${key}${after}:${value}`
}

function withByte(bytes: Buffer, place: number, byte: number): Buffer {
  bytes[place % bytes.length] = byte
  return bytes
}

import { z } from 'zod'

import { faultsToldMax } from '../domain/errors.ts'
import { likelyMeant, nearest } from '../domain/nearest.ts'

const fewMax = 8
const plainName = /^[a-z][a-z_-]{0,39}$/i

/** An object of these members and no others; each that it holds besides is a line of what is wrong. */
export function members<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  known: readonly string[] = Object.keys(shape),
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape, {
    error: ({ code, ...issue }) =>
      code === 'unrecognized_keys' ? sayUnknown(issue['keys'], known) : undefined,
  })
}

/** What was meant by a name that does not exist, as the end of a sentence. */
export function sayNearest(given: string, known: readonly string[]): string {
  const likely = likelyMeant(given, known)
  return likely === undefined
    ? `; the nearest that exists is ${nearest(given, known)}`
    : `: did you mean ${likely}?`
}

function sayUnknown(keys: unknown, known: readonly string[]): string {
  const unknown: readonly unknown[] = Array.isArray(keys) ? keys : []
  const told = unknown.slice(0, faultsToldMax).map((key) => sayUnknownKey(String(key), known))
  return told.join('\n')
}

/** Of few keys all are told: who writes `userId` for `employee` is not helped by the key that is spelled most like it. */
function sayMeant(key: string, known: readonly string[]): string {
  const isOneOfFew = known.length <= fewMax && likelyMeant(key, known) === undefined
  return isOneOfFew ? `; it may hold ${known.join(', ')}` : sayNearest(key, known)
}

/** A key is repeated only where it cannot be a secret that stands in the place of its name. */
function sayUnknownKey(key: string, known: readonly string[]): string {
  const isHarmless = plainName.test(key) || likelyMeant(key, known) !== undefined
  return isHarmless
    ? `must not hold "${key}"${sayMeant(key, known)}`
    : `must not hold other keys than ${known.join(', ')}`
}

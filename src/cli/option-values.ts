import { InvalidArgumentError } from 'commander'

/** Collects an option that may be given several times. */
export function several(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** An option written as a JSON object. */
export function jsonObject(value: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(value)
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return { ...parsed }
  }
  throw new InvalidArgumentError('It must be a JSON object.')
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}

/** An option that counts something. */
export function wholeNumber(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('It must be a whole number.')
}

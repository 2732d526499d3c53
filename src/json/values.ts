import type { Outline, Part } from './outline.ts'

/** Of what is parsed at once. */
const batchBytes = 32_768

/** How large one element may be. */
export interface ElementLimits {
  readonly bytesMax: number
  readonly valuesMax: number
  readonly depthMax: number
}

const noLimits: ElementLimits = { bytesMax: Infinity, valuesMax: Infinity, depthMax: Infinity }

/** An element that was not made a value of, since it is larger than it may be. */
export class TooLarge {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

/** A byte order mark within a text is a character of it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The elements of a list in order, as `JSON.parse` gives them, some at a time; `TooLarge` in place of one that is. */
export function* elementsOf(
  bytes: Uint8Array,
  { elements }: Pick<Outline, 'elements'>,
  limits: ElementLimits = noLimits,
): Generator<readonly unknown[]> {
  for (const [first, last] of groupsOf(elements, limits)) {
    const span = bytes.subarray(first.start, last.end)
    yield exceeds(first, limits) ? [new TooLarge(span)] : parseAll(span)
  }
}

/** The value that stands there. */
export function valueOf(bytes: Uint8Array, { start, end }: Part): unknown {
  return JSON.parse(utf8.decode(bytes.subarray(start, end)))
}

/** Whether it is larger than it may be. */
function exceeds(part: Part, { bytesMax, valuesMax, depthMax }: ElementLimits): boolean {
  const { start, end, values, depth } = part
  return end - start > bytesMax || values > valuesMax || depth > depthMax
}

/** First and last of those that are parsed together; one that is too large is alone. */
function* groupsOf(
  elements: readonly Part[],
  limits: ElementLimits,
): Generator<readonly [first: Part, last: Part]> {
  let group: readonly [Part, Part] | undefined
  for (const part of elements) {
    const isJoined = group !== undefined && mayJoin(group[0], part, limits)
    if (group && !isJoined) yield group
    group = group && isJoined ? [group[0], part] : [part, part]
  }
  if (group) yield group
}

function mayJoin(first: Part, part: Part, limits: ElementLimits): boolean {
  return part.end - first.start <= batchBytes && !exceeds(first, limits) && !exceeds(part, limits)
}

/** They stand side by side, with commas between them. */
function parseAll(span: Uint8Array): readonly unknown[] {
  const values: unknown = JSON.parse(`[${utf8.decode(span)}]`)
  return Array.isArray(values) ? values : []
}

import { brackets, Scan, type ScanListener, type ScanPlace } from './scan.ts'

/** The text holds more than it may. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
  readonly of: 'elements' | 'containers'

  constructor(of: TooMuch['of']) {
    super(`The text holds too many ${of}.`)
    this.of = of
  }
}

/** One value of a text: where it stands, and what it is made of. */
export interface Part {
  readonly start: number
  readonly end: number
  /** Objects, lists, texts, numbers and words, itself among them. */
  readonly values: number
  /** How many objects and lists lie within each other; of a list as a whole, as far as its last element goes. */
  readonly depth: number
}

/** A member of the text's object, or the whole text, with its elements if it is a list. */
export interface Outline {
  readonly is: 'list' | 'object' | 'scalar'
  readonly part: Part
  /** Of a list. */
  readonly elements: readonly Part[]
  /** How many objects and lists there are in the whole text. */
  readonly containers: number
}

interface OutlineOptions {
  /** The member that is looked at, the last one of that name; the whole text where left out. */
  readonly member?: string
  /** So many elements may the list have that is looked at. */
  readonly elementsMax?: number
  /** So many objects and lists may there be in the whole text. */
  readonly containersMax?: number
}

/** Between two rests. */
const restBytes = 16_384

/**
 * Where the parts of a JSON text stand, without making anything of them; undefined where there is no such member. Takes
 * exactly what `JSON.parse` takes of the same text, a byte order mark before it aside, and fails with `NotJson` for anything
 * else; with `TooMuch` as soon as there is too much of it. Yields now and then, so that its caller may rest: neither length
 * nor nesting makes a step long.
 */
export function* outlineOf(
  bytes: Uint8Array,
  options: OutlineOptions = {},
): Generator<unknown, Outline | undefined> {
  const outliner = new Outliner(bytes, options)
  const scan = new Scan(bytes, outliner)
  let restAt = restBytes
  while (scan.step()) {
    if (scan.at < restAt) continue
    restAt = scan.at + restBytes
    yield
  }
  return outliner.found && { ...outliner.found, containers: scan.containers }
}

/** Where something began, and how much had come before. */
interface Mark {
  readonly start: number
  readonly values: number
  readonly depth: number
}

class Outliner implements ScanListener {
  found: Omit<Outline, 'containers'> | undefined
  readonly #bytes: Uint8Array
  readonly #name: string | undefined
  readonly #elementsMax: number
  readonly #containersMax: number
  /** At which depth the value stands that is looked at. */
  readonly #level: 0 | 1
  #isLookedAt: boolean
  #is: Outline['is'] = 'scalar'
  #whole: Mark = { start: 0, values: 0, depth: 0 }
  #element: Mark = this.#whole
  #deepest = 0
  #elements: Part[] = []

  constructor(bytes: Uint8Array, options: OutlineOptions) {
    const { member, elementsMax = Infinity, containersMax = Infinity } = options
    this.#bytes = bytes
    this.#name = member
    this.#elementsMax = elementsMax
    this.#containersMax = containersMax
    this.#level = member === undefined ? 0 : 1
    this.#isLookedAt = member === undefined
  }

  onKey(start: number, { at, depth }: ScanPlace): void {
    if (depth !== this.#level || this.#name === undefined) return
    this.#isLookedAt = isNamed(this.#bytes.subarray(start, at), this.#name)
  }

  onBegin(byte: number, { at: start, depth, values, containers }: ScanPlace): void {
    const isContainer = byte === brackets.object[0] || byte === brackets.list[0]
    if (isContainer && containers === this.#containersMax) throw new TooMuch('containers')
    if (!this.#isLookedAt) return
    const mark = { start, values, depth }
    if (depth === this.#level) this.#beginWhole(mark, byte)
    else if (this.#isElement(depth)) this.#beginElement(mark)
    if (isContainer && depth >= this.#deepest) this.#deepest = depth + 1
  }

  onEnd(place: ScanPlace): void {
    if (!this.#isLookedAt) return
    if (place.depth === this.#level) this.#endWhole(place)
    else if (this.#isElement(place.depth)) this.#endElement(place)
  }

  #isElement(depth: number): boolean {
    return this.#is === 'list' && depth === this.#level + 1
  }

  /** Of several members of one name the last counts. */
  #beginWhole(mark: Mark, byte: number): void {
    this.#whole = mark
    this.#deepest = mark.depth
    this.#elements = []
    if (byte === brackets.list[0]) this.#is = 'list'
    else this.#is = byte === brackets.object[0] ? 'object' : 'scalar'
  }

  #beginElement(mark: Mark): void {
    if (this.#elements.length === this.#elementsMax) throw new TooMuch('elements')
    this.#element = mark
    this.#deepest = mark.depth
  }

  #endElement(place: ScanPlace): void {
    this.#elements.push(this.#partFrom(this.#element, place))
  }

  #endWhole(place: ScanPlace): void {
    this.found = {
      is: this.#is,
      part: this.#partFrom(this.#whole, place),
      elements: this.#elements,
    }
    if (this.#name !== undefined) this.#isLookedAt = false
  }

  #partFrom({ start, values, depth }: Mark, place: ScanPlace): Part {
    return { start, end: place.at, values: place.values - values, depth: this.#deepest - depth }
  }
}

/** Each character of a name may be written in six bytes. */
function isNamed(key: Uint8Array, name: string): boolean {
  return key.length <= 6 * name.length + 2 && JSON.parse(Buffer.from(key).toString()) === name
}

import { beginsNumber, endOfNumber, endOfString, endOfWord, isSpace } from './tokens.ts'

/** The text is no JSON. */
export class NotJson extends Error {
  override readonly name = 'NotJson'
}

export const brackets = { object: [0x7b, 0x7d], list: [0x5b, 0x5d] } as const
const comma = 0x2c
const colon = 0x3a
const quote = 0x22
const byteOrderMark = Buffer.from('\uFEFF')

/** What may come next. */
const wants = { value: 0, firstElement: 1, firstKey: 2, key: 3, commaOrEnd: 4, nothing: 5 } as const
type Wanted = (typeof wants)[keyof typeof wants]

/** Where a scan has come to. */
export interface ScanPlace {
  readonly at: number
  /** How many objects and lists are open. */
  readonly depth: number
  /** How many values have begun. */
  readonly values: number
  /** How many objects and lists among them. */
  readonly containers: number
}

/** Told what a scan meets. */
export interface ScanListener {
  /** A member's name from there to here; its value follows. */
  onKey(start: number, place: ScanPlace): void
  /** A value begins here with that byte. */
  onBegin(byte: number, place: ScanPlace): void
  /** The last value that has begun and not ended ends before here. */
  onEnd(place: ScanPlace): void
}

/** Goes through a JSON text as RFC 8259 writes it, token by token, and fails with `NotJson` where it is none. Needs no stack. */
export class Scan implements ScanPlace {
  at: number
  depth = 0
  values = 0
  containers = 0
  readonly #bytes: Uint8Array
  readonly #listener: ScanListener
  /** What is open, outermost first: 1 for an object, 0 for a list. */
  #open = new Uint8Array(64)
  #wants: Wanted = wants.value

  constructor(bytes: Uint8Array, listener: ScanListener) {
    this.#bytes = bytes
    this.#listener = listener
    this.at = byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0
  }

  /** Takes the next token; false at the end of the text. */
  step(): boolean {
    const byte = this.#next()
    if (this.#wants === wants.nothing) return byte === undefined ? false : this.#fail()
    if (byte === undefined) return this.#fail()
    this.#take(byte)
    return true
  }

  #next(): number | undefined {
    while (isSpace(this.#bytes[this.at])) this.at += 1
    return this.#bytes[this.at]
  }

  #take(byte: number): void {
    const wanted = this.#wants
    if (wanted === wants.commaOrEnd) this.#goOn(byte)
    else if (wanted === wants.value) this.#begin(byte)
    else if (wanted === wants.firstElement && byte === brackets.list[1]) this.#close()
    else if (wanted === wants.firstElement) this.#begin(byte)
    else if (wanted === wants.firstKey && byte === brackets.object[1]) this.#close()
    else this.#key(byte)
  }

  #goOn(byte: number): void {
    const inObject = this.#open[this.depth - 1] === 1
    if (byte === comma) {
      this.at += 1
      this.#wants = inObject ? wants.key : wants.value
    } else if (byte === (inObject ? brackets.object[1] : brackets.list[1])) this.#close()
    else this.#fail()
  }

  #key(byte: number): void {
    if (byte !== quote) this.#fail()
    const start = this.at
    this.#move(endOfString(this.#bytes, start))
    this.#listener.onKey(start, this)
    if (this.#next() !== colon) this.#fail()
    this.at += 1
    this.#wants = wants.value
  }

  #begin(byte: number): void {
    this.#listener.onBegin(byte, this)
    this.values += 1
    if (byte === brackets.object[0]) return this.#enter(1)
    if (byte === brackets.list[0]) return this.#enter(0)
    if (byte === quote) this.#move(endOfString(this.#bytes, this.at))
    else if (beginsNumber(byte)) this.#move(endOfNumber(this.#bytes, this.at))
    else this.#move(endOfWord(this.#bytes, this.at))
    this.#end()
  }

  #enter(isObject: 0 | 1): void {
    if (this.depth === this.#open.length) this.#open = grown(this.#open)
    this.#open[this.depth] = isObject
    this.depth += 1
    this.containers += 1
    this.at += 1
    this.#wants = isObject === 1 ? wants.firstKey : wants.firstElement
  }

  #close(): void {
    this.at += 1
    this.depth -= 1
    this.#end()
  }

  #end(): void {
    this.#wants = this.depth === 0 ? wants.nothing : wants.commaOrEnd
    this.#listener.onEnd(this)
  }

  #move(end: number): void {
    if (end < 0) this.#fail()
    this.at = end
  }

  #fail(): never {
    throw new NotJson(`The text is no JSON at byte ${this.at}.`)
  }
}

function grown(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(2 * bytes.length)
  larger.set(bytes)
  return larger
}

/* The tokens of a JSON text in UTF-8, as RFC 8259 writes them. Each function gives where its token ends, or -1 where it is none. */

const quote = 0x22
const backslash = 0x5c
const zero = 0x30
const nine = 0x39
const point = 0x2e
const minus = 0x2d
const plus = 0x2b

/** `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`. */
const escapable: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'))
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/** Whether it is white space. */
export function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Whether a number can begin with it. */
export function beginsNumber(byte: number | undefined): boolean {
  return byte === minus || isDigit(byte)
}

/** Behind the quote that ends the string that begins there. */
export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (;;) {
    let byte = bytes[at]
    while (byte !== undefined && byte !== quote && byte !== backslash && byte >= 0x20) {
      byte = bytes[++at]
    }
    if (byte === quote) return at + 1
    if (byte !== backslash) return -1
    at = endOfEscape(bytes, at)
    if (at < 0) return -1
  }
}

function endOfEscape(bytes: Uint8Array, start: number): number {
  const byte = bytes[start + 1] ?? 0
  if (escapable.has(byte)) return start + 2
  if (byte !== 0x75) return -1
  for (let at = start + 2; at < start + 6; at += 1) if (!isHex(bytes[at])) return -1
  return start + 6
}

/** Behind the number that begins there. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  const first = bytes[start] === minus ? start + 1 : start
  let at = bytes[first] === zero ? first + 1 : endOfDigits(bytes, first)
  if (at > 0 && bytes[at] === point) at = endOfDigits(bytes, at + 1)
  if (at > 0 && isExponent(bytes[at])) at = endOfDigits(bytes, at + (isSign(bytes[at + 1]) ? 2 : 1))
  return at
}

/** Behind `true`, `false` or `null`. */
export function endOfWord(bytes: Uint8Array, start: number): number {
  const word = words.find((it) => it[0] === bytes[start])
  return word?.every((byte, index) => bytes[start + index] === byte) ? start + word.length : -1
}

/** One digit at least. */
function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (isDigit(bytes[at])) at += 1
  return at === start ? -1 : at
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine
}

function isHex(byte: number | undefined): boolean {
  if (byte === undefined) return false
  const lower = byte | 0x20
  return isDigit(byte) || (lower >= 0x61 && lower <= 0x66)
}

function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45
}

function isSign(byte: number | undefined): boolean {
  return byte === plus || byte === minus
}

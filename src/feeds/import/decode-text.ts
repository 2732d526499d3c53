import { AppError } from '../../domain/errors.ts'

/** The bytes as text; `invalid` with a sentence about `what` where they are not of that encoding. */
export function decodeText(bytes: Uint8Array, what: string, encoding = 'utf-8'): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    const advice = 'save it in that encoding (in a spreadsheet: as CSV UTF-8)'
    throw new AppError('invalid', `${what} is not ${encoding.toUpperCase()}: ${advice}.`, { cause })
  }
}

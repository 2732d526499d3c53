/* How the people of computed companies are called. */

const digits = 5

/** Ids of one length, or of as many digits as the number has, so that some begin others. */
export type IdStyle = 'padded' | 'plain'

/** The person of that number, from 0. */
export function personId(number: number, style: IdStyle = 'padded'): string {
  return `usr_${String(number).padStart(style === 'padded' ? digits : 1, '0')}`
}

/** The number of that person; undefined where nobody of so many people is called so. */
export function personNumber(
  id: string | null,
  people: number,
  style: IdStyle = 'padded',
): number | undefined {
  const number = id?.startsWith('usr_') ? Number(id.slice(4)) : NaN
  return number >= 0 && number < people && id === personId(number, style) ? number : undefined
}

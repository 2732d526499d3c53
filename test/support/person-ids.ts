/* How the people of computed companies are called. */

const digits = 5

/** The person of that number, from 0. */
export function personId(number: number): string {
  return `usr_${String(number).padStart(digits, '0')}`
}

/** The number of that person; undefined where nobody of so many people is called so. */
export function personNumber(id: string | null, people: number): number | undefined {
  const number = id?.length === 4 + digits && id.startsWith('usr_') ? Number(id.slice(4)) : NaN
  return number >= 0 && number < people ? number : undefined
}

/* How sentences name a place in `COMPANIES_FILE`: companies and the entries of lists are counted from 1, as people do. */

/** A company of the file: its place, and its id where that is one. */
export function placeOfCompany(index: number, id: unknown): string {
  const isPlain = typeof id === 'string' && /^[\w.-]{1,64}$/.test(id)
  return `the ${ordinal(index)} company${isPlain ? ` (${id})` : ''}`
}

/** What stands at that path within the company: `COMPANIES_FILE: timezone of the 2nd company (south)`. */
export function placeWithin(company: string, path: readonly PropertyKey[]): string {
  const [first = '', ...within] = path.map((part) =>
    typeof part === 'number' ? part : String(part),
  )
  if (path.length === 0) return `COMPANIES_FILE: ${company}`
  const key = within.reduce(
    (so, part) => (typeof part === 'number' ? `the ${ordinal(part)} of ${so}` : `${so}.${part}`),
    first,
  )
  return `COMPANIES_FILE: ${key} of ${company}`
}

/** 1st for the first, which is 0. */
function ordinal(index: number): string {
  const count = index + 1
  const isTeen = count % 100 > 10 && count % 100 < 14
  return `${count}${isTeen ? 'th' : (endings[count % 10] ?? 'th')}`
}

const endings: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' }

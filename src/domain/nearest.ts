/** More than so many wrong letters of all make another word of it. */
const mistakesShare = 0.4
/** No known word is as long: what follows makes no difference. */
const lengthMax = 64
/** Nobody reads more names. */
const namedMax = 30

/**
 * The known word that is most like the given one, the first of several alike; undefined where none is known. Capitals,
 * hyphens and underscores make no difference, and two neighbours that have changed places count as one mistake.
 */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const word = bare(given)
  const distances = known.map((candidate) => distanceOf(word, bare(candidate)))
  return known[distances.indexOf(Math.min(...distances))]
}

/** The same, but only where so little differs, at most that share of the letters, that it is likely what was meant. */
export function likelyMeant(
  given: string,
  known: readonly string[],
  share = mistakesShare,
): string | undefined {
  const found = nearest(given, known)
  if (found === undefined) return undefined
  const [one, other] = [bare(given), bare(found)]
  const most = Math.max(1, Math.floor(Math.max(one.length, other.length) * share))
  return distanceOf(one, other) <= most ? found : undefined
}

/** The end of a sentence about a word that is not known: what was meant, or all that there are. */
export function meantOrAll(given: string, known: readonly string[]): string {
  const meant = likelyMeant(given, known)
  if (meant !== undefined) return `; did you mean \`${meant}\`?`
  const some = known.slice(0, namedMax)
  const more = known.length > namedMax ? ` and ${known.length - namedMax} more` : ''
  return known.length === 0
    ? '.'
    : `; there ${known.length === 1 ? 'is' : 'are'} ${some.join(', ')}${more}.`
}

function bare(word: string): string {
  return word
    .slice(0, lengthMax)
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
}

/** How many letters have to be put in, taken out, replaced or exchanged with their neighbour (optimal string alignment). */
function distanceOf(one: string, other: string): number {
  let before: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const replaced = at(last, column - 1) + (isSame ? 0 : 1)
      const steps = [at(last, column) + 1, at(next, column - 1) + 1, replaced]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (isSwapped) steps.push(at(before, column - 2) + 1)
      next.push(Math.min(...steps))
    }
    before = last
    last = next
  }
  return at(last, other.length)
}

/** Beyond the table nothing is near. */
function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}

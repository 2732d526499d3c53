/** With more wrong letters than this share it is another word. */
const mistakesShare = 0.4
const lengthMax = 64
const namedMax = 30

/** The known word that is most like the given one. Capitals, hyphens, underscores and spaces do not count. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const word = bare(given)
  const distances = known.map((candidate) => distanceOf(word, bare(candidate)))
  return known[distances.indexOf(Math.min(...distances))]
}

/** The nearest word, if so few letters differ that it is probably meant. */
export function likelyMeant(given: string, known: readonly string[]): string | undefined {
  const found = nearest(given, known)
  if (found === undefined) return undefined
  const [one, other] = [bare(given), bare(found)]
  const most = Math.max(1, Math.floor(Math.max(one.length, other.length) * mistakesShare))
  return distanceOf(one, other) <= most ? found : undefined
}

/** The end of a sentence about an unknown word: what was probably meant, or which words there are. */
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

/** How many letters must be added, removed, replaced or swapped with their neighbour (optimal string alignment). */
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

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity
}

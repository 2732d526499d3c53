interface Name {
  readonly firstName: string
  readonly lastName: string
}

interface Names {
  readonly first: readonly string[]
  readonly last: readonly string[]
}

/** Each first name with each last name, then with each two of them. */
export function nameOf(index: number, { first, last }: Names): Name {
  const turn = index % first.length
  const round = Math.floor(index / first.length)
  const lastOf = (step: number): string => last[(turn + step) % last.length] ?? ''
  const doubled = Math.floor(round / last.length)
  const lastName = lastOf(round)
  return {
    firstName: first[turn] ?? '',
    lastName: doubled === 0 ? lastName : `${lastName}-${lastOf(round + doubled)}`,
  }
}

const letters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ı: 'i',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
}

/** As it is written in addresses. */
export function asciiOf(name: string): string {
  const spelt = name.toLowerCase().replaceAll(/[ßøıäöü]/g, (letter) => letters[letter] ?? '')
  return spelt.normalize('NFD').replaceAll(/[^a-z-]/g, '')
}

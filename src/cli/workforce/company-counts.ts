/** How many records a company file has of each kind. */
export function countsOf(company: object): Readonly<Record<string, number>> {
  const lists = Object.entries(company).filter(([, list]) => Array.isArray(list))
  return Object.fromEntries(lists.map(([name, list]) => [name, list.length]))
}

/** "12 users, 40 leaves". */
export function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
}

/** `one leave`, `12 leaves`. */
export function counted(count: number, noun: string): string {
  return `${count === 1 ? 'one' : count} ${noun}${count === 1 ? '' : 's'}`
}

/** The first few of a list, and how many more there are. */
export function listed(items: readonly string[], most = 10): string {
  const rest = items.length - most
  return items.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

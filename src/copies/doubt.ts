interface Named {
  readonly id: string
}

/** Whether `after` lacks more than half of ten records or more, or all of three or more: more likely a fault than the truth. */
export function shrinksSuddenly(before: readonly Named[], after: readonly Named[]): boolean {
  const present = new Set(after.map(({ id }) => id))
  const lost = before.filter(({ id }) => !present.has(id)).length
  return (
    (before.length >= 10 && lost > before.length / 2) ||
    (before.length >= 3 && lost === before.length)
  )
}

/** What the work comes to, while that is done again and again. */
export async function passUntil<T>(work: Promise<T>, pass: () => Promise<void>): Promise<T> {
  const waiting = new Set([work])
  const settle = (): unknown => waiting.delete(work)
  work.then(settle, settle)
  while (waiting.size > 0) await pass()
  return work
}

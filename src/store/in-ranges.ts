import { setImmediate as turn } from 'node:timers/promises'

/** Works from one key to the next, which the work gives, until there is none; others have their turn in between. */
export async function inRanges<Key>(
  first: Key,
  work: (from: Key) => Promise<Key | undefined>,
): Promise<void> {
  for (let from: Key | undefined = first; from !== undefined; from = await work(from)) await turn()
}

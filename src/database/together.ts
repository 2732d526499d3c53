interface Waiting<Asked, Found> {
  readonly asked: Asked
  readonly found: PromiseWithResolvers<Found>
}

/** Does together what is asked for within one turn of the event loop: the more there is to do, the less each costs. */
export function together<Asked, Found>(
  doAll: (asked: readonly Asked[]) => Promise<readonly Found[]>,
): (asked: Asked) => Promise<Found> {
  let waiting: Waiting<Asked, Found>[] = []
  const doThem = async (): Promise<void> => {
    const all = waiting
    waiting = []
    try {
      const found = await doAll(all.map(({ asked }) => asked))
      found.forEach((one, at) => all[at]?.found.resolve(one))
    } catch (error) {
      for (const { found } of all) found.reject(error)
    }
  }
  return (asked) => {
    const found = Promise.withResolvers<Found>()
    if (waiting.push({ asked, found }) === 1) setImmediate(() => void doThem())
    return found.promise
  }
}

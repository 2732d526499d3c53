/* How a program ends: on a signal, or after an error that nothing caught. */

/** What an end needs of Node's `process`. */
export interface Runtime {
  on(event: string, listener: (reason: unknown) => void): unknown
  exit(code: number): never
}

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']
const errorEvents = ['uncaughtException', 'unhandledRejection']
/** Ctrl-C pressed once may arrive twice: from the terminal, and from npm. */
export const sameSignalMs = 250

/** Calls `begin` at the first of these signals; the next ends the process at once. */
export function onSignals(runtime: Runtime, names: readonly string[], begin: () => void): void {
  let begunAt: number | undefined
  const end = (): void => {
    if (begunAt === undefined) {
      begunAt = performance.now()
      begin()
    } else if (performance.now() - begunAt > sameSignalMs) runtime.exit(1)
  }
  for (const name of names) runtime.on(name, end)
}

/**
 * On a signal, or after an error that nothing caught, closes and ends the process: with 0, or with 1 after an error or if
 * closing fails or takes longer than `withinMs`. A second signal or error ends it at once. Returns a function that does the
 * same as a signal. A worker follows SIGTERM only: a terminal sends other signals to all processes at once, and the first
 * process passes the end on.
 */
export function untilEnd(
  runtime: Runtime,
  close: (error: Error | undefined) => Promise<void>,
  { withinMs = 10_000, isWorker = false } = {},
): () => void {
  let isEnding = false
  const end = async (error?: Error): Promise<void> => {
    if (isEnding) return error && runtime.exit(1)
    isEnding = true
    setTimeout(() => runtime.exit(1), withinMs)
    try {
      await close(error)
    } catch {
      runtime.exit(1)
    }
    runtime.exit(error ? 1 : 0)
  }
  onSignals(runtime, isWorker ? ['SIGTERM'] : endSignals, () => void end())
  if (isWorker) for (const name of endSignals) runtime.on(name, () => undefined)
  for (const name of errorEvents) {
    runtime.on(name, (reason) => {
      void end(reason instanceof Error ? reason : new Error(String(reason)))
    })
  }
  return () => void end()
}

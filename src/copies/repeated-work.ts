import type { Clock, Log } from '../domain/world.ts'

/** What is done again and again, and how long after one time the next comes. */
export interface RepeatedWork {
  /** In the log, where it fails. */
  readonly name: string
  readonly everyMs: number
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

/**
 * Does the work now and again after every pause; a time that fails is logged and holds back no other. Gives what ends it:
 * a promise that the last one has come to its end.
 */
export function repeat(
  { name, everyMs, work }: RepeatedWork,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): () => Promise<void> {
  const ending = new AbortController()
  const { signal } = ending
  async function goOn(): Promise<void> {
    while (!signal.aborted) {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ work: name, error }, 'work_failed')
      })
      await clock.sleep(everyMs, signal).catch(() => undefined)
    }
  }
  const rounds = goOn()
  return async () => {
    ending.abort(new Error('closing'))
    await rounds
  }
}

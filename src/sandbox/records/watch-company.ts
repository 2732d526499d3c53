import { setInterval } from 'node:timers/promises'

import type { Log } from '../../domain/world.ts'
import { readCompany } from './companies.ts'
import type { SandboxDatabase } from './sandbox-database.ts'

/** A command, or another node, changes what is in the database without a word. */
const usualMs = 2000

interface Watching {
  readonly companyId: string
  readonly changed: (companyId: string) => void
  readonly log: Log
  readonly everyMs?: number
}

/** Tells within moments of each change of the company from now on, whoever makes it; gives what ends that. */
export async function watchCompany(
  { queries }: SandboxDatabase,
  { companyId, changed, log, everyMs = usualMs }: Watching,
): Promise<() => Promise<void>> {
  let { revision: known } = await readCompany(queries, companyId)
  const look = async (): Promise<void> => {
    const { revision } = await readCompany(queries, companyId)
    if (revision === known) return
    known = revision
    changed(companyId)
  }
  const ending = new AbortController()
  const work = (): Promise<void> =>
    look().catch((error: unknown) => log.error({ error }, 'look_failed'))
  const looks = repeated(work, { everyMs, signal: ending.signal })
  return async () => {
    ending.abort()
    await looks
  }
}

/** In the machine's own time: nothing that is kept depends on it. */
async function repeated(
  work: () => Promise<void>,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<void> {
  try {
    for await (const _ of setInterval(everyMs, undefined, { signal, ref: false })) await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

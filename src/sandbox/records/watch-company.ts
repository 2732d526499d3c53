import { setInterval } from 'node:timers/promises'

import type { Log } from '../../domain/world.ts'
import { readCompany } from './companies.ts'
import type { SandboxDatabase } from './sandbox-database.ts'

/** A command, or another node, changes what is in the database without a word. */
const everyMs = 2000

interface Watching {
  readonly companyId: string
  readonly changed: (companyId: string) => void
  readonly log: Log
}

/** Tells within moments of each change of the company from now on, whoever makes it; gives what ends that. */
export async function watchCompany(
  { queries }: SandboxDatabase,
  { companyId, changed, log }: Watching,
): Promise<() => Promise<void>> {
  let { revision: known } = await readCompany(queries, companyId)
  const look = async (): Promise<void> => {
    const { revision } = await readCompany(queries, companyId)
    if (revision === known) return
    known = revision
    changed(companyId)
  }
  const ending = new AbortController()
  const looks = repeated(() => look().catch((error) => log.error({ error }, 'look_failed')), ending)
  return async () => {
    ending.abort()
    await looks
  }
}

/** In the machine's own time: nothing that is kept depends on it. */
async function repeated(
  work: () => Promise<void>,
  { signal }: Pick<AbortController, 'signal'>,
): Promise<void> {
  try {
    for await (const _ of setInterval(everyMs, undefined, { signal, ref: false })) await work()
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

import { randomUUID } from 'node:crypto'
import { setInterval } from 'node:timers/promises'

import type { Kysely, Transaction } from 'kysely'

import type { Log } from '../../domain/world.ts'
import type { CompanyRow, SandboxTables, SandboxDatabase } from './sandbox-database.ts'

export const sampleCompanyId = 'main'

/** A company that was never loaded or changed. */
export const emptyCompany: Omit<CompanyRow, 'id'> = {
  revision: 'empty',
  generation: 'empty',
  loaded: null,
  next_position: 0,
}

/** An empty one where it was never loaded. */
export async function readCompany(queries: Kysely<SandboxTables>, id: string): Promise<CompanyRow> {
  const row = await queries
    .selectFrom('workforce_companies')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? { id, ...emptyCompany }
}

export async function listCompanies(queries: Kysely<SandboxTables>): Promise<readonly string[]> {
  const rows = await queries.selectFrom('workforce_companies').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/** Locks the company's row until the transaction ends, made where there is none, and gives how it stands. */
export async function lockCompany(
  writes: Transaction<SandboxTables>,
  id: string,
): Promise<CompanyRow> {
  await writes
    .insertInto('workforce_companies')
    .values({ id, ...emptyCompany })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // An update of nothing takes the lock on both databases.
  await writes.updateTable('workforce_companies').set({ id }).where('id', '=', id).execute()
  return readCompany(writes, id)
}

/** Notes that the locked company holds something else now. */
export async function noteChange(
  writes: Transaction<SandboxTables>,
  id: string,
  changes: Partial<Omit<CompanyRow, 'id' | 'revision'>>,
): Promise<void> {
  await writes
    .updateTable('workforce_companies')
    .set({ ...changes, revision: randomUUID() })
    .where('id', '=', id)
    .execute()
}

const sampleSchedule = 'sch_day'

/** What no operation of the Read API lists, and the schedule to assume. */
export interface CompanyOutline {
  readonly projectIds: readonly string[]
  /** Set for the sample company only. */
  readonly scheduleIds: readonly string[]
}

export async function outlineCompany(
  { queries }: SandboxDatabase,
  companyId = sampleCompanyId,
): Promise<CompanyOutline> {
  const projects = await queries
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('position')
    .execute()
  const schedules = await queries
    .selectFrom('schedules')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', sampleSchedule)
    .where('active', '=', 1)
    .execute()
  return {
    projectIds: projects.map(({ id }) => id),
    scheduleIds: schedules.map(({ id }) => id),
  }
}

/** A command, or another node, changes the database without telling. */
const usualMs = 2000

/** Tells within moments of each change of the company from now on; gives what ends that. In the machine's own time: nothing that is kept depends on it. */
export async function watchCompany(
  { queries }: SandboxDatabase,
  {
    companyId,
    changed,
    log,
    everyMs = usualMs,
  }: {
    readonly companyId: string
    readonly changed: (companyId: string) => void
    readonly log: Log
    readonly everyMs?: number
  },
): Promise<() => Promise<void>> {
  let { revision: known } = await readCompany(queries, companyId)
  const look = async (): Promise<void> => {
    const { revision } = await readCompany(queries, companyId)
    if (revision === known) return
    known = revision
    changed(companyId)
  }
  const ending = new AbortController()
  const { signal } = ending
  const watch = async (): Promise<void> => {
    for await (const _ of setInterval(everyMs, undefined, { signal, ref: false })) {
      await look().catch((error: unknown) => log.error({ error }, 'look_failed'))
    }
  }
  const watched = watch().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  return async () => {
    ending.abort()
    await watched
  }
}

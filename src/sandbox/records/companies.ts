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

/** Returns the company's row, or an empty one if it was never loaded. */
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

/** Locks the company's row until the transaction ends and returns it; creates it if there is none. */
export async function lockCompany(
  writes: Transaction<SandboxTables>,
  id: string,
): Promise<CompanyRow> {
  await writes
    .insertInto('workforce_companies')
    .values({ id, ...emptyCompany })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // An update without effect takes the lock on both databases.
  await writes.updateTable('workforce_companies').set({ id }).where('id', '=', id).execute()
  return readCompany(writes, id)
}

/** Gives the locked company a new revision, because its content has changed. */
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

/** What the Read API does not list: the ids of the projects, and the default schedule. */
export interface CompanyOutline {
  readonly projectIds: readonly string[]
  /** `sch_day`, the sample's default, if it exists and is active; otherwise empty. */
  readonly scheduleIds: readonly string[]
}

export async function outlineCompany({ queries }: SandboxDatabase): Promise<CompanyOutline> {
  const projects = await queries
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', sampleCompanyId)
    .orderBy('position')
    .execute()
  const schedules = await queries
    .selectFrom('schedules')
    .select('id')
    .where('company_id', '=', sampleCompanyId)
    .where('id', '=', sampleSchedule)
    .where('active', '=', 1)
    .execute()
  return {
    projectIds: projects.map(({ id }) => id),
    scheduleIds: schedules.map(({ id }) => id),
  }
}

/** Polls, because a command or another node changes the database without notice. */
const usualMs = 2000

/**
 * Calls `changed` soon after each change of the company; returns a function that ends this. Uses the machine's own time,
 * since nothing stored depends on it.
 */
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

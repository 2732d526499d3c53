import { sql } from 'kysely'
import { z } from 'zod'

import type { ConnectionStore, CredentialStore } from '../domain/connection.ts'
import {
  type ExaminationStore,
  type Finding,
  findingLevels,
  findingOf,
} from '../domain/examination.ts'
import { headColumns } from './copies.ts'
import { changeRow, readRow, rowOf } from './rows.ts'
import type { Queries, StoreDatabase } from './tables.ts'

export function connectionStore({ queries, takeTurn }: StoreDatabase): ConnectionStore {
  return {
    adopt: ({ from, to, credential }) =>
      queries.transaction().execute(async (transaction) => {
        await takeTurn(transaction, `connection:${to}`)
        if ((await isKnown(transaction, to)) || !(await isKnown(transaction, from))) return
        await moveCopies(transaction, from, to)
        await transaction.deleteFrom('examinations').where('connectionId', '=', to).execute()
        for (const table of ['leaveOwners', 'proofs', 'examinations'] as const) {
          await transaction
            .updateTable(table)
            .set({ connectionId: to })
            .where('connectionId', '=', from)
            .execute()
        }
        await transaction
          .updateTable('proofs')
          .set({ credential })
          .where('connectionId', '=', to)
          .execute()
      }),
  }
}

/** An examination alone does not count: it can be repeated. */
async function isKnown(queries: Queries, connectionId: string): Promise<boolean> {
  for (const table of ['copies', 'proofs', 'leaveOwners'] as const) {
    const rows = queries.selectFrom(table).select('connectionId')
    const row = await rows.where('connectionId', '=', connectionId).limit(1).executeTakeFirst()
    if (row) return true
  }
  return false
}

/** Records refer to their copies, so copies are inserted first and the old ones removed afterwards. */
async function moveCopies(queries: Queries, from: string, to: string): Promise<void> {
  const columns = sql.join(headColumns.map((name) => sql.ref(name)))
  await sql`insert into copies (connection_id, ${columns})
    select ${to}, ${columns} from copies where connection_id = ${from}`.execute(queries)
  await queries
    .updateTable('copyRecords')
    .set({ connectionId: to })
    .where('connectionId', '=', from)
    .execute()
  await queries.deleteFrom('copies').where('connectionId', '=', from).execute()
}

/** The credential with which each connection was read. */
export function credentialStore({ queries }: StoreDatabase): CredentialStore {
  const rowOfConnection = (connectionId: string) =>
    queries.updateTable('trustedCredentials').where('connectionId', '=', connectionId)
  return {
    findTrusted: (connectionId) =>
      queries
        .selectFrom('trustedCredentials')
        .select(['credential', 'doubtedSince'])
        .where('connectionId', '=', connectionId)
        .executeTakeFirst(),
    async trust(connectionId, credential) {
      const doubted = rowOfConnection(connectionId).where('doubtedSince', 'is not', null)
      if (await changeRow(doubted.set({ credential, doubtedSince: null }))) return true
      await queries
        .insertInto('trustedCredentials')
        .values({ connectionId, credential, doubtedSince: null })
        .onConflict((known) => known.column('connectionId').doUpdateSet({ credential }))
        .execute()
      return false
    },
    async doubt(connectionId, since) {
      const trusted = rowOfConnection(connectionId).where('doubtedSince', 'is', null)
      if (await changeRow(trusted.set({ doubtedSince: since }))) return true
      // Only if nothing has been read yet.
      const { numInsertedOrUpdatedRows: added = 0n } = await queries
        .insertInto('trustedCredentials')
        .values({ connectionId, credential: '', doubtedSince: since })
        .onConflict((known) => known.doNothing())
        .executeTakeFirst()
      return added > 0n
    },
  }
}

const findingsColumn = z.array(
  z
    .object({
      check: z.string(),
      level: z.enum(findingLevels).optional(),
      ok: z.boolean(),
      seen: z.string(),
      means: z.string(),
      set: z.string().nullable(),
    })
    // Releases up to 0.1 stored no level.
    .transform(({ level, ...kept }) =>
      findingOf({ ...kept, level: level ?? (kept.ok ? 'ok' : 'wrong') }),
    ),
) satisfies z.ZodType<readonly Finding[]>

/** Fails with `unavailable` if they cannot be read. */
export function findingsIn(companyId: string, text: string): readonly Finding[] {
  return readRow(`the examination of the company ${companyId}`, () =>
    findingsColumn.parse(JSON.parse(text)),
  )
}

export function examinationStore({ queries }: StoreDatabase): ExaminationStore {
  return {
    async findExamination(connectionId) {
      const row = await queries
        .selectFrom('examinations')
        .select(['companyId', 'ok', 'findings', 'examinedAt'])
        .where('connectionId', '=', connectionId)
        .executeTakeFirst()
      if (!row) return undefined
      const { companyId, examinedAt } = row
      const findings = findingsIn(companyId, row.findings)
      return { examination: { companyId, ok: row.ok === 1, findings }, examinedAt }
    },
    async keepExamination(connectionId, { examination: { companyId, ok, findings }, examinedAt }) {
      const row = { ...rowOf({ companyId, ok, findings }), examinedAt }
      await queries
        .insertInto('examinations')
        .values({ connectionId, ...row })
        .onConflict((conflict) => conflict.column('connectionId').doUpdateSet(row))
        .execute()
    },
  }
}

/* What records were before they were changed for the first time since their company was loaded. */
import type { Transaction } from 'kysely'
import { z } from 'zod'

import type { OriginalRow, SandboxTables } from '../records/tables.ts'
import { recordKinds, type Row } from './record-kinds.ts'
import { type RecordName, removeRow, writeRow } from './stored-rows.ts'

type Writes = Transaction<SandboxTables>

const storedRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
const storedKind = z.enum(recordKinds)

/** Keeps the row as it was; undefined: there was none. The first change since the company was loaded counts. */
export async function keepOriginal(
  writes: Writes,
  { companyId: company_id, kind, id }: RecordName,
  row: Row | undefined,
): Promise<void> {
  await writes
    .insertInto('workforce_originals')
    .values({ company_id, kind, id, record: row ? JSON.stringify(row) : null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Puts every record back as it was loaded, in its place; false where nothing has been changed since. */
export async function restoreOriginals(writes: Writes, companyId: string): Promise<boolean> {
  const originals = await writes
    .selectFrom('workforce_originals')
    .selectAll()
    .where('company_id', '=', companyId)
    .execute()
  for (const original of originals) await restore(writes, original)
  await writes.deleteFrom('workforce_originals').where('company_id', '=', companyId).execute()
  return originals.length > 0
}

async function restore(
  writes: Writes,
  { company_id, kind, id, record }: OriginalRow,
): Promise<void> {
  const name = { companyId: company_id, kind: storedKind.parse(kind), id }
  if (record === null) await removeRow(writes, name)
  else await writeRow(writes, name, storedRow.parse(JSON.parse(record)))
}

import type { Insertable, Transaction } from 'kysely'

import type { Rests } from '../../json/rest.ts'
import type { RecordTable } from '../records/company-rows.ts'
import type { SandboxTables } from '../records/tables.ts'

/** As many as SQLite keeps a statement for. */
const rowsPerInsert = 100
/** Longer records make a batch of fewer. */
const charactersPerInsert = 1_000_000

/** Writes the rows in batches, as they are made, with rests between them; gives how many there were. */
export async function insertRows<T extends RecordTable>(
  writes: Transaction<SandboxTables>,
  table: T,
  rows: Iterable<Insertable<SandboxTables[T]>>,
  rests: Rests,
): Promise<number> {
  let count = 0
  for (const batch of batches(rows)) {
    await writes.insertInto(table).values(batch).execute()
    count += batch.length
    if (rests.isDue()) await rests.take()
  }
  return count
}

function* batches<Row extends object>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = []
  let characters = 0
  for (const row of rows) {
    batch.push(row)
    characters += lengthOf(row)
    if (batch.length < rowsPerInsert && characters < charactersPerInsert) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}

function lengthOf(row: object): number {
  return 'record' in row && typeof row.record === 'string' ? row.record.length : 0
}

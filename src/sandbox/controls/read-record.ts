import type { Kysely } from 'kysely'

import type { SandboxTables } from '../records/tables.ts'
import { kindsOfRecords, type RecordKind, type Row } from './record-kinds.ts'
import { findRow, listRows, type RecordName } from './stored-rows.ts'

type Queries = Kysely<SandboxTables>

/** The record as a company file has it; undefined where there is none. */
export async function findFileRecord(
  queries: Queries,
  name: RecordName,
): Promise<object | undefined> {
  const row = await findRow(queries, name)
  return row && inFile(name.kind, row)
}

/** The first so many records, of one user where one is named, each as a company file has it. */
export async function listFileRecords(
  queries: Queries,
  of: Pick<RecordName, 'companyId' | 'kind'>,
  which: Parameters<typeof listRows>[2],
): Promise<readonly object[]> {
  const rows = await listRows(queries, of, which)
  return rows.map((row) => inFile(of.kind, row))
}

function inFile(kind: RecordKind, row: Row): object {
  const record: unknown = JSON.parse(String(row['record']))
  return { ...Object(record), ...kindsOfRecords[kind].inFile(row) }
}

import { isDeepStrictEqual } from 'node:util'

import type { Transaction } from 'kysely'

import { meantOrAll } from '../../domain/nearest.ts'
import { lockCompany, noteChange } from '../records/companies.ts'
import type { SandboxDatabase } from '../records/sandbox-database.ts'
import type { SandboxTables } from '../records/tables.ts'
import { refuseInput } from './input-faults.ts'
import { keepOriginal } from './originals.ts'
import { kindsOfRecords, type Row } from './record-kinds.ts'
import { findRow, type RecordName, removeRow, rowsOfUser, writeRow } from './stored-rows.ts'

type Writes = Transaction<SandboxTables>

/** What came of a change. */
export type Change = 'new' | 'changed' | 'unchanged'

/** More are not looked at for the one that was meant. */
const namesMax = 1000

/** Writes the record, new ones at the end of their list, in one transaction; `invalid`, with every fault, for one that does not fit. */
export async function putRecord(
  { queries }: SandboxDatabase,
  name: RecordName,
  body: unknown,
): Promise<Change> {
  const { rowOf } = kindsOfRecords[name.kind]
  const record = named(body, name.id)
  rowOf(record, { company_id: name.companyId, position: 0 })
  return queries.transaction().execute(async (writes) => {
    const { next_position } = await lockCompany(writes, name.companyId)
    const before = await findRow(writes, name)
    const position = Number(before?.['position'] ?? next_position)
    const row = rowOf(record, { company_id: name.companyId, position })
    await requireOwner(writes, name, row)
    if (before && isSame(before, row)) return 'unchanged'
    await keepOriginal(writes, name, before)
    await writeRow(writes, name, row)
    const next = Math.max(next_position, position + 1)
    await noteChange(writes, name.companyId, { next_position: next })
    return before ? 'changed' : 'new'
  })
}

/** Removes the record, with a user their leaves and timesheets, in one transaction; false where there is none. */
export async function deleteRecord(
  { queries }: SandboxDatabase,
  name: RecordName,
): Promise<boolean> {
  return queries.transaction().execute(async (writes) => {
    await lockCompany(writes, name.companyId)
    const before = await findRow(writes, name)
    if (!before) return false
    await remove(writes, name, before)
    if (name.kind === 'users') await removeBelongings(writes, name)
    await noteChange(writes, name.companyId, {})
    return true
  })
}

/** The address says which it is: the record need not, and must not say another. */
function named(body: unknown, id: string): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  if (!('id' in body)) return { ...body, id }
  if (body.id === id) return body
  const detail = 'must be the id in the address, or be left out'
  throw refuseInput('The record does not fit', [{ pointer: '/id', detail }])
}

async function requireOwner(
  writes: Writes,
  { companyId, kind }: RecordName,
  row: Row,
): Promise<void> {
  const { belongsTo } = kindsOfRecords[kind]
  if (!belongsTo) return
  const { member, column, table } = belongsTo
  const id = String(row[column])
  const ids = writes.selectFrom(table).select('id').where('company_id', '=', companyId)
  if (await ids.where('id', '=', id).executeTakeFirst()) return
  const some = await ids.orderBy('id').limit(namesMax).execute()
  const known = some.map((it) => it.id)
  const detail = `no ${table === 'users' ? 'user' : 'project'} has this id${meantOrAll(id, known)}`
  throw refuseInput('The record does not fit', [{ pointer: `/${member}`, detail }])
}

/** In which order a record's members stand makes no difference. */
function isSame(one: Row, other: Row): boolean {
  return Object.entries(other).every(([column, value]) =>
    column === 'record'
      ? isDeepStrictEqual(JSON.parse(String(one[column])), JSON.parse(String(value)))
      : one[column] === value,
  )
}

async function removeBelongings(writes: Writes, user: RecordName): Promise<void> {
  for (const kind of ['leaves', 'timesheets'] as const) {
    for (const row of await rowsOfUser(writes, user, kind)) {
      await remove(writes, { ...user, kind, id: String(row['id']) }, row)
    }
  }
}

async function remove(writes: Writes, name: RecordName, before: Row): Promise<void> {
  await keepOriginal(writes, name, before)
  await removeRow(writes, name)
}

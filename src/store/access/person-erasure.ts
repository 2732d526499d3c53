import type { Transaction } from 'kysely'

import type { ErasedPerson } from '../../domain/people/erasure.ts'
import type { PersonInCompany } from '../../domain/person.ts'
import { holds } from '../given-texts.ts'
import { idsColumn } from '../json-columns.ts'
import { readRow } from '../rows.ts'
import type { StoreTables } from '../tables.ts'
import type { AuditRow } from './tables.ts'

type StaffErased = PersonInCompany & Pick<ErasedPerson, 'isStaffAnywhere'>

const erasedActor = 'person:erased'
const erasedStaff = 'staff:erased'

/**
 * Removes the person's sign-ins and lost links; what was done to them, and what they did, names them no longer. Comes before the
 * directory forgets by which address they were staff.
 */
export async function eraseFromAccess(
  transaction: Transaction<StoreTables>,
  { companyId, userId, isStaffAnywhere }: StaffErased,
): Promise<void> {
  for (const table of ['sessions', 'lost_links'] as const) {
    await transaction
      .deleteFrom(table)
      .where('company_id', '=', companyId)
      .where('user_id', '=', userId)
      .execute()
  }
  await eraseActor(transaction, { companyId, userId })
  await eraseStaff(transaction, { companyId, userId, isStaffAnywhere })
  for (const row of await findNaming(transaction, { companyId, userId })) {
    await eraseFromEntry(transaction, row, userId)
  }
}

async function eraseActor(
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<void> {
  await transaction
    .updateTable('audit')
    .set({ actor: erasedActor })
    .where('company_id', '=', companyId)
    .where('actor', '=', `person:${userId}`)
    .execute()
}

/** Not where others have that address, too; of the company alone where only that is asked for. */
async function eraseStaff(
  transaction: Transaction<StoreTables>,
  { companyId, userId, isStaffAnywhere }: StaffErased,
): Promise<void> {
  const people = transaction.selectFrom('people').select(['folded_email'])
  const own = people.where('company_id', '=', companyId).where('user_id', '=', userId)
  const { folded_email: mail } = (await own.executeTakeFirst()) ?? { folded_email: null }
  if (mail === null) return
  const known = await people.where('folded_email', '=', mail).execute()
  if (known.length > 1) return
  const actor = `staff:${mail}`
  const done = transaction.updateTable('audit').where('actor', '=', actor)
  const told = isStaffAnywhere ? done : done.where('company_id', '=', companyId)
  await told.set({ actor: erasedStaff }).execute()
  if (!isStaffAnywhere) return
  await transaction.deleteFrom('sessions').where('staff_actor', '=', actor).execute()
}

type NamingRow = Pick<AuditRow, 'id' | 'user_ids' | 'label'>

function findNaming(
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<readonly NamingRow[]> {
  return transaction
    .selectFrom('audit')
    .select(['id', 'user_ids', 'label'])
    .where('company_id', '=', companyId)
    .where(holds('user_ids', JSON.stringify(userId)))
    .execute()
}

/** Of a feed of that person alone the label of a link may name them, too. */
async function eraseFromEntry(
  transaction: Transaction<StoreTables>,
  { id, user_ids: json, label }: NamingRow,
  userId: string,
): Promise<void> {
  const userIds = readRow('an entry of the audit', () => idsColumn.parse(JSON.parse(json)))
  const others = userIds.filter((other) => other !== userId)
  if (others.length === userIds.length) return
  const left = { user_ids: JSON.stringify(others), label: others.length === 0 ? null : label }
  await transaction.updateTable('audit').set(left).where('id', '=', id).execute()
}

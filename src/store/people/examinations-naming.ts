import type { Transaction } from 'kysely'

import type { PersonInCompany } from '../../domain/person.ts'
import type { StoreTables } from '../tables.ts'

/** Removes the company's examinations whose findings name that person: whom a filter was tried by. The next one finds anew. */
export async function deleteExaminationsNaming(
  transaction: Transaction<StoreTables>,
  { companyId, userId }: PersonInCompany,
): Promise<void> {
  const rows = await transaction
    .selectFrom('examinations')
    .select(['connection_id', 'findings'])
    .where('company_id', '=', companyId)
    .execute()
  for (const row of rows.filter(({ findings }) => names(findings, userId))) {
    const examination = transaction.deleteFrom('examinations')
    await examination.where('connection_id', '=', row.connection_id).execute()
  }
}

/** Whether any text in the JSON has the id as a whole, and not only as part of another; what cannot be read may. */
function names(json: string, userId: string): boolean {
  const whole = wholeId(userId)
  try {
    return textsIn(json).some((text) => whole.test(text))
  } catch {
    return true
  }
}

/** A letter, digit or underscore beside it goes on with it, and so does a hyphen or dot between two of these. */
function wholeId(userId: string): RegExp {
  const part = String.raw`[\p{L}\p{N}_]`
  return new RegExp(`(?<!${part}[-.]?)${RegExp.escape(userId)}(?![-.]?${part})`, 'u')
}

function textsIn(json: string): readonly string[] {
  const texts: string[] = []
  JSON.parse(json, (_key, value: unknown) => {
    if (typeof value === 'string') texts.push(value)
    return value
  })
  return texts
}

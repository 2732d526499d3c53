import { emptyCompany, lockCompany, sampleCompanyId } from '../records/companies.ts'
import type { SandboxDatabase } from '../records/sandbox-database.ts'
import type { CompanyLists } from './company-lists.ts'
import { replaceCompany } from './replace-company.ts'

/** Loads the sample's company into a database that has never held it; true if it did. Of several nodes that start together one loads. */
export async function seedIfEmpty(
  { queries }: SandboxDatabase,
  lists: CompanyLists,
): Promise<boolean> {
  return queries.transaction().execute(async (writes) => {
    const { generation } = await lockCompany(writes, sampleCompanyId)
    const isFirst = generation === emptyCompany.generation
    if (isFirst) await replaceCompany(writes, sampleCompanyId, lists, null)
    return isFirst
  })
}

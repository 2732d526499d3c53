import { parseCompanyFile } from '../wire/company-file.ts'
import { listsOf } from './loading/company-lists.ts'
import { replaceCompany } from './loading/replace-company.ts'
import { lockCompany, sampleCompanyId } from './records/companies.ts'
import type { SandboxDatabase } from './records/sandbox-database.ts'

/** Replaces the whole company, in one transaction, once all of the file is checked; `invalid` with every fault otherwise. */
export async function importCompany(
  database: SandboxDatabase,
  company: unknown,
  companyId = sampleCompanyId,
): Promise<void> {
  const lists = listsOf(parseCompanyFile(company))
  await database.queries.transaction().execute(async (writes) => {
    await lockCompany(writes, companyId)
    await replaceCompany(writes, companyId, lists, null)
  })
}

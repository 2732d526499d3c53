import type { PlainDate } from '../../domain/plain-date.ts'
import { replaceCompany } from '../loading/replace-company.ts'
import { lockCompany, noteChange, sampleCompanyId } from '../records/companies.ts'
import type { SandboxDatabase } from '../records/sandbox-database.ts'
import { sampleLists } from '../sample-company.ts'
import { restoreOriginals } from './originals.ts'

/** Takes back every change of single records, in one transaction: the sample's company becomes the sample of today, any other what was loaded last. */
export async function resetCompany(
  { queries }: SandboxDatabase,
  companyId: string,
  today: PlainDate,
): Promise<void> {
  const isSample = companyId === sampleCompanyId
  const lists = isSample ? sampleLists({ today }) : null
  await queries.transaction().execute(async (writes) => {
    await lockCompany(writes, companyId)
    if (lists) return replaceCompany(writes, companyId, lists, null)
    if (await restoreOriginals(writes, companyId)) await noteChange(writes, companyId, {})
  })
}

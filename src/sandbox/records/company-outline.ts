import { sampleCompanyId } from './companies.ts'
import type { SandboxDatabase } from './sandbox-database.ts'

const sampleSchedule = 'sch_day'

/** Of a company, what no operation of the Read API lists, and the schedule to assume. */
export interface CompanyOutline {
  readonly projectIds: readonly string[]
  /** The sample company's own; an imported company has none that is to be assumed. */
  readonly scheduleIds: readonly string[]
}

/** Outlines the company for whoever runs the sandbox. */
export async function outlineCompany(
  { queries }: SandboxDatabase,
  companyId = sampleCompanyId,
): Promise<CompanyOutline> {
  const projects = await queries
    .selectFrom('projects')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('position')
    .execute()
  const schedules = await queries
    .selectFrom('schedules')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', sampleSchedule)
    .where('active', '=', 1)
    .execute()
  return {
    projectIds: projects.map(({ id }) => id),
    scheduleIds: schedules.map(({ id }) => id),
  }
}

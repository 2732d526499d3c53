import { z } from 'zod'

import { type CompanySettings, toCompanySettings } from './company-settings.ts'
import { companyTable } from './company-table.ts'
import type { Faults } from './faults.ts'
import { parsed } from './fields.ts'

const companiesSchema = z
  .array(companyTable)
  .min(1, 'must hold a company')
  .refine(
    (companies) => new Set(companies.map(({ id }) => id)).size === companies.length,
    'must not hold an id more than once',
  )

/** The text of a file; whatever it throws means that there is none to be read. */
export type ReadFile = (file: string) => string

/** The companies of `COMPANIES_FILE`; undefined where there is no such file, and where it is wrong, which is noted. */
export function readCompaniesFile(
  file: string | undefined,
  readFile: ReadFile,
  faults: Faults,
): readonly CompanySettings[] | undefined {
  if (file === undefined) return undefined
  const companies = faults.check(jsonFile(readFile).pipe(companiesSchema), file, (within) => [
    'COMPANIES_FILE',
    ...within,
  ])
  return companies?.map(toCompanySettings)
}

function jsonFile(readFile: ReadFile): z.ZodType<unknown, string> {
  const read = (file: string): unknown => {
    try {
      return JSON.parse(readFile(file))
    } catch {
      return undefined
    }
  }
  return parsed(z.string(), read, 'must name a readable file of JSON')
}

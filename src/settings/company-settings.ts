import { createHash } from 'node:crypto'

import type { z } from 'zod'

import type { Company } from '../domain/company.ts'
import type { ConnectionSettings } from '../domain/connection.ts'
import type { companyTable } from './company-table.ts'

/** A company and how its Read API is reached. */
export interface CompanySettings {
  readonly company: Company
  readonly connection: ConnectionSettings
  readonly shrinkGuard: boolean
  /** Hash of company, base URL, credential, parameters and paging. */
  readonly connectionId: string
}

/** Parts the settings into what the pipeline and what the client needs of them. */
export function toCompanySettings(given: z.output<typeof companyTable>): CompanySettings {
  const { id, name = id, shrinkGuard, baseUrl, auth, params, pagination, ...others } = given
  const { timeoutMs, concurrency, bodyBytesMax, ...days } = others
  const spoken = { authentication: auth, parameters: params, pagination }
  return {
    company: { id, name, ...days },
    connection: { baseUrl, ...spoken, timeoutMs, concurrency, bodyBytesMax },
    shrinkGuard,
    connectionId: createHash('sha256')
      .update(JSON.stringify([id, baseUrl, auth, params, pagination]))
      .digest('base64url'),
  }
}

import { createHash } from 'node:crypto'

import type { z } from 'zod'

import type { Company } from '../domain/company.ts'
import type { ConnectionSettings } from '../domain/connection.ts'
import type { companyTable } from './company-table.ts'
import { pagingIdentity } from './pagination.ts'

/** A company and how its Read API is reached. */
export interface CompanySettings {
  readonly company: Company
  readonly connection: ConnectionSettings
  readonly shrinkGuard: boolean
  /** Hash of company, base URL, parameters and paging. */
  readonly connectionId: string
  /** As releases up to 0.1 had it: with the credential. */
  readonly connectionIdBefore: string
  /** Hash of the credential. */
  readonly credential: string
  /** The file that holds the credential; null where it stands in the settings themselves. */
  readonly credentialFile: string | null
}

/** Parts the settings into what the pipeline and what the client needs of them. */
export function toCompanySettings(
  given: z.output<typeof companyTable>,
  credentialFile: string | null = null,
): CompanySettings {
  const { id, name = id, shrinkGuard, baseUrl, auth, params, pagination, ...others } = given
  const { timeoutMs, concurrency, bodyBytesMax, ...days } = others
  const spoken = { authentication: auth, parameters: params, pagination }
  return {
    company: { id, name, ...days },
    connection: { baseUrl, ...spoken, timeoutMs, concurrency, bodyBytesMax },
    shrinkGuard,
    connectionId: hashOf([id, baseUrl, params, pagingIdentity(pagination)]),
    connectionIdBefore: hashOf([id, baseUrl, auth, params, pagingIdentity(pagination)]),
    credential: hashOf(auth),
    credentialFile,
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

import { createHash } from 'node:crypto'

import { z } from 'zod'

import type { Company } from '../domain/company.ts'
import type { ConnectionSettings } from '../domain/connection.ts'
import * as field from './setting-fields.ts'

/** A company and how its Read API is reached. */
export interface CompanyConfig {
  readonly company: Company
  readonly settings: ConnectionSettings
  readonly shrinkGuard: boolean
  /** Hash of company, base URL, credential, parameters and paging. */
  readonly connectionId: string
}

/** One element of `COMPANIES_FILE`. */
export const companySchema = z.strictObject({
  id: field.text,
  name: field.text.optional(),
  baseUrl: field.httpAddress,
  timezone: field.timezone,
  auth: field.authentication.prefault('none'),
  params: field.parameters.prefault({}),
  pagination: field.pagination.prefault('none'),
  dates: z.enum(['utc', 'local'], 'must be utc or local').default('utc'),
  endDates: z
    .enum(['inclusive', 'exclusive'], 'must be inclusive or exclusive')
    .default('inclusive'),
  projects: z.array(field.text).default([]),
  schedules: z.array(field.text).default([]),
  scheduleTimezones: z.record(field.text, field.timezone).default({}),
  recordUrl: field.recordUrl.nullable().default(null),
  shrinkGuard: field.onOrOff.default('on'),
  timeoutMs: field.wholeNumber(1, 600_000).default(30_000),
  concurrency: field.wholeNumber(1, 1000).default(8),
  bodyBytesMax: field.wholeNumber(1, 1_073_741_824).default(16_777_216),
})

type CompanySettings = Omit<z.output<typeof companySchema>, 'name'> & { name?: string | undefined }

/** Parts the settings into what the pipeline and what the client needs of them. */
export function toCompanyConfig(given: CompanySettings): CompanyConfig {
  const { id, baseUrl, auth, params, pagination } = given
  const { timezone, dates, endDates, projects, schedules, scheduleTimezones, recordUrl } = given
  const { timeoutMs, concurrency, bodyBytesMax } = given
  const days = { timezone, dates, endDates }
  return {
    company: {
      id,
      name: given.name ?? id,
      ...days,
      projects,
      schedules,
      scheduleTimezones,
      recordUrl,
    },
    settings: {
      baseUrl,
      authentication: auth,
      parameters: params,
      pagination,
      timeoutMs,
      concurrency,
      bodyBytesMax,
    },
    shrinkGuard: given.shrinkGuard === 'on',
    connectionId: createHash('sha256')
      .update(JSON.stringify([id, baseUrl, auth, params, pagination]))
      .digest('base64url'),
  }
}

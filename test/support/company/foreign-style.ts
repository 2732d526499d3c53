import type { Authentication } from '../../../src/domain/connection.ts'
import type { PlainDate } from '../../../src/domain/plain-date.ts'
/* Whatever the spec leaves open: in which way a Read API of somebody else's differs. */
import type { ParameterNames } from '../../../src/domain/read-api.ts'
import type { CompanyFile } from '../../../src/wire/company-file.ts'

/** How lists are cut into pages; `size` is what one holds where none is asked for, `most` what one can hold. */
export type ForeignPaging =
  | { readonly style: 'none' }
  | { readonly style: 'cut'; readonly most: number }
  | {
      readonly style: 'page'
      readonly page: string
      readonly size: string
      readonly first: number
      readonly most: number
    }
  | {
      readonly style: 'offset'
      readonly offset: string
      readonly limit: string
      readonly most: number
    }
  | { readonly style: 'link'; readonly most: number }

export interface ForeignStyle {
  /** Before `/api/public/v1`. */
  readonly basePath?: string
  readonly authentication?: Authentication
  /** The `WWW-Authenticate` field of a 401. */
  readonly challenge?: string
  /** A filter whose name is null does not exist. */
  readonly parameters?: ParameterNames
  /** Whether a parameter that is not known is refused with 400. */
  readonly strict?: boolean
  /** Whether leaves are listed for one employee only, and otherwise refused with 400. */
  readonly leavesByEmployeeOnly?: boolean
  readonly paging?: ForeignPaging
  /** How bare days are written, and of what zone. */
  readonly dates?: 'utc' | 'local'
  readonly timezone?: string
  readonly endDates?: 'inclusive' | 'exclusive'
  /** The day round which the company is alive. */
  readonly today?: PlainDate
  /** Changes the company before it is served. */
  readonly alter?: (company: CompanyFile) => CompanyFile
}

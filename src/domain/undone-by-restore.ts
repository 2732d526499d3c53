import type { PersonInCompany } from './person.ts'

/** What had ended in the database that a backup replaces, and has not in the backup. */
export interface UndoneByRestore {
  readonly feeds: readonly { readonly feedId: string; readonly purged: boolean }[]
  readonly links: readonly EndedLink[]
  /** Links that were replaced by another address, which the backup does not know. */
  readonly rotated: readonly EndedLink[]
  readonly tokens: readonly { readonly name: string; readonly companyId: string | null }[]
  readonly erased: readonly PersonInCompany[]
}

export interface EndedLink {
  readonly feedId: string
  readonly label: string
}

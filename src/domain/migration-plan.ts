/** What the steps do that a database has not had yet. */
export interface MigrationPlan {
  readonly dialect: 'sqlite' | 'postgres'
  /** How many steps the database has had. */
  readonly taken: number
  readonly steps: readonly PlannedStep[]
  /** Existing tables that the steps touch. */
  readonly tables: readonly { readonly name: string; readonly rows: number }[]
  /** The copy of the file that is made first; null if none is. */
  readonly copy: PlannedCopy | null
  /** How long a copy of the file took, if one was made; null if it was not measured. */
  readonly copyMs: number | null
}

export interface PlannedStep {
  readonly name: string
  /** In words, such as "adds links.choices". */
  readonly changes: readonly string[]
  /** null if it was not measured. */
  readonly ms: number | null
}

export interface PlannedCopy {
  readonly file: string
  /** Whether it exists already, from an earlier update; then it stays as it is. */
  readonly exists: boolean
  readonly bytes: number
  readonly freeBytes: number
}

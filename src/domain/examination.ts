import type { Instant } from './instant.ts'

/** What the examination of one company's Read API and settings found. */
export interface Examination {
  readonly companyId: string
  /** Whether feeds can be served whole: every finding is ok. */
  readonly ok: boolean
  /** In the order of the examination; after one without which nothing can be read none follow. */
  readonly findings: readonly Finding[]
}

export interface Finding {
  /** What was looked at: `reachable`, `credentials`, `leaves-employee`, … */
  readonly check: string
  readonly ok: boolean
  /** What was seen, as a sentence; no secrets, no values of records but ids. */
  readonly seen: string
  /** What that means for the feeds, as a sentence. */
  readonly means: string
  /** The setting to change, written as it has to stand; null where there is none. */
  readonly set: string | null
}

/** The last examination of a connection. */
export interface KeptExamination {
  readonly examination: Examination
  readonly examinedAt: Instant
}

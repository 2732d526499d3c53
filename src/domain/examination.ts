import type { PlainDate } from './plain-date.ts'
import type { Instant } from './world.ts'

/** What the examination of one company's Read API and settings found. */
export interface Examination {
  readonly companyId: string
  /** Whether feeds can be served whole: no finding is wrong. */
  readonly ok: boolean
  /** What is wrong first, then notes, each in the order of the examination; after one without which nothing can be read none follow. */
  readonly findings: readonly Finding[]
}

/** `ok`: it was tried and is in order; `note`: worth knowing, and no calendar lacks anything for it; `wrong`: calendars suffer from it. */
export const findingLevels = ['ok', 'note', 'wrong'] as const
export type FindingLevel = (typeof findingLevels)[number]

export interface Finding {
  /** What was looked at: `reachable`, `credentials`, `leaves-employee`, … */
  readonly check: string
  readonly level: FindingLevel
  /** Whether it is not wrong. */
  readonly ok: boolean
  /** What was seen, as a sentence; no secrets, no values of records but ids. */
  readonly seen: string
  /** What that means for the feeds, as a sentence. */
  readonly means: string
  /** The setting to change, as it has to be written, each only once; null where there is none. */
  readonly set: string | null
}

/** A finding of that level; without a setting to change where none is given. */
export function findingOf({
  check,
  level,
  seen,
  means,
  set = null,
}: Omit<Finding, 'ok' | 'set'> & { readonly set?: string | null | undefined }): Finding {
  return { check, level, ok: level !== 'wrong', seen, means, set }
}

/** The last examination of a connection. */
export interface KeptExamination {
  readonly examination: Examination
  readonly examinedAt: Instant
}

/** The last examination of each connection. */
export interface ExaminationStore {
  findExamination(connectionId: string): Promise<KeptExamination | undefined>
  /** Replaces what was kept. */
  keepExamination(connectionId: string, kept: KeptExamination): Promise<void>
}

/** Asks a connection's Read API otherwise than its settings say, so that wrong settings can be told from right ones. */
export interface ExaminationProbe {
  /** As it is set. */
  readonly baseUrl: string
  /** The setting of the credential with its secrets left out: `none`, `bearer:TOKEN`, `header:X-Key:VALUE`. */
  readonly credential: string
  /** One GET, sent once, no page but the first. Fails with `upstream_unavailable` or `upstream_invalid` where no readable answer comes. */
  ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer>
}

export interface ProbeQuestion {
  /** Below `/api/public/v1/`: `leaves`, `projects/prj_1/tasks`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** In place of the one that is set. */
  readonly baseUrl?: string
  /** How the secret that is set is sent, if at all, in place of the way that is set. */
  readonly credential?: ProbeCredential
}

export type ProbeCredential =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'bearer' }
  | { readonly scheme: 'header'; readonly name: string }

export interface ProbeAnswer {
  readonly status: number
  /** Of a 200 with `{data: […]}`; null for any other answer. */
  readonly records: readonly unknown[] | null
  /** Whether a `Link` header field names a next page (RFC 8288). */
  readonly hasNext: boolean
  /** The `WWW-Authenticate` header field (RFC 9110 section 11.6.1), empty where there is none. */
  readonly challenge: string
  /** Where a redirect leads: the path within the same origin, else the origin alone; null where the answer is none. */
  readonly redirectsTo: string | null
}

/** The clock on the wall of one time zone: by it days are told from times. */
export interface ZoneClock {
  /** What the clock shows, as milliseconds since its own 1970-01-01 00:00. */
  wallClockAt(instant: Instant): number
  dateAt(instant: Instant): PlainDate
}

/** The clock of an IANA zone. */
export type ZoneClocks = (timezone: string) => ZoneClock

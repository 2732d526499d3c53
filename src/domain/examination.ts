import type { PlainDate } from './plain-date.ts'
import type { Instant } from './world.ts'

export interface Examination {
  readonly companyId: string
  /** Whether feeds can be served whole: no finding is `wrong`. */
  readonly ok: boolean
  /** What is wrong first, then notes; none follow a finding without which nothing can be read. */
  readonly findings: readonly Finding[]
}

/** `note`: worth knowing, but no calendar lacks anything; `wrong`: calendars suffer. */
export const findingLevels = ['ok', 'note', 'wrong'] as const
export type FindingLevel = (typeof findingLevels)[number]

export interface Finding {
  /** What was looked at: `reachable`, `credentials`, `leaves-employee`, … */
  readonly check: string
  readonly level: FindingLevel
  readonly ok: boolean
  /** A sentence without secrets and without values of records but ids. */
  readonly seen: string
  readonly means: string
  /** The setting to change, as it has to be written. */
  readonly set: string | null
}

export function findingOf({
  check,
  level,
  seen,
  means,
  set = null,
}: Omit<Finding, 'ok' | 'set'> & { readonly set?: string | null | undefined }): Finding {
  return { check, level, ok: level !== 'wrong', seen, means, set }
}

export interface KeptExamination {
  readonly examination: Examination
  readonly examinedAt: Instant
}

export interface ExaminationStore {
  findExamination(connectionId: string): Promise<KeptExamination | undefined>
  keepExamination(connectionId: string, kept: KeptExamination): Promise<void>
}

/** Asks a Read API in other ways than the settings say, to find the right ones. */
export interface ExaminationProbe {
  readonly baseUrl: string
  /** The set credential without its secrets: `none`, `bearer:TOKEN`, `header:X-Key:VALUE`. */
  readonly credential: string
  /** One GET, of the first page only. `upstream_unavailable` or `upstream_invalid` without a readable answer. */
  ask(question: ProbeQuestion, signal?: AbortSignal): Promise<ProbeAnswer>
}

export interface ProbeQuestion {
  /** Below `/api/public/v1/`: `leaves`, `projects/prj_1/tasks`. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly baseUrl?: string
  readonly credential?: ProbeCredential
}

export type ProbeCredential =
  | { readonly scheme: 'none' }
  | { readonly scheme: 'bearer' }
  | { readonly scheme: 'header'; readonly name: string }

export interface ProbeAnswer {
  readonly status: number
  /** Of a 200 with `{data: […]}`. */
  readonly records: readonly unknown[] | null
  /** Whether a `Link` header names a next page (RFC 8288). */
  readonly hasNext: boolean
  /** The `WWW-Authenticate` header (RFC 9110 section 11.6.1), or empty. */
  readonly challenge: string
  /** The path of a redirect within the same origin, else the other origin alone. */
  readonly redirectsTo: string | null
}

export interface ZoneClock {
  /** What the clock shows, as milliseconds since its own 1970-01-01 00:00. */
  wallClockAt(instant: Instant): number
  dateAt(instant: Instant): PlainDate
}

export type ZoneClocks = (timezone: string) => ZoneClock

/** The days off of all these places from the first to the last date, with their names. */
export type HolidayCalendar = (
  places: readonly string[],
  first: PlainDate,
  last: PlainDate,
) => ReadonlyMap<PlainDate, string>

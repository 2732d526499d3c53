import { meantOrAll } from './nearest.ts'

/** A company as the pipeline from record to calendar sees it: how its days and times are to be read. */
export interface Company {
  readonly id: string
  readonly name: string
  /** IANA zone in which the company works; schedules' wall times are in it. */
  readonly timezone: string
  /** How a bare day is written: as midnight UTC or as midnight of the company's zone. */
  readonly dates: 'utc' | 'local'
  /** Whether an end that is a bare day is the last day or the day after it. */
  readonly endDates: 'inclusive' | 'exclusive'
  /** Projects whose tasks feeds read where their options name none. */
  readonly projects: readonly string[]
  /** Schedules of feeds that name none. */
  readonly schedules: readonly string[]
  /** Schedule id to IANA zone, for schedules that do not follow the company's. */
  readonly scheduleTimezones: Readonly<Record<string, string>>
  /** Template with `{kind}` and `{id}` by which events link back to their record. */
  readonly recordUrl: string | null
}

/** What is said where a company is named that there is not: which one was meant, or which ones there are. */
export function noCompany(given: string, known: Iterable<string>): string {
  return `There is no company "${given}"${meantOrAll(given, [...known])}`
}

const loopbackName = /^(?:localhost\.?|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/** Whether a host's name or address, an IPv6 one also in brackets, is this machine's own, which no other can open. */
export function isLoopbackName(host: string): boolean {
  return loopbackName.test(host)
}

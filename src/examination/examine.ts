import type { Connection, ParameterNames } from '../domain/connection.ts'
import { defaultParameters } from '../domain/connection.ts'
import type { DepartureShare } from '../domain/departure.ts'
import type { Examination, Finding, ExaminationProbe } from '../domain/examination.ts'
import type { LeaveProof } from '../domain/leave.ts'
import type { Instant } from '../domain/world.ts'
import { examineArrival } from './arrival.ts'
import { dayFindings, readDayReading } from './day-findings.ts'
import { departuresFindings } from './departures-finding.ts'
import { endsFinding } from './end-findings.ts'
import type { Examining } from './examining.ts'
import { type LeaveFilterTrial, leaveFilterFinding, tryLeaveFilter } from './leave-filter.ts'
import { listFindings } from './list-findings.ts'
import { namedFindings } from './named-findings.ts'
import { gather, type Readings } from './readings.ts'
import { recordsFinding } from './record-findings.ts'
import { adviseFor, type SettingsIn } from './setting-advice.ts'
import {
  type TimesheetFilterTrial,
  timesheetFilterFinding,
  tryTimesheetFilter,
} from './timesheet-filter.ts'
import { truncationFinding } from './truncation-finding.ts'

/** A connection together with what only its examination needs. */
export interface ExaminedConnection {
  readonly connection: Connection
  readonly probe: ExaminationProbe
  /** Where its settings stand, so that advice can be written as they are. */
  readonly settingsIn: SettingsIn
}

export interface Circumstances {
  readonly proof: LeaveProof
  /** Where too many people leave at once to be believed. */
  readonly heldBack: DepartureShare | null
  readonly now: Instant
  readonly signal: AbortSignal
}

/**
 * Finds out whether the Read API can be read as its settings say, and which setting to change where not. Never fails
 * for what the Read API does; only with the signal's reason.
 */
export async function examine(
  { connection, probe, settingsIn }: ExaminedConnection,
  { heldBack, ...circumstances }: Circumstances,
): Promise<Examination> {
  const advise = adviseFor(settingsIn)
  const found = await findAll({ connection, probe, advise, ...circumstances })
  const findings = [...found, ...departuresFindings(heldBack)]
  const ok = findings.every((finding) => finding.ok)
  return { companyId: connection.company.id, ok, findings }
}

async function findAll(examining: Examining): Promise<readonly Finding[]> {
  const arrival = await examineArrival(examining)
  if (!arrival.every(({ ok }) => ok)) return arrival
  const readings = await gather(examining)
  const days = readDayReading(examining, readings)
  return [
    ...arrival,
    ...listFindings(readings),
    ...(await filterFindings(examining, readings)),
    recordsFinding(readings),
    ...dayFindings(examining, days),
    endsFinding(examining, readings, days),
    await truncationFinding(examining, readings),
    ...namedFindings(examining, readings),
  ]
}

/** Both filters are named in one setting: whichever finding is followed, it mends both. */
async function filterFindings(
  examining: Examining,
  readings: Readings,
): Promise<readonly Finding[]> {
  const leaves = await tryLeaveFilter(examining, readings)
  const timesheets = await tryTimesheetFilter(examining, readings)
  const better = betterParameters(examining.connection.parameters, leaves, timesheets)
  const set = examining.advise('params', withoutDefaults(better))
  return [
    leaveFilterFinding(examining, leaves, set),
    timesheetFilterFinding(examining, timesheets, set),
  ]
}

function betterParameters(
  set: ParameterNames,
  leaves: LeaveFilterTrial,
  timesheets: TimesheetFilterTrial,
): ParameterNames {
  return {
    ...set,
    leaves: { ...set.leaves, employee: leaves.better ?? set.leaves.employee },
    timesheets: { ...set.timesheets, ...timesheets.better },
  }
}

/** The setting is merged over the defaults, so only what differs has to stand in it. */
function withoutDefaults(parameters: ParameterNames): object {
  const resources = Object.entries(parameters).map(([resource, names]) => {
    const defaults = new Map(Object.entries(defaultsOf(resource)))
    const own = Object.entries(names).filter(([key, name]) => defaults.get(key) !== name)
    return [resource, Object.fromEntries(own)] as const
  })
  return Object.fromEntries(resources.filter(([, names]) => Object.keys(names).length > 0))
}

function defaultsOf(resource: string): object {
  return Object.entries(defaultParameters).find(([key]) => key === resource)?.[1] ?? {}
}

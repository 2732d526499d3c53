import type { Connection } from '../domain/connection.ts'
import type { DepartureWatch } from '../domain/departure.ts'
import {
  type AppError,
  asAppError,
  type ErrorCode,
  Misnamed,
  StoreUnavailable,
} from '../domain/errors.ts'
import type { CollectionKind } from '../domain/kinds.ts'
import type { Log } from '../domain/world.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'
import { isRefusal } from './proof/leaves-reply.ts'
import type { ReadApiHealth } from './read-api-health.ts'
import type { ToldOnce } from './told-once.ts'

interface FailedRefreshDeps {
  readonly connection: Connection
  readonly departures: DepartureWatch
  readonly health: ReadApiHealth
  readonly told: ToldOnce
  readonly log: Log
  readonly signal: AbortSignal
}

/** Statuses by which a Read API says that it has, or shows, no such project or invoice. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 401, 403, 404, 410])
/** What is said of one record alone. */
const ofRecord: ReadonlySet<ErrorCode> = new Set([
  'upstream_not_found',
  'upstream_invalid',
  'upstream_misnamed',
])

/** Tells whom it concerns that a refresh has failed, and whether the Read API says that there is no such thing, or that it is called otherwise. */
export async function noteFailedRefresh(
  { connection, departures, health, told, log, signal }: FailedRefreshDeps,
  { collection }: CollectionRequest,
  error: unknown,
): Promise<'failed' | 'unkept' | 'missing' | 'misnamed'> {
  const { kind, subject } = collection
  const company = connection.company.id
  const where = { company, kind, subject }
  const fault = asAppError(error)
  if (!fault) {
    if (!signal.aborted) log.error({ ...where, error }, 'refresh_failed')
    return 'failed'
  }
  const { code, message: reason } = fault
  log.debug({ ...where, code, reason }, 'refresh_failed')
  if (fault instanceof StoreUnavailable) return 'unkept'
  if (isOfRecord(kind, fault)) {
    told.warn({ company, kind, code }, 'record_not_read', { subject, reason })
  }
  if (isAnswer(kind, fault)) health.noteAnswer(collection)
  else if (kind !== 'user') health.noteFault(collection, fault)
  if (kind === 'user') return notePerson(departures, { company, subject }, fault)
  return isRefused(kind, fault.status) ? 'missing' : 'failed'
}

/** Whether the Read API calls this person otherwise, or does not show them to anybody; `failed` for anything else that it says, or does not. */
async function notePerson(
  departures: DepartureWatch,
  { company, subject }: { readonly company: string; readonly subject: string },
  fault: AppError,
): Promise<'failed' | 'missing' | 'misnamed'> {
  const isMissing = fault.code === 'upstream_not_found'
  if (isMissing) await departures.note(company, subject, 'user_missing')
  if (fault.code === 'upstream_rejected') return 'missing'
  if (!(fault instanceof Misnamed)) return 'failed'
  return (await departures.noteMisnamed(company, subject, fault)) ? 'misnamed' : 'failed'
}

/** Who is not let in has been told nothing, whatever else that status may mean of one project. */
function isAnswer(kind: CollectionKind, fault: AppError): boolean {
  return fault.status !== 401 && (isRefused(kind, fault.status) || isOfRecord(kind, fault))
}

/** A person's leaves are refused where there are none, as far as that is not known to be otherwise. */
function isRefused(kind: CollectionKind, status: number | undefined): boolean {
  return kind === 'leaves' ? isRefusal(status) : kinds[kind].mayBeMissing && refusals.has(status)
}

/** What was answered about one record, and says nothing of others. Names are asked for too seldom to tell of outages. */
function isOfRecord(kind: CollectionKind, { code }: AppError): boolean {
  if (kind === 'user') return code !== 'upstream_unavailable'
  return kind === 'invoice' && ofRecord.has(code)
}

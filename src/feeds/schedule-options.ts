import { z } from 'zod'

import { AppError, faultsToldMax, type InputFault } from '../domain/errors.ts'
import { type Audience, type OwnOptions, readOptions } from '../domain/feed-options.ts'
import { nearest } from '../domain/nearest.ts'
import type { CompanyLookup } from './company-lookup.ts'
import type { OptionsPlace } from './feed-options.ts'

const namedMax = 5

const notRead =
  'The company’s schedules could not be read now; the calendar is served as soon as they can be, and takes the usual ones.'

const idList = z.array(z.string())

/** The part of a change of options that concerns schedules. */
const scheduleChange = z
  .object({
    shifts: z
      .object({
        scheduleIds: idList.nullable(),
        rotation: z
          .object({ weeks: z.array(idList) })
          .partial()
          .nullable(),
      })
      .partial()
      .nullable(),
  })
  .partial()

export interface SettledOptions {
  readonly ownOptions: OwnOptions
  readonly warnings: readonly string[]
}

/** Fills in the company's schedules if neither the options nor its defaults name any; they stay unknown if they cannot be read. */
export async function settleSchedules(
  own: OwnOptions,
  audience: Audience,
  lookup: CompanyLookup,
): Promise<SettledOptions> {
  const { [audience]: usual } = await lookup.findDefaults()
  const isNamed = readOptions(audience, usual, own).shifts.scheduleIds !== null
  const { ownOptions, failure } = isNamed
    ? { ownOptions: own, failure: undefined }
    : await fillSchedules(own, lookup)
  const { show, rotation } = readOptions(audience, usual, ownOptions).shifts
  const isAwaited = failure !== undefined && show && rotation === null
  return { ownOptions, warnings: isAwaited ? [notRead] : [] }
}

/** Whether the change removes the named schedules, so that the company's hold again. */
export function takesSchedules(change: unknown): boolean {
  const { shifts } = scheduleChange.parse(change)
  return shifts === null || shifts?.scheduleIds === null
}

/**
 * `invalid` with a fault for each schedule that the company does not have. Warnings name schedules that are inactive or
 * unreadable, or say that the schedules could not be read.
 */
export async function checkSchedules(
  change: unknown,
  lookup: CompanyLookup,
  { pointer = '/options', hintsMax = faultsToldMax }: OptionsPlace = {},
): Promise<readonly string[]> {
  const named = namedSchedules(change, pointer)
  if (named.length === 0) return []
  const answer = await lookup.findSchedules()
  if (answer instanceof AppError) return [unchecked(answer)]
  const listed = new Set(answer.ids)
  const unlisted = named.filter(({ id }) => !listed.has(id))
  const inactive = unlisted.length > 0 ? await lookup.findInactiveSchedules() : []
  if (inactive instanceof AppError) return [unchecked(inactive)]
  const others = new Set(inactive)
  const unknown = unlisted.filter(({ id }) => !others.has(id))
  if (unknown.length === 0) return warningsOf(named, answer)
  const faults = unknown.slice(0, hintsMax).map(faultOf(answer.ids))
  const moreFaults = unknown.length - faults.length
  throw new AppError('invalid', 'The options are not valid.', { faults, moreFaults })
}

type Listed = Exclude<Awaited<ReturnType<CompanyLookup['findSchedules']>>, AppError>

function warningsOf(
  named: readonly NamedSchedule[],
  { records, ids, inDoubt }: Listed,
): readonly string[] {
  const readable = new Map(records.map((record) => [record.id, record]))
  const listed = new Set(ids)
  const states = Map.groupBy(new Set(named.map(({ id }) => id)), (id) => {
    if (!listed.has(id) || readable.get(id)?.isActive === false) return 'inactive'
    return readable.has(id) && !inDoubt.has(id) ? 'usable' : 'unreadable'
  })
  const [inactive, unreadable] = [states.get('inactive'), states.get('unreadable')]
  return [
    ...(inactive
      ? [`These schedules are not active and show no shifts until they are: ${firstOf(inactive)}.`]
      : []),
    ...(unreadable
      ? [
          `The records of these schedules cannot be read; what cannot be read is shown once it can be: ${firstOf(unreadable)}.`,
        ]
      : []),
  ]
}

interface NamedSchedule {
  readonly pointer: string
  readonly id: string
}

function namedSchedules(change: unknown, pointer: string): readonly NamedSchedule[] {
  const { shifts } = scheduleChange.parse(change)
  const weeks = shifts?.rotation?.weeks ?? []
  return [
    ...namedIn(`${pointer}/shifts/scheduleIds`, shifts?.scheduleIds ?? []),
    ...weeks.flatMap((week, index) => namedIn(`${pointer}/shifts/rotation/weeks/${index}`, week)),
  ]
}

function namedIn(pointer: string, named: readonly string[]): readonly NamedSchedule[] {
  return named.map((id, index) => ({ pointer: `${pointer}/${index}`, id }))
}

function faultOf(known: readonly string[]): (named: NamedSchedule) => InputFault {
  return ({ pointer, id }) => {
    const others = known.length > 0 ? `only ${someOf(known, id)}` : 'nor any other'
    return { pointer, detail: `There is no schedule "${id}", ${others}.` }
  }
}

/** The most similar one first. */
function someOf(known: readonly string[], id: string): string {
  const first = nearest(id, known)
  return firstOf(known.toSorted((one, other) => Number(other === first) - Number(one === first)))
}

function firstOf(ids: readonly string[]): string {
  const more = ids.length - namedMax
  return ids.slice(0, namedMax).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

function unchecked({ message }: AppError): string {
  return `The schedules could not be checked; everything else was done: ${message}`
}

async function fillSchedules(
  ownOptions: OwnOptions,
  lookup: CompanyLookup,
): Promise<{ readonly ownOptions: OwnOptions; readonly failure?: AppError }> {
  const scheduleIds = await lookup.defaultSchedules()
  if (scheduleIds instanceof AppError) return { ownOptions, failure: scheduleIds }
  return { ownOptions: { ...ownOptions, shifts: { ...ownOptions.shifts, scheduleIds } } }
}

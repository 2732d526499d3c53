import { fittingRecords } from '../../domain/copy.ts'
import type { FeedOptions } from '../../domain/feed-options.ts'
import { isKnownType, readHours, type Schedule } from '../../domain/schedule.ts'
import { anyScope, type Kind } from './kind.ts'

/** The company's schedules: one list, since the Read API ties none to a user. */
export const schedules: Kind<'schedules'> = {
  shownAs: 'shifts',
  neededBy: ['shifts'],
  isPersonal: false,
  mayBeMissing: false,
  freshMs: null,
  subjectsOf: ({ options }) => (mayHaveShifts(options) ? [''] : []),
  scopeOf: () => anyScope,
  async read(_, { api, ...asking }) {
    const answer = await api.listUnlessKnown('schedules', {}, asking)
    return answer && fittingRecords(answer)
  },
  keep: ({ id, name, type, isActive, pattern }) => ({ id, name, type, isActive, pattern }),
  mended: (record, before) => ({ ...record, pattern: mendedPattern(record, before) }),
  // One schedule may be all shifts of everybody: its working days are what can be lost.
  countedBy: ({ id, isActive, type, pattern }) =>
    isActive === false || !isKnownType(type)
      ? []
      : workingDays(pattern).map((day) => `${id} ${day.toLowerCase()}`),
}

/** Whether there are schedules to show shifts of, or it is not known yet whether there are. */
export function mayHaveShifts({
  shifts: { rotation, scheduleIds },
}: Pick<FeedOptions, 'shifts'>): boolean {
  return rotation !== null || scheduleIds === null || scheduleIds.length > 0
}

function workingDays(pattern: Schedule['pattern']): readonly string[] {
  return Object.entries(pattern ?? {}).flatMap(([day, hours]) => (readHours(hours) ? [day] : []))
}

/** A day whose hours cannot be read stands as it was, as far as it could be read then; one without hours is a day off. */
function mendedPattern({ pattern }: Schedule, before: Schedule): Schedule['pattern'] {
  const known = new Map(Object.entries(before.pattern ?? {}))
  const isLost = (day: string, hours: unknown): boolean =>
    hours !== null && hours !== undefined && !readHours(hours) && !!readHours(known.get(day))
  const days = Object.entries(pattern ?? {})
  if (!days.some(([day, hours]) => isLost(day, hours))) return pattern
  return Object.fromEntries(
    days.map(([day, hours]) => [day, isLost(day, hours) ? known.get(day) : hours]),
  )
}

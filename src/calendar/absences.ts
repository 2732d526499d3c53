/* Days on which somebody is away: one event a day, made only of numbers and names, so that it tells nothing else of a leave. */
import type { CalendarEvent } from '../domain/calendar-event.ts'
import type { Leave } from '../domain/leave.ts'
import { addDays, dayNumber, plainDate, type PlainDate } from '../domain/plain-date.ts'
import { hourMs, minuteMs } from '../domain/world.ts'
import { titleLengthMax } from '../text/plain-text.ts'
import { datedUids, shortLine, writeEvent } from './build-event.ts'
import { isTimeFault } from './event-time.ts'
import {
  type Away,
  type CalendarSource,
  conventionOf,
  type Expansible,
  type ExpansionContext,
  fullName,
  Kept,
  type LeaveDays,
  type Member,
  readOne,
  type SetAside,
} from './expansion.ts'
import { type LeaveOfPerson, leavesOfPeople, readLeaveTime, shownStatus } from './leaves.ts'
import { workedDays } from './shifts.ts'
import { languages } from './words.ts'

/** Leave of this length takes the whole day, shorter leave half of it. */
const wholeDayMs = 6 * hourMs

interface MemberAway {
  readonly member: Member
  readonly away: Away
}

/**
 * Counts each leave on its days, each person at most once a day. Leaves out days on which nobody is known to be away and days
 * on which nobody works by the schedules of the feed.
 */
export function expandAbsences(context: ExpansionContext): Expansible<LeaveOfPerson> {
  const countedOf = (userId: string): Map<Leave, LeaveDays> => leaveDaysOf(userId, context)
  return {
    kind: 'leave',
    records: leavesOfPeople(context),
    expand: ({ leave, userId }) => {
      const counted = countedOf(userId)
      if (counted.has(leave)) return []
      const read = readLeaveDays(leave, context)
      if (!('partOf' in read)) return read
      counted.set(leave, read)
      return []
    },
    gather: () => {
      const members = membersOf(context)
      const write = absenceWriter(members, context)
      return awayByDay(members, context)
        .entries()
        .map(([day, away]) => write(day, away))
    },
    counts: ({ time }, { leave, userId }) => {
      const counted = countedOf(userId).get(leave)
      const day = time.allDay ? dayNumber(time.start) : NaN
      return counted !== undefined && counted.first <= day && day < counted.end
    },
  }
}

/** How much of a day somebody is away. */
export interface AbsentMember extends Member {
  readonly part: number
  /** Whether some of it is not approved yet. */
  readonly isPending: boolean
}

export interface Absences {
  /** In the order of names. */
  readonly members: readonly Member[]
  /** Those of them with leave that is not known. */
  readonly unknown: readonly Member[]
  /** Who is away on each day on which anybody is. Days on which nobody works are left out. */
  readonly days: ReadonlyMap<PlainDate, readonly AbsentMember[]>
}

/** Counts who is away as the calendar with one event for each day does. */
export function listAbsences(source: CalendarSource): Absences {
  const words = languages[source.feed.locale]
  const convention = conventionOf(source.company)
  const context = { ...source, kept: new Kept(), convention, words }
  const { kind, records, expand } = expandAbsences(context)
  for (const record of records) readOne(kind, record, expand)
  const members = membersOf(context)
  const days = awayByDay(members, context)
  return {
    members,
    unknown: members.filter(({ userId }) => !source.records.leaves.has(userId)),
    days: new Map(
      [...days].map(([day, away]) => [
        plainDate(day),
        away.map(({ member, away: { part, approved } }) => ({
          ...member,
          part: rounded(part),
          isPending: rounded(approved) < rounded(part),
        })),
      ]),
    ),
  }
}

/** The leaves that were counted, each with its days. */
function leaveDaysOf(userId: string, { records, kept }: ExpansionContext): Map<Leave, LeaveDays> {
  return kept.leaveDays.part(userId, [records.leaves.get(userId)], () => new Map())
}

function awayByDay(
  members: readonly Member[],
  context: ExpansionContext,
): ReadonlyMap<number, readonly MemberAway[]> {
  const { records, kept } = context
  const worked = workedDays(context)
  const byDay = new Map<number, MemberAway[]>()
  for (const member of members) {
    const { userId } = member
    const from = [records.leaves.get(userId)]
    const counted = leaveDaysOf(userId, context)
    const days = kept.daysAway.part(userId, from, () => sumDays(counted.values()))
    for (const [day, away] of days) {
      if (worked && !worked.has(day)) continue
      const all = byDay.get(day)
      if (all) all.push({ member, away })
      else byDay.set(day, [{ member, away }])
    }
  }
  return byDay
}

/** The days of the window that the leave touches; if the feed cannot show it, why not. */
function readLeaveDays(leave: Leave, context: ExpansionContext): LeaveDays | readonly SetAside[] {
  const status = shownStatus(leave, context)
  if (typeof status !== 'string') return status
  const { time, partOfDay } = readLeaveTime(leave, context)
  if (isTimeFault(time)) return [{ kind: 'leave', id: leave.id, reason: time }]
  const { convention, window } = context
  const { local } = convention
  const [start, end] = time.allDay
    ? [time.start, time.end]
    : [local.dateAt(time.start), addDays(local.dateAt(time.end - 1), 1)]
  return {
    first: dayNumber(start > window.start ? start : window.start),
    end: dayNumber(end < window.end ? end : window.end),
    isPending: status === 'PENDING',
    partOf: (day) => {
      // A part of a day of unknown size counts half.
      if (time.allDay) return partOfDay === null ? 1 : partOfDay || 0.5
      const from = Math.max(time.start, local.instantOn(day, 0))
      const until = Math.min(time.end, local.instantOn(day + 1, 0))
      // An end at 15:59 means 16:00.
      return until + minuteMs - from >= wholeDayMs ? 1 : 0.5
    },
  }
}

function sumDays(leaves: Iterable<LeaveDays>): ReadonlyMap<number, Away> {
  const sums = new Map<number, Away>()
  for (const { first, end, isPending, partOf } of leaves) {
    for (let day = first; day < end; day += 1) {
      const part = partOf(day)
      const before = sums.get(day) ?? { part: 0, approved: 0 }
      sums.set(day, {
        part: Math.min(1, before.part + part),
        approved: Math.min(1, before.approved + (isPending ? 0 : part)),
      })
    }
  }
  return sums
}

/** The feed's people by name: the first name, or the full name if two share the first. */
function membersOf({ feed, records, kept, words }: ExpansionContext): readonly Member[] {
  const people = [...new Set(feed.userIds)].map((userId) => {
    return { userId, user: records.user.get(userId)?.[0] }
  })
  const from = people.map(({ user }) => user)
  return kept.team.part('', from, () => {
    const named = people.map(({ userId, user }) => {
      const first = fullName({ firstName: user?.firstName })
      return { userId, first, full: fullName(user) }
    })
    const sharing = Map.groupBy(named, ({ first }) => first?.toLowerCase())
    return named
      .map(({ userId, first, full }) => {
        const isOnly = first !== null && sharing.get(first.toLowerCase())?.length === 1
        const name = isOnly ? first : (full ?? words.somebody)
        return { userId, name: shortLine(name) ?? words.somebody }
      })
      .toSorted(
        (one, other) =>
          words.compareNames(one.name, other.name) || (one.userId < other.userId ? -1 : 1),
      )
  })
}

/** Returns a writer of days; `away` is in the order of the members. */
function absenceWriter(
  members: readonly Member[],
  context: ExpansionContext,
): (day: number, away: readonly MemberAway[]) => CalendarEvent {
  const { feed, records, kept, words } = context
  const { minimumPresent } = feed.options.leaves
  const uidOn = datedUids(feed.companyId, 'absence', feed.id)
  const unknown = members.filter(({ userId }) => !records.leaves.has(userId))
  const tail = unknown.length > 0 ? ` (${words.unknown(unknown.length)})` : ''
  const notKnown = unknown.length > 0 ? words.notKnown(unknown.map(({ name }) => name)) : null
  const nameOf = ({ member, away }: MemberAway): string => {
    if (away.approved === 1) return member.name
    const [part, approved] = [rounded(away.part), rounded(away.approved)]
    const remarks = [
      ...(part < 1 ? [words.partAway(part)] : []),
      ...(approved < part ? [words.pending] : []),
    ]
    return remarks.length > 0 ? `${member.name} (${remarks.join(', ')})` : member.name
  }
  return (day, all) => {
    const away = rounded(all.reduce((sum, it) => sum + it.away.part, 0))
    const here = rounded(members.length - away)
    const isThin = minimumPresent !== null && here < minimumPresent
    const titleWith = (names: string): string =>
      (isThin
        ? words.onlyHere(here, members.length, names)
        : words.awayOf(away, members.length, names)) + tail
    const names = all.map(nameOf)
    const whole = titleWith(names.join(', '))
    const isCut = whole.length > titleLengthMax
    const room = titleLengthMax - titleWith(words.andMore('', names.length)).length
    const title = isCut ? titleWith(firstNames(names, room, words.andMore)) : whole
    const details = [notKnown, isCut ? names.join('\n') : null]
    const date = plainDate(day)
    return kept.absences.part(date, [title, ...details, isThin], () => {
      const time = { allDay: true, start: date, end: addDays(date, 1) } as const
      const draft = { kind: 'absence', id: feed.id, time, title, details, isThin } as const
      return { ...writeEvent(draft, context), uid: uidOn(date) }
    })
  }
}

/** As many names as fit, at least one, and how many more there are. */
function firstNames(
  names: readonly string[],
  room: number,
  andMore: (names: string, count: number) => string,
): string {
  let text = names[0] ?? ''
  let count = 1
  for (const name of names.slice(1)) {
    const longer = `${text}, ${name}`
    if (longer.length > room) break
    text = longer
    count += 1
  }
  return andMore(text, names.length - count)
}

/** Sums of parts are not exact. */
function rounded(days: number): number {
  return Math.round(days * 1000) / 1000
}

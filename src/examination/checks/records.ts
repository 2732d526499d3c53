import type { Company } from '../../domain/company.ts'
import { AppError } from '../../domain/errors.ts'
import { type FindingLevel, type Finding, findingOf } from '../../domain/examination.ts'
import { noRecords, type RecordsBySubject } from '../../domain/kinds.ts'
import { withBegin } from '../../domain/leave.ts'
import type { RecordFault } from '../../domain/read-api.ts'
import {
  defaultSchedules,
  isKnownType,
  readHours,
  type Schedule,
  scheduleTypes,
} from '../../domain/schedule.ts'
import type { Instant } from '../../domain/world.ts'
import { type LeftOut, leftOutByNew } from '../../publishing/left-out.ts'
import {
  succeeded,
  counted,
  listed,
  judgeNamed,
  type NamedInVain,
  type Advise,
  type Inquiry,
} from '../advice.ts'
import {
  allLeaves,
  allTimesheets,
  type ListAnswer,
  type ListFacts,
  recordsIn,
} from './list-facts.ts'
import { isMissing } from './lists.ts'

/** What calendars leave out, as the code tells that makes them. */
export interface LeftOutFacts {
  /** Of what was read just now, new ones. */
  readonly ofNew: readonly LeftOut[]
  /** The same ones if they showed the active schedules that no new one shows. */
  readonly ofUnnamed: readonly LeftOut[]
  /** New ones if days and ends were read as they seem to be written. */
  readonly otherwise: readonly LeftOut[]
  /** Of what was kept before, those that there are. */
  readonly ofFeeds: readonly LeftOut[]
  readonly lists: ListFacts
}

export interface RecordsVerdict {
  readonly level: FindingLevel
  /** One for each field of each resource, the counts added up. */
  readonly faults: readonly RecordFault[]
  readonly oddities: readonly Oddity[]
  /** How many of these would be shown if days and ends were read as they seem to be written. */
  readonly ofSettings: number
}

/** Records that fit field by field and still say nothing that a calendar can show. */
export interface Oddity extends Pick<LeftOut, 'kind' | 'reason'> {
  readonly count: number
}

/** Of a schedule that is named in settings they are a finding of their own. */
const ofSchedules: ReadonlySet<LeftOut['reason']> = new Set([
  'missing_schedule',
  'inactive_schedule',
  'needs_rotation',
  'unknown_type',
])

/** Which records do not fit the spec, or are left out though they do. */
export function judgeRecords(facts: LeftOutFacts): RecordsVerdict {
  const { ofNew, ofUnnamed, otherwise, lists } = facts
  const faults = merged(faultsOf(lists))
  const shown = [...ofNew.filter(({ reason }) => !ofSchedules.has(reason)), ...ofOthers(facts)]
  const malformed = ofUnnamed.filter(({ reason }) => reason === 'malformed_day')
  const then = new Set(otherwise.map(nameOf))
  const ofSettings = new Set(ofNew.map(nameOf)).difference(then).size
  return {
    level: levelOf(faults.length + shown.length, malformed.length),
    faults,
    oddities: countedOddities([...shown, ...malformed]),
    ofSettings,
  }
}

function levelOf(shown: number, hidden: number): FindingLevel {
  if (shown > 0) return 'wrong'
  return hidden > 0 ? 'note' : 'ok'
}

/** What was read just now says more of a record than what was kept of it before. */
function ofOthers({ ofFeeds, lists }: LeftOutFacts): readonly LeftOut[] {
  const read = new Set([
    ...allLeaves(lists).map(({ id }) => nameOf({ kind: 'leave', id })),
    ...allTimesheets(lists).map(({ id }) => nameOf({ kind: 'timesheet', id })),
    ...[...lists.tasks.values()]
      .flatMap((answer) => recordsIn(answer))
      .map(({ id }) => nameOf({ kind: 'task', id })),
  ])
  return ofFeeds.filter((it) => isChosen(it) || !read.has(nameOf(it)))
}

/** Whether it follows from what a calendar is told to show. */
function isChosen({ kind, reason }: LeftOut): boolean {
  return kind === 'timesheet' && reason === 'unknown_status'
}

function nameOf({ kind, id }: Pick<LeftOut, 'kind' | 'id'>): string {
  return `${kind} ${id}`
}

/** Each record counts once for each reason. */
function countedOddities(leftOut: readonly LeftOut[]): readonly Oddity[] {
  const distinct = new Map(leftOut.map((it) => [`${it.reason} ${nameOf(it)}`, it]))
  const alike = Map.groupBy(distinct.values(), ({ kind, reason }) => `${kind} ${reason}`)
  return [...alike.values()].flatMap(([first, ...others]) =>
    first ? [{ kind: first.kind, reason: first.reason, count: 1 + others.length }] : [],
  )
}

function faultsOf(lists: ListFacts): readonly RecordFault[] {
  const { leaves, timesheets, schedules, tasks, leavesOf, timesheetsOf } = lists
  return [
    ...faultsIn(leaves, leavesOf),
    ...faultsIn(timesheets, timesheetsOf),
    ...faultsIn(schedules),
    ...[...tasks.values()].flatMap((answer) => faultsIn(answer)),
  ]
}

/** Of the whole list or, where that could not be read, of its parts. */
function faultsIn(
  whole: ListAnswer<unknown> | undefined,
  parts: ReadonlyMap<string, ListAnswer<unknown>> = new Map(),
): readonly RecordFault[] {
  const answers = whole && succeeded(whole) ? [whole] : [...parts.values()].filter(succeeded)
  return answers.flatMap(({ faults, misfits }) => [...faults, ...misfits])
}

function merged(faults: readonly RecordFault[]): readonly RecordFault[] {
  const byField = new Map<string, RecordFault>()
  for (const fault of faults) {
    const key = `${fault.resource} ${fault.field}`
    const known = byField.get(key)
    byField.set(key, known ? { ...known, count: known.count + fault.count } : fault)
  }
  return [...byField.values()]
}

const check = 'records'

const nouns: Readonly<Record<Oddity['kind'], string>> = {
  leave: 'leave',
  shift: 'schedule',
  timesheet: 'timesheet',
  timesheetdue: 'timesheet',
  task: 'task',
  invoice: 'invoice',
  notice: 'notice',
}

const oddityWords: Readonly<Record<Oddity['reason'], string>> = {
  unknown_status: 'of a status that the spec does not list',
  unknown_type: 'of a type that the spec does not list',
  end_before_start: 'with an end before its start',
  no_length: 'without any length',
  not_begun: 'without an end that has not begun',
  out_of_range: 'in a year that no calendar can hold',
  unknown_timezone: 'with a time zone that does not exist',
  malformed_day: 'with a day that is no weekday or has no readable hours',
  missing_schedule: 'named by a calendar and gone',
  inactive_schedule: 'named by a calendar and not active',
  needs_rotation: 'of type ROTATING in a calendar that does not say from when it rotates',
  unreadable: 'that cannot be read',
  held: 'that can no longer be read, shown as it was before',
}

/** Says which records do not fit the spec, counted by field, and which calendars leave out. */
export function sayRecords(verdict: RecordsVerdict): Finding {
  const { level, faults, oddities } = verdict
  if (level === 'ok') {
    const seen = 'Every record that came fits the spec.'
    return findingOf({
      check,
      level,
      seen,
      means: 'None of them is left out of calendars.',
      set: null,
    })
  }
  const misfits = [...faults.map(faultWords), ...oddities.map(oddityOf)]
  const seen = `Records that do not fit the spec, or that calendars cannot show: ${listed(misfits)}.`
  return findingOf({ check, level, seen, means: meansOf(verdict), set: null })
}

function meansOf({ level, faults, oddities, ofSettings }: RecordsVerdict): string {
  if (level === 'note') return 'They are of schedules that new calendars do not show.'
  const leftOut = 'What does not fit is left out of calendars; all else is shown.'
  const count = [...faults, ...oddities].reduce((sum, it) => sum + it.count, 0)
  const all = ofSettings === count ? 'They' : `${ofSettings} of them`
  const settings = `${all} would be shown with days and ends read otherwise: see the findings dates and end-dates.`
  if (ofSettings === count) return `${leftOut} ${settings}`
  const mend = 'Have it mended in the workforce system.'
  return ofSettings === 0
    ? `${leftOut} ${mend}`
    : `${leftOut} ${settings} Have the others mended in the workforce system.`
}

function faultWords({ resource, field, count, example, expected }: RecordFault): string {
  return `${count} of ${resource} at ${field} (${expected}, the first at ${example})`
}

function oddityOf({ kind, reason, count }: Oddity): string {
  return `${counted(count, nouns[kind])} ${oddityWords[reason]}`
}

/** Either which projects that settings name are not there, or which are. */
export type ProjectsVerdict =
  | NamedInVain
  | {
      readonly ok: true
      readonly named: readonly string[]
      /** Those of them of which nothing is known, since their tasks cannot be read. */
      readonly unread: readonly string[]
    }

/** Whether the projects that settings name are there. */
export function judgeProjects({ tasks }: ListFacts, named: readonly string[]): ProjectsVerdict {
  const unread = named.filter((id) => tasks.get(id) instanceof AppError)
  return judgeNamed(named, (id) => !isMissing(tasks.get(id))) ?? { ok: true, named, unread }
}

const projectsCheck = 'projects'

/** Says whether the projects that settings name are there. */
export function sayProjects(verdict: ProjectsVerdict, advise: Advise): Finding {
  if (!verdict.ok) {
    const seen = `Settings name ${listed(verdict.gone)}, which the Read API does not know.`
    const means = 'Calendars show no tasks of them.'
    return findingOf({
      check: projectsCheck,
      level: 'wrong',
      seen,
      means,
      set: advise('projects', verdict.kept),
    })
  }
  if (verdict.unread.length > 0) {
    const seen = `Whether ${listed(verdict.unread)} is there is not known: the tasks cannot be read.`
    const means = 'What list-tasks says comes first.'
    return findingOf({ check: projectsCheck, level: 'note', seen, means, set: null })
  }
  if (verdict.named.length > 0) {
    const seen = `Settings name ${listed(verdict.named)}, and each is there.`
    const means =
      'Calendars show their tasks. The Read API lists no projects: others can only be named.'
    return findingOf({ check: projectsCheck, level: 'ok', seen, means, set: null })
  }
  const seen = 'No setting names a project.'
  const means =
    'Calendars show tasks only where they name projects themselves. The Read API lists none to choose from.'
  return findingOf({ check: projectsCheck, level: 'note', seen, means, set: null })
}

export type SchedulesVerdict = SchedulesFound | NamedInVain

export interface SchedulesFound {
  readonly ok: true
  /** Those that new calendars show and that never give a shift: their type is unknown, or none of their days can be read. */
  readonly barren: readonly Schedule[]
  /** How many are active. */
  readonly active: number
  /** Ids that settings name. */
  readonly named: readonly string[]
  /** Active ones that no setting names. */
  readonly unnamed: readonly Schedule[]
  /** Those of them that are of type ROTATING. */
  readonly rotating: readonly Schedule[]
}

/** Whether the schedules that settings name are there; undefined where schedules cannot be read, which is a finding of its own. */
export function judgeSchedules(
  { schedules }: ListFacts,
  company: Pick<Company, 'schedules'>,
): SchedulesVerdict | undefined {
  if (!succeeded(schedules)) return undefined
  const active = schedules.records.filter(({ isActive }) => isActive !== false)
  const { schedules: named } = company
  const missing = judgeNamed(named, (id) => active.some((schedule) => schedule.id === id))
  if (missing) return missing
  const shown = defaultSchedules(company, active)
  const ofNames = active.filter(({ id }) => shown.includes(id))
  return {
    ok: true,
    barren: ofNames.filter(isBarren),
    active: active.length,
    named,
    unnamed: active.filter(({ id }) => !named.includes(id)),
    rotating: ofNames.filter(({ type }) => type === 'ROTATING'),
  }
}

/** As calendars read it: one without a type is FIXED. */
function isBarren({ type, pattern }: Schedule): boolean {
  return !isKnownType(type) || !Object.values(pattern ?? {}).some((hours) => readHours(hours))
}

const schedulesCheck = 'schedules'
/** Any other type is text of somebody else's, not fit to be printed. */
const knownTypes: ReadonlySet<string> = new Set(scheduleTypes)

/** Says whether the schedules that settings name are there, and which ones none names. */
export function saySchedules(verdict: SchedulesVerdict, advise: Advise): Finding {
  if (verdict.ok) {
    const [seen, means] = [seenOf(verdict), schedulesMean(verdict)]
    return findingOf({
      check: schedulesCheck,
      level: scheduleLevel(verdict),
      seen,
      means,
      set: null,
    })
  }
  const seen = `Settings name ${listed(verdict.gone)}, which is not among the active schedules.`
  const means = 'Calendars show no shifts for them.'
  return findingOf({
    check: schedulesCheck,
    level: 'wrong',
    seen,
    means,
    set: advise('schedules', verdict.kept),
  })
}

function scheduleLevel({ active, named, rotating, barren }: SchedulesFound): FindingLevel {
  if (barren.length > 0) return 'wrong'
  return rotating.length > 0 || (named.length === 0 && active !== 1) ? 'note' : 'ok'
}

function seenOf({ active, unnamed }: SchedulesFound): string {
  const rest = unnamed.length > 0 ? `; no setting names ${listed(unnamed.map(scheduleName))}` : ''
  return `Active schedules that came: ${active}${rest}.`
}

function schedulesMean({ active, named, rotating, barren }: SchedulesFound): string {
  if (barren.length > 0) {
    return `No shifts ever come of ${listed(barren.map(scheduleName))}: the type is not one of the spec, or no day can be read. Have that mended, or name another schedule.`
  }
  if (rotating.length > 0) {
    return `Until a calendar says from when it rotates (options.shifts.rotation), no shifts come of ${listed(rotating.map(scheduleName))}.`
  }
  if (named.length > 0) return `New calendars show ${listed(named)}.`
  return active === 1
    ? 'New calendars show it.'
    : 'New calendars show the shifts of those schedules that are named when they are made.'
}

function scheduleName({ id, type }: Schedule): string {
  return knownTypes.has(type ?? '') ? `${id} (${type})` : id
}

/** How days and ends are written, as far as it shows. */
export type RightDays = Pick<Company, 'dates' | 'timezone' | 'endDates'>

/** The person of every record. */
const anybody = 'anybody'

/** Has the calendars' own code tell what it would leave out of what was read just now, and what it leaves out of what was kept before. */
export async function findLeftOut(
  { connection: { company }, now }: Pick<Inquiry, 'connection' | 'now'>,
  lists: ListFacts,
  { ofFeeds, rightDays }: Pick<LeftOutFacts, 'ofFeeds'> & { readonly rightDays: RightDays },
): Promise<LeftOutFacts> {
  const records = recordsOfAnybody(lists, company, now)
  const schedules = recordsIn(lists.schedules)
  const usual = defaultSchedules(company, schedules)
  const others = schedules.flatMap(({ id, isActive }) =>
    isActive === false || usual.includes(id) ? [] : [id],
  )
  const leftOutBy = (
    it: Company,
    scheduleIds: readonly string[],
  ): ReturnType<typeof leftOutByNew> => leftOutByNew(it, records, { now, scheduleIds })
  const ofNew = await leftOutBy(company, usual)
  const ofUnnamed = await leftOutBy(company, others)
  const otherwise = await leftOutBy({ ...company, ...rightDays }, usual)
  return { ofNew, ofUnnamed, otherwise, ofFeeds, lists }
}

/** As if all were one person's: what is left out does not depend on who that is. */
function recordsOfAnybody(lists: ListFacts, company: Company, now: Instant): RecordsBySubject {
  const tasks = [...lists.tasks].map(
    ([project, answer]) =>
      [
        project,
        recordsIn(answer).map((task) => ({
          ...task,
          assignees: task.assignees?.length ? [{ id: anybody }] : [],
        })),
      ] as const,
  )
  const timesheets = allTimesheets(lists).map((timesheet) => ({ ...timesheet, userId: anybody }))
  return {
    ...noRecords,
    leaves: new Map([[anybody, allLeaves(lists).map((leave) => withBegin(leave, company, now))]]),
    timesheets: new Map([[anybody, timesheets]]),
    schedules: new Map([['', recordsIn(lists.schedules)]]),
    tasks: new Map(tasks),
  }
}

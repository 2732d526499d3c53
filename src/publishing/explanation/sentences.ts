/* The reasons as sentences for staff, without titles, types or reasons of records: staff may have any calendar explained. */
import { feedKindOf, namesIn } from '../../domain/kinds.ts'
import type { Instant } from '../../domain/world.ts'
import { kindName } from '../feed-condition.ts'
import type {
  ExplainedRecord,
  ExplainedSource,
  LinkReason,
  Reason,
  SourceState,
  Unproven,
} from './reasons.ts'

type ReasonOf<Code extends Reason['code']> = Extract<Reason, { readonly code: Code }>
type Sentences = {
  readonly [Code in Reason['code']]:
    | string
    | ((reason: ReasonOf<Code>, record: ExplainedRecord) => string)
}

function kindNameOf({ kind }: ExplainedRecord): string {
  return kindName(feedKindOf[kind], 'en').toLowerCase()
}

const sentences: Sentences = {
  shown: 'It is shown.',
  shown_stale: ({ since }) =>
    `It is shown as it was read at ${time(since)}; nothing newer has come since.`,
  shown_doubted: ({ since }) =>
    `It is shown as it was read at ${time(since)}; the last answer had far fewer records, so it is being checked.`,
  shown_unreadable: ({ since }) =>
    `It has been unreadable since ${time(since)}; it is shown as it was before.`,
  kind_not_shown: (_, record) => `This calendar does not show ${kindNameOf(record)}.`,
  hidden_by_holder: (_, { hiddenOn }) => hiddenSentence(hiddenOn),
  only_away: (_, { hiddenOn }) => hiddenSentence(hiddenOn),
  status_not_shown: ({ status }, record) =>
    `Its status is ${status}; this calendar does not show ${kindNameOf(record)} with that status.`,
  nothing_to_do:
    'It needs no action; this calendar shows only timesheets that are drafts or were rejected.',
  no_due_date: 'It has no due date.',
  outside_window: ({ first, last }) =>
    `It is outside the dates of this calendar, ${first} to ${last}.`,
  end_before_start: 'It ends before it starts.',
  no_length: 'It starts and ends at the same time.',
  out_of_range: 'Its date is outside the years that calendars support.',
  not_begun: 'It has no end and has not begun yet.',
  unknown_status: 'It has a status that the bridge does not know.',
  unknown_type: 'It has a type that the bridge does not know.',
  unknown_timezone: 'Its time zone in scheduleTimezones does not exist.',
  malformed_day: 'Its hours cannot be read.',
  missing_schedule:
    'This calendar names it, but the workforce system has no schedule with this id.',
  inactive_schedule: 'It is inactive.',
  needs_rotation: 'It is ROTATING and needs the option shifts.rotation.',
  unreadable: 'It does not match the format of the Read API and cannot be read.',
  schedule_not_chosen:
    'It is not among the schedules of this calendar (option shifts.scheduleIds).',
  project_not_chosen:
    'Its project is not among the projects of this calendar (option tasks.projectIds).',
  during_leave: 'Everybody in this calendar is on leave during its shifts.',
  on_holiday: 'Its shifts are on public holidays, which this calendar leaves out.',
  not_in_rotation:
    'The rotation of this calendar (option shifts.rotation) does not include it then.',
  no_shifts: 'It has no working hours then.',
  nobody_works: 'According to the schedules of this calendar, nobody works on these days.',
  calendar_full: 'The calendar is full: events nearer to today come first.',
  leaves_unproven: ({ because }, { userId }) => unprovenSentence(userId, because),
  belongs_to_another:
    'The workforce system also gives this leave for somebody else, and it counts as theirs.',
  newer_copy: 'A newer copy of the task, from another project, does not name this person.',
  person_left: 'The person has left.',
  feed_revoked: ({ at }) => `This calendar was revoked at ${time(at)}.`,
  feed_closed: ({ at }) => `This calendar was closed at ${time(at)}.`,
  link_ended: ({ at }) => `The link ended at ${time(at)}.`,
  unavailable: ({ message }) =>
    `The calendar cannot be served now; calendar programs keep what they have. ${message}`,
  left_out: 'The options of this calendar leave it out.',
}

const unproven: Readonly<Record<Unproven, string>> = {
  unproven: 'they are not proven to be theirs yet',
  not_asked: 'the workforce system has not been asked for leave yet',
  no_parameter: 'no employee parameter is set, so they cannot be proven to be theirs',
  canary_unanswered:
    'they are not proven to be theirs, since the workforce system has not answered for an unknown employee',
  canary_not_empty: 'the workforce system also gives leave for an employee who does not exist',
  similar_id: 'the workforce system gives the same leave for an id that only looks alike',
  two_employees: 'the workforce system gives the same leave for two people',
  nothing_to_compare:
    'they are not proven to be theirs, since there is nothing to compare them with',
  misnamed: 'the workforce system uses another id for this person',
}

function unprovenSentence(userId: string | null, because: Unproven): string {
  return `The leaves of ${userId ?? 'these people'} are not shown: ${unproven[because]}.`
}

export const reasonCodes = namesIn(sentences)

export function reasonSentence(record: ExplainedRecord): string {
  const { reason, hiddenOn, shown } = record
  const sentence = written(reason, record)
  const isElsewhere = shown && hiddenOn.length > 0
  return isElsewhere ? `${sentence} ${hiddenSentence(hiddenOn)}` : sentence
}

function written<Code extends Reason['code']>(
  reason: ReasonOf<Code> & { readonly code: Code },
  record: ExplainedRecord,
): string {
  const sentence: Sentences[Code] = sentences[reason.code]
  return typeof sentence === 'function' ? sentence(reason, record) : sentence
}

/** `READ` is replaced by when it was read. */
const states: Readonly<Record<Exclude<SourceState['code'], 'unproven' | 'doubted'>, string>> = {
  current: 'READ.',
  not_answered: 'Not read yet: the workforce system has not given a usable answer.',
  not_asked: 'Not read yet: the bridge will ask for it soon.',
  missing: 'The workforce system has no such record, or does not show it.',
  stale: 'READ; no usable answer has come since.',
  late: 'READ; a newer answer is still under way.',
  not_stored: 'READ; the last answer could not be stored.',
  not_believed: 'READ and proven then; newer answers are not believed.',
  person_held: 'READ; the id may now belong to another person: decide with bridge person confirm.',
  misnamed: 'The workforce system answers with another id.',
}

export const stateCodes = ['unproven', 'doubted', ...namesIn(states)] as const

export function sourceSentence(source: ExplainedSource): string {
  const { state, fetchedAt, unreadable } = source
  const read = fetchedAt === null ? 'Not read yet' : `Read at ${time(fetchedAt)}`
  const kept = unreadable === 0 ? '' : ` ${keptSentence(unreadable)}`
  if (state.code === 'unproven') return unprovenSentence(source.userId, state.because)
  if (state.code === 'doubted') {
    return `${read}; since ${time(state.since)} answers have far fewer records and are being checked.${kept}`
  }
  return `${states[state.code].replace('READ', read)}${kept}`
}

function keptSentence(unreadable: number): string {
  return unreadable === 1
    ? 'One of its records can no longer be read and stays as it was.'
    : `${unreadable} of its records can no longer be read and stay as they were.`
}

function hiddenSentence(hiddenOn: ExplainedRecord['hiddenOn']): string {
  const linksThat = (code: LinkReason['code']): string | null => {
    const labels = hiddenOn.flatMap((it) => (it.code === code ? [`"${it.label}"`] : []))
    if (labels.length === 0) return null
    return `${labels.length === 1 ? 'link' : 'links'} ${labels.join(', ')}`
  }
  const [chosen, away] = [linksThat('hidden_by_holder'), linksThat('only_away')]
  return [
    ...(chosen === null ? [] : [`The holder has hidden it on the ${chosen}.`]),
    ...(away === null ? [] : [`It is hidden on the ${away}, made to show only "Away".`]),
  ].join(' ')
}

/** `2026-01-05 09:00 UTC`. */
function time(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/* The reasons as sentences for staff. They tell no title, type or reason of a record, so that every calendar may be explained. */
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

function namesOf({ kind }: ExplainedRecord): string {
  return kindName(feedKindOf[kind], 'en').toLowerCase()
}

const noSense = 'cannot be shown:'

const sentences: Sentences = {
  shown: 'It is shown.',
  shown_stale: ({ since }) =>
    `It is shown as it was read at ${time(since)}; nothing newer has come since.`,
  shown_doubted: ({ since }) =>
    `It is shown as it was read at ${time(since)}; the last answer held much less than before, so it is being checked.`,
  shown_unreadable: ({ since }) =>
    `It is shown as it was read before ${time(since)}; since then it cannot be read any more.`,
  kind_not_shown: (_, record) => `This calendar does not show ${namesOf(record)}.`,
  hidden_by_holder: (_, { hiddenOn }) => hiddenSentence(hiddenOn),
  only_away: (_, { hiddenOn }) => hiddenSentence(hiddenOn),
  status_not_shown: ({ status }, record) =>
    `It is ${status}, and this calendar does not show ${namesOf(record)} with that status.`,
  nothing_to_do:
    'Nothing is to be done about it, and this calendar shows only timesheets that are still to do.',
  no_due_date: 'It has no due date.',
  outside_window: ({ first, last }) =>
    `It is outside the dates of this calendar, ${first} to ${last}.`,
  end_before_start: `It ${noSense} it ends before it starts.`,
  no_length: `It ${noSense} it starts and ends at the same time.`,
  out_of_range: `It ${noSense} its date is outside the years that calendars know.`,
  not_begun: 'It has no end and has not begun yet.',
  unknown_status: 'It has a status that the bridge does not know.',
  unknown_type: 'It has a type that the bridge does not know.',
  unknown_timezone: 'Its time zone, as set in scheduleTimezones, does not exist.',
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
  not_in_rotation: 'The rotation of this calendar does not have it then.',
  no_shifts: 'It has no hours then.',
  nobody_works: 'No schedule of this calendar works on its days.',
  calendar_full: 'The calendar is full: events nearer to today take all its room.',
  leaves_unproven: ({ because }, { userId }) => unprovenSentence(userId, because),
  belongs_to_another:
    'The workforce system also gives this leave for somebody else, to whom it belongs.',
  newer_copy: 'A newer reading of the task, from another project, does not name this person.',
  person_left: 'The person has left.',
  feed_revoked: ({ at }) => `This calendar was revoked at ${time(at)}.`,
  feed_closed: ({ at }) => `This calendar was closed at ${time(at)}.`,
  link_ended: ({ at }) => `The link ended at ${time(at)}.`,
  unavailable: ({ message }) =>
    `The calendar cannot be served now; calendar programs keep what they have. ${message}`,
  left_out: 'The options of this calendar leave it out.',
}

const unproven: Readonly<Record<Unproven, string>> = {
  unproven: 'they have not been proven to be theirs yet',
  not_asked: 'the workforce system has not been asked for leave yet',
  no_parameter: 'no employee parameter is set, so they cannot be proven to be theirs',
  canary_unanswered:
    'they have not been proven to be theirs, since the workforce system has not answered for an unknown employee',
  canary_not_empty: 'the workforce system also gives leave for an employee who does not exist',
  similar_id: 'the workforce system gives the same leave for an id that only looks alike',
  two_employees: 'the workforce system gives the same leave for two people',
  nothing_to_compare:
    'they have not been proven to be theirs, since there is nothing to compare them with',
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

/** `READ` stands for when. */
const states: Readonly<Record<Exclude<SourceState['code'], 'unproven' | 'doubted'>, string>> = {
  current: 'READ.',
  not_answered: 'Not read yet: the workforce system has not given a usable answer.',
  not_asked: 'Not read yet: it will be asked for again soon.',
  missing: 'The workforce system has no such record, or does not show it.',
  stale: 'READ; nothing usable has come since.',
  late: 'READ; a newer answer is still under way.',
  not_stored: 'READ; the database did not take the last answer.',
  not_believed: 'READ and proven then; newer answers are not believed.',
  person_held:
    'READ; the id may belong to another person by now: bridge person confirm says who it is.',
  misnamed: 'The workforce system answers with a person of another id.',
}

export const stateCodes = ['unproven', 'doubted', ...namesIn(states)] as const

export function sourceSentence(source: ExplainedSource): string {
  const { state, fetchedAt, unreadable } = source
  const read = fetchedAt === null ? 'Not read yet' : `Read at ${time(fetchedAt)}`
  const count = unreadable === 1 ? 'One of its records stays' : `${unreadable} of its records stay`
  const kept = unreadable === 0 ? '' : ` ${count} as it was, since it cannot be read any more.`
  if (state.code === 'unproven') return unprovenSentence(source.userId, state.because)
  if (state.code === 'doubted') {
    return `${read}; since ${time(state.since)} answers hold much less, so they are being checked.${kept}`
  }
  return `${states[state.code].replace('READ', read)}${kept}`
}

function hiddenSentence(hiddenOn: ExplainedRecord['hiddenOn']): string {
  const linksThat = (code: LinkReason['code']): string | null => {
    const labels = hiddenOn.flatMap((it) => (it.code === code ? [`"${it.label}"`] : []))
    if (labels.length === 0) return null
    return `${labels.length === 1 ? 'link' : 'links'} ${labels.join(', ')}`
  }
  const [chosen, away] = [linksThat('hidden_by_holder'), linksThat('only_away')]
  return [
    ...(chosen === null ? [] : [`By choice of the holder it is hidden on the ${chosen}.`]),
    ...(away === null ? [] : [`It is hidden on the ${away}, made to show nothing but "Away".`]),
  ].join(' ')
}

/** `2026-01-05 09:00 UTC`. */
function time(instant: Instant): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

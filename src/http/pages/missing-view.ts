/* "Something missing?": what the calendar shows on a day, what it leaves out, and why, in words for a person. */
import type { Request } from 'express'
import { z } from 'zod'

import { type ClientActivity, nextPoll } from '../../domain/activity.ts'
import { asAppError } from '../../domain/errors.ts'
import type { Feed, Locale } from '../../domain/feed.ts'
import { eventKinds, type FeedKind, feedKindOf, feedKinds } from '../../domain/kinds.ts'
import { leaveStatuses } from '../../domain/leave.ts'
import type { FeedLink } from '../../domain/link.ts'
import type { PlainDate } from '../../domain/plain-date.ts'
import { displayName } from '../../domain/user.ts'
import { minuteMs } from '../../domain/world.ts'
import type { ExplanationScope, RecognisedRecord } from '../../publishing/explanation/explainer.ts'
import type { Explanation, ExplainedSource } from '../../publishing/explanation/reasons.ts'
import { kindName, statusText } from '../../publishing/feed-condition.ts'
import { isolated, isVisible } from '../../text/plain-text.ts'
import { timesOf } from './calendar-view.ts'
import { asksForOthers } from './others-view.ts'
import type { PageDeps } from './page.ts'
import {
  dateRange,
  dateWithYear,
  dayHeading,
  type PageTimes,
  readerLocale,
  writtenAs,
} from './times.ts'
import type { People } from './words/en-feed.ts'
import type { Because, ToldRecord } from './words/en-missing.ts'
import { pageLanguages, type PageWords } from './words/words.ts'

/** The years in which a reader may pick a day. */
const [earliest, latest] = ['1900-01-01', '2999-12-31']
const daySchema = z.iso.date().refine((day) => earliest <= day && day <= latest)

interface Question {
  /** The feed as the page shows it. */
  readonly feed: Feed
  readonly locale: Locale
  /** The people in a calendar for others; null for the reader's own calendar. */
  readonly people: People | null
  /** The links with programs that the reader may know. */
  readonly links: readonly FeedLink[]
  readonly activity: readonly ClientActivity[]
  /** What the page calls a link; null if it is about one link only. */
  readonly nameOf: ((link: FeedLink) => string) | null
  /** Where the reader can choose what is shown; null if HR offers no choice. */
  readonly choices: string | null
  /** Kinds that the holder of the link has switched off. */
  readonly switchedOff: readonly FeedKind[]
  readonly explain: (scope: ExplanationScope) => Promise<Explanation<RecognisedRecord>>
}

/** The form, and the answer if the address has a day; otherwise nothing is looked up. */
export async function viewMissing(
  deps: PageDeps,
  request: Request,
  question: Question & {
    /** The page's own address. */
    readonly page: string
  },
): Promise<object> {
  const { feed, locale, page } = question
  const times = timesOf(deps, request, feed.timezone, locale)
  const { pathname, searchParams } = new URL(page, deps.publicUrl)
  const asked = asksForOthers(request) ? undefined : daySchema.safeParse(request.query['day']).data
  return {
    // The form itself sends the day.
    action: `${pathname}#missing`,
    fields: [...searchParams],
    day: asked ?? times.today,
    earliest,
    latest,
    answer: asked === undefined ? null : await answerMissing(deps, request, asked, question),
  }
}

/** What the calendar shows on that day, what it leaves out, and why: for `missing-answer.eta`. */
export async function answerMissing(
  deps: PageDeps,
  request: Request,
  day: PlainDate,
  question: Question,
): Promise<object> {
  const times = timesOf(deps, request, question.feed.timezone, question.locale)
  const words = pageLanguages[question.locale]
  const language = writtenAs(readerLocale(request, words.language).tag)
  const [date, today] = [Date.parse(day), Date.parse(times.today)]
  const heading = dayHeading(language, date, today, words.preview.today)
  try {
    const explained = await question.explain({ date: day })
    const context = { ...question, words, times, language, day }
    return { heading, ...(await viewAnswer(deps, context, explained)) }
  } catch (error) {
    if (!asAppError(error)) throw error
    return { heading, failed: words.missing.failed }
  }
}

interface AnswerContext extends Question {
  readonly words: PageWords
  readonly times: PageTimes
  readonly language: string
  readonly day: PlainDate
}

/** A line of the answer: a record and what the page says about it. */
interface Line {
  readonly kind: string
  readonly name: string
  readonly about: string
  readonly why: string
  readonly todo: string
  /** A link to where the reader can change it. */
  readonly choose: { readonly text: string; readonly address: string } | null
}

async function viewAnswer(
  deps: PageDeps,
  context: AnswerContext,
  explained: Explanation<RecognisedRecord>,
): Promise<object> {
  const { records } = explained
  const { feed } = context
  const isOfOthers = feed.audience === 'others'
  const names = isOfOthers ? await namesOf(deps, feed, records) : new Map<string, string>()
  const lineOf = (it: RecognisedRecord): Line => recordLine(it, context, names)
  const hidden = records.filter((it) => !it.shown && !isOther(it)).map(lineOf)
  const notes = sourceLines(explained.sources, context)
  return {
    shown: records.filter(({ shown }) => shown).map(lineOf),
    hidden: [
      ...hidden,
      ...otherSchedules(records, context).map(lineOf),
      ...switchedOffKinds(records, context),
    ],
    notes,
    outcome: sayOutcome(context, explained, notes.length > 0),
    changes: context.links.map((link) => nextSync(deps, link, context)),
  }
}

/** A company may have many schedules and a person follows one: the others matter only where no shift is shown. */
function otherSchedules(
  records: readonly RecognisedRecord[],
  { words }: AnswerContext,
): readonly RecognisedRecord[] {
  const isAnswered = records.some(({ kind, shown, reason }) => {
    return kind === 'schedule' && (shown || reason.code === 'outside_window')
  })
  if (isAnswered) return []
  const [first, ...more] = records.filter(isOther)
  if (!first) return []
  return [{ ...first, title: words.missing.otherSchedules(1 + more.length) }]
}

/** Kinds that the holder of the link has switched off are not read, unless another calendar needs them. */
function switchedOffKinds(
  records: readonly RecognisedRecord[],
  { switchedOff, words, locale, choices }: AnswerContext,
): readonly Line[] {
  const { missing } = words
  const told = new Set(records.map(({ kind }) => feedKindOf[kind]))
  return switchedOff
    .filter((kind) => !told.has(kind))
    .map((kind) => ({
      kind: eventKinds[kind],
      name: kindName(kind, locale),
      about: '',
      why: missing.switchedOff,
      todo: '',
      choose: choices === null ? null : { text: missing.choose.link, address: choices },
    }))
}

function isOther({ reason }: RecognisedRecord): boolean {
  return reason.code === 'schedule_not_chosen'
}

async function namesOf(
  { people }: PageDeps,
  { companyId }: Feed,
  records: readonly RecognisedRecord[],
): Promise<Map<string, string>> {
  const ids = new Set(records.flatMap(({ userId }) => userId ?? []))
  const names = new Map<string, string>()
  for (const id of ids) {
    const name = displayName(await people.findPerson(companyId, id))
    if (isVisible(name)) names.set(id, isolated(name))
  }
  return names
}

function recordLine(
  record: RecognisedRecord,
  context: AnswerContext,
  names: ReadonlyMap<string, string>,
): Line {
  const { kind, title, dates, userId, isPending } = record
  const { people, words, language, times } = context
  const { missing } = words
  const kindWord = people && kind === 'leave' ? missing.away : missing.kinds[kind]
  const name = title !== null && isVisible(title) ? isolated(title) : null
  const person = userId === null ? undefined : names.get(userId)
  const isKindSaid = (person ?? name ?? kindWord).toLowerCase().includes(kindWord.toLowerCase())
  const isLong = dates !== null && dates.first !== dates.last
  return {
    kind: barOf(kind),
    name: person ?? name ?? kindWord,
    about: [
      ...(isKindSaid ? [] : [kindWord]),
      ...(isPending ? [missing.pending] : []),
      ...(isLong ? [dateRange(language, dates.first, dates.last, times.today)] : []),
    ].join(' · '),
    ...reasonWords(record, context),
  }
}

function reasonWords(
  { kind, reason, hiddenOn, shown }: RecognisedRecord,
  { words, times, language, locale, day, links, nameOf, choices }: AnswerContext,
): Pick<Line, 'why' | 'todo' | 'choose'> {
  const { missing } = words
  const written = (date: PlainDate): string => dateWithYear(language, date)
  const told: ToldRecord = {
    kinds: kindName(feedKindOf[kind], locale),
    status: 'status' in reason ? statusText(reason.status, locale) : '',
    since: 'since' in reason ? times.at(reason.since) : '',
    first: 'first' in reason ? written(reason.first) : '',
    last: 'last' in reason ? written(reason.last) : '',
    isPast: 'first' in reason && day < reason.first,
    isOfAllLinks: nameOf !== null,
  }
  const { why, todo } = sayReason({ kind, reason }, told, words)
  // A link that shows only "Away" leaves out everything else by design.
  const switchedOff = links.filter(({ label }) =>
    hiddenOn.some((it) => it.label === label && it.code === 'hidden_by_holder'),
  )
  const isElsewhere = shown && nameOf !== null && switchedOff.length > 0
  const isChosen = reason.code === 'hidden_by_holder' || isElsewhere
  return {
    why: isElsewhere ? [why, missing.notOn(switchedOff.map(nameOf))].join(' ').trim() : why,
    todo,
    choose:
      isChosen && choices !== null
        ? { text: missing.choose[nameOf ? 'me' : 'link'], address: choices }
        : null,
  }
}

function sayReason(
  { kind, reason }: Pick<RecognisedRecord, 'kind' | 'reason'>,
  told: ToldRecord,
  { missing }: PageWords,
): Because {
  if (reason.code === 'shown') return { why: '', todo: '' }
  if (reason.code === 'shown_stale') return missing.states.stale(told.since)
  if (reason.code === 'shown_doubted') return missing.states.doubted(told.since)
  if (reason.code === 'leaves_unproven') return missing.states.unproven()
  if (reason.code !== 'status_not_shown') return missing.reasons[reason.code](told)
  const status = leaveStatuses.find((it) => it === reason.status)
  return kind === 'leave' && status ? missing.leaveStatuses[status] : missing.otherStatus(told)
}

/** The kind that colours a line, as it colours events. */
function barOf(kind: ExplainedSource['kind']): string {
  return kind === 'schedule' ? 'shift' : kind
}

/** Which records are old or were not read, once for each kind. */
function sourceLines(
  sources: readonly ExplainedSource[],
  { feed, locale, words, times }: AnswerContext,
): readonly Line[] {
  const { missing } = words
  const shown = sources.filter(({ kind }) => kind === 'user' || feed.options[feedKindOf[kind]].show)
  const alike = Map.groupBy(shown, ({ kind, state }) => `${kind} ${state.code}`)
  return [...alike.values()].flatMap((some): Line[] => {
    const [{ kind, state } = some[0]!] = some
    const name = kind === 'user' ? missing.ofPerson : kindName(feedKindOf[kind], locale)
    const read = some.flatMap(({ fetchedAt }) => fetchedAt ?? [])
    const since = read.length > 0 ? times.at(Math.min(...read)) : ''
    const count = some.reduce((sum, { unreadable }) => sum + unreadable, 0)
    const told = [
      ...(state.code === 'current' ? [] : [missing.states[state.code](since)]),
      ...(count > 0 ? [missing.unreadable(count)] : []),
    ]
    return told.map((it) => ({ kind: barOf(kind), name, about: '', ...it, choose: null }))
  })
}

/** What the page says about the whole day. */
function sayOutcome(
  { people, words, day, language, feed, locale }: AnswerContext,
  { records, dates }: Explanation<RecognisedRecord>,
  isUnread: boolean,
): string {
  const { missing } = words
  const { nothing } = missing
  const written = (date: PlainDate): string => dateWithYear(language, date)
  const isEmpty = records.length === 0
  const isOutside = day < dates.first || dates.last < day
  if (people) {
    const general = missing.inGeneral(kindsInGeneral(feed, locale, words), people)
    return isEmpty ? `${nothing.others} ${general}` : general
  }
  const kinds = feedKinds.filter((kind) => feed.options[kind].show)
  const kindNames = kinds.map((kind) => kindName(kind, locale))
  if (kinds.length === 0) return words.holds([], null)
  if (!isEmpty) return isUnread || isOutside ? '' : missing.more(kindNames)
  if (isOutside) return nothing.outside(written(dates.first), written(dates.last))
  return isUnread ? nothing.unread : nothing.own(kindNames)
}

function kindsInGeneral(
  { options }: Feed,
  locale: Locale,
  { missing }: PageWords,
): readonly string[] {
  const isApproved = options.leaves.statuses.every((it) => it === 'APPROVED')
  const leave = isApproved ? missing.approvedLeave : missing.anyLeave
  return feedKinds
    .filter((kind) => options[kind].show)
    .map((kind) => (kind === 'leaves' ? leave : kindName(kind, locale)))
}

/** When the link's program asked last, and when it will probably ask again. */
function nextSync(
  { clock }: PageDeps,
  link: FeedLink,
  { activity, words, times, nameOf }: AnswerContext,
): { readonly name: string | null; readonly text: string } {
  const { asks } = words.missing
  const name = nameOf?.(link) ?? null
  const now = clock.now()
  const { client, lastPolledAt, expectedAt } = nextPoll(link, activity, now)
  if (client === null || lastPolledAt === null) return { name, text: asks.none }
  const program = words.activity.clients[client]
  const ago = times.isNow(lastPolledAt) ? asks.now : times.ago(lastPolledAt)
  if (expectedAt === null) return { name, text: asks.unknown(program, ago) }
  if (expectedAt <= now) return { name, text: asks.due(program, ago) }
  const pause = (expectedAt - lastPolledAt) / minuteMs
  return { name, text: asks.next(program, ago, pause, times.at(expectedAt)) }
}

/* Answers a poll, for `.ics`, `.json` and CalDAV: refreshed within the deadline, or else with the last answer. */
import { AppError, asAppError, StoreUnavailable } from '../domain/errors.ts'
import { type FeedLink, type LinkOfFeed, linkName, nameOfToken } from '../domain/link.ts'
import type { Clock, Instant } from '../domain/world.ts'
import { type EndedLink, type LinkDeps, openCalendar } from './open-link.ts'
import type { PollDeadline } from './poll-deadline.ts'
import type { CalendarForm, CalendarValidators, PublishedCalendar } from './publication.ts'
import type { Publisher } from './publisher.ts'
import type { ReadyAnswer, ReadyAnswers } from './ready-answers.ts'

export interface PollDeps {
  readonly links: LinkDeps
  readonly publisher: Publisher
  readonly ready: ReadyAnswers
  readonly deadline: PollDeadline
  readonly clock: Clock
  /** Called when a calendar program first polls a link with `awaitsPoll`. */
  readonly takeUp: (open: LinkOfFeed) => Promise<void>
}

export interface Poll {
  readonly token: string
  readonly form: CalendarForm
  readonly cameAt: Instant
  /** Called once with the link's name, before its calendar is read; fails if the link is polled too often. */
  count(link: string): void
  onFound(link: FeedLink): void
  /** Whether the client needs no body, given these validators. */
  isKnown(validators: CalendarValidators): boolean
  /** Whether a calendar program sent it, and not a browser. */
  isProgram(link: FeedLink): boolean
  /** The calendar of a purged link, for 30 days; fails if this client gets none. */
  answerEnded(ended: EndedLink): Promise<PublishedCalendar>
}

/** What is counted, recorded and logged once a poll is answered. */
export interface FollowedPoll {
  link?: FeedLink
  /** Whether the answer was ready, so that one read was enough. */
  ready?: boolean
  /** Last-Modified of the calendar that the client has by this answer; undefined if unknown. */
  lastModified?: Instant | undefined
}

export interface PollAnswer extends ReadyAnswer {
  /** null if fresh. */
  readonly staleForMs: number | null
  /** False for a last answer, since the store could not say whether another node has published since. */
  readonly isConfirmed: boolean
}

/** Returns a new answer, or the last one if the store is unavailable or too slow; otherwise fails with `unavailable`. */
export async function answerPoll(deps: PollDeps, poll: Poll): Promise<PollAnswer> {
  const { deadline } = deps
  const found: { link?: FeedLink } = {}
  let reason: unknown = new AppError('unavailable', 'The calendar is not ready yet. Try again.')
  try {
    const made = deadline.isOver(poll.cameAt)
      ? undefined
      : await deadline.within(poll.cameAt, makeAnswer(deps, poll, found))
    if (made) return made
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    reason = error
  }
  const last = lastAnswer(deps, poll, found.link)
  if (last) return last
  throw reason
}

async function makeAnswer(
  { links, publisher, ready, takeUp }: PollDeps,
  poll: Poll,
  found: { link?: FeedLink },
): Promise<PollAnswer> {
  const { token, form } = poll
  try {
    const open = await openCalendar(links, token, (link) => {
      found.link = link
      poll.onFound(link)
      poll.count(linkName(link))
    })
    const { link, feed } = open
    if ('endedAt' in open) {
      ready.drop(nameOfToken(token))
      return { link, feed, ...(await poll.answerEnded(open)), staleForMs: null, isConfirmed: true }
    }
    ready.noteFound(open)
    const state = await publisher.assess(open)
    const { staleForMs } = state.serviceability
    const answer = await publisher.answer(state, form, (known) => poll.isKnown(known))
    if (link.awaitsPoll && poll.isProgram(link)) await takeUp(open)
    return { link, feed, ...answer, staleForMs, isConfirmed: true }
  } catch (error) {
    const code = asAppError(error)?.code
    if (code === 'gone' || code === 'not_found') ready.drop(nameOfToken(token))
    throw error
  }
}

/** Returns the link's last answer; undefined if it may no longer be sent, or its bytes are gone. */
function lastAnswer(
  { ready }: PollDeps,
  poll: Poll,
  found: FeedLink | undefined,
): PollAnswer | undefined {
  const name = nameOfToken(poll.token)
  const last = ready.findLast(name, poll.form)
  if (!last) return undefined
  const { answer, staleForMs } = last
  if (!answer.body && !poll.isKnown(answer.validators)) return undefined
  // Not counted yet if the store failed before the link was found.
  if (!found) poll.count(name)
  poll.onFound(answer.link)
  return { ...answer, staleForMs, isConfirmed: false }
}

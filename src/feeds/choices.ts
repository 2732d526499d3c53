import { z } from 'zod'

import { AppError } from '../domain/errors.ts'
import { type Choices, lowerDetail, shownFeed } from '../domain/feed-options.ts'
import type { Feed, FeedStore } from '../domain/feed.ts'
import { type FeedKind, feedKinds } from '../domain/kinds.ts'
import { type LeaveDetail, leaveDetails } from '../domain/leave.ts'
import { parseInput } from './feed-input.ts'

/** What the holder of a link may choose, and what is chosen. */
export interface OfferedChoices {
  /** What the feed's options show: each can be hidden and shown again. */
  readonly kinds: readonly { readonly kind: FeedKind; readonly shown: boolean }[]
  /** The levels up to that of the options, lowest first; one alone where nothing is to choose. */
  readonly details: readonly LeaveDetail[]
  readonly detail: LeaveDetail
}

/** What may be chosen within the feed as HR set it; null where nothing may. */
export function offerChoices(feed: Feed): OfferedChoices | null {
  if (!feed.options.selfService) return null
  const { options } = shownFeed(feed)
  return {
    kinds: feedKinds
      .filter((kind) => feed.options[kind].show)
      .map((kind) => ({ kind, shown: options[kind].show })),
    details: leaveDetails.slice(0, leaveDetails.indexOf(feed.options.leaves.detail) + 1),
    detail: options.leaves.detail,
  }
}

const list = z.preprocess(
  (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.enum(feedKinds)),
)

/** A form's fields: the kinds to be shown, all others are hidden, and the level of detail if it is to change. */
const choiceSchema = z.strictObject({ show: list, detail: z.enum(leaveDetails).optional() })
type Choice = z.output<typeof choiceSchema>

/**
 * Keeps what the holder of a link has chosen. `invalid` for what is no choice, `forbidden` for what HR does not allow:
 * any choice where `selfService` is off, a kind that is not shown, a level above the set one; `not_found` for no feed.
 */
export async function keepChoice(
  feeds: Pick<FeedStore, 'changeFeed'>,
  feedId: string,
  input: unknown,
): Promise<void> {
  const choice = parseInput(choiceSchema, input, 'The choice')
  const changed = await feeds.changeFeed(feedId, (feed) => {
    const choices = choicesWithin(feed, choice)
    return isSame(choices, feed.choices) ? null : { ...feed, choices }
  })
  if (!changed) throw new AppError('not_found', 'There is no such calendar.')
}

function choicesWithin(feed: Feed, choice: Choice): Choices | null {
  refuseBeyond(feed, choice)
  const { options, choices } = feed
  const hide = feedKinds.filter((kind) => options[kind].show && !choice.show.includes(kind))
  const wanted = choice.detail ?? choices?.detail ?? null
  const detail = wanted === options.leaves.detail ? null : wanted
  return hide.length === 0 && detail === null ? null : { hide, detail }
}

function refuseBeyond({ options }: Feed, { show, detail }: Choice): void {
  if (!options.selfService) throw new AppError('forbidden', 'HR decides what this calendar shows.')
  if (show.some((kind) => !options[kind].show)) {
    throw new AppError('forbidden', 'HR has not put this into the calendar.')
  }
  if (detail !== undefined && lowerDetail(detail, options.leaves.detail) !== detail) {
    throw new AppError('forbidden', 'HR has not allowed this level of detail.')
  }
}

function isSame(one: Choices | null, other: Choices | null): boolean {
  if (one === null || other === null) return one === other
  return one.detail === other.detail && one.hide.join() === other.hide.join()
}

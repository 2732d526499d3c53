import { parse } from 'node:querystring'

import { z } from 'zod'

import { AppError } from '../../domain/errors.ts'
import { type Feed, locales } from '../../domain/feed.ts'
import { type FeedKind, feedKinds } from '../../domain/kinds.ts'
import { leaveDetails, lowerDetail } from '../../domain/leave.ts'
import { boundedFeed, type Choices, choicesOf, shownFeed } from '../../domain/link.ts'
import { parseInput } from '../feed-input.ts'
import { reminderField } from '../feed-options.ts'

const list = z.preprocess(
  (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]),
  z.array(z.enum(feedKinds)),
)
const minutes = z
  .string()
  .regex(/^\d{1,5}$/, 'Must be a number of minutes.')
  .transform(Number)
  .pipe(reminderField)

/** A form's fields: the kinds to be shown, all others are hidden, and the rest as far as it is to change. */
const choiceFields = z.strictObject({
  show: list,
  detail: z.enum(leaveDetails).optional(),
  locale: z.enum(locales).optional(),
  reminderMinutes: z.union([z.literal('none'), minutes]).optional(),
})
type Choice = z.output<typeof choiceFields>

/** With it comes what the form showed when it was made, written as the form itself is sent. */
const choiceSchema = choiceFields.extend({
  from: z
    .string()
    .transform((text): unknown => ({ ...parse(text) }))
    .pipe(choiceFields)
    .optional(),
})

/**
 * The choices of a link once its holder has sent that form. `invalid` for what is no choice; `forbidden` for what HR
 * does not allow: any choice where `selfService` is off, a kind that is not shown, a level above the set one. Of a form
 * that says what it was made from only what differs from that counts: the rest stays as it was chosen meanwhile, perhaps
 * in another tab.
 */
export function readChoices(feed: Feed, before: Choices, input: unknown): Choices {
  const { from, ...sent } = parseInput(choiceSchema, input, { what: 'The choice' })
  const choice = from ? changesOf(shownFeed(feed, { choices: before }), sent, from) : sent
  const bounded = boundedFeed(feed, { choices: before })
  refuseBeyond(bounded, choice)
  const { locale, options } = bounded
  return choicesOf({
    hide: hiddenKinds(bounded, before, choice),
    detail: unless(choice.detail ?? before.detail, options.leaves.detail),
    locale: unless(choice.locale ?? before.locale, locale),
    reminderMinutes: unless(
      choice.reminderMinutes ?? before.reminderMinutes,
      options.reminderMinutes ?? 'none',
    ),
    onlyAway: before.onlyAway,
  })
}

/** What was changed in a form that was made from that, and all other kinds as they are shown now. */
function changesOf({ options }: Feed, sent: Choice, from: Choice): Choice {
  const show = feedKinds.filter((kind) => {
    const isWanted = sent.show.includes(kind)
    return isWanted === from.show.includes(kind) ? options[kind].show : isWanted
  })
  return {
    show,
    detail: changed(sent.detail, from.detail),
    locale: changed(sent.locale, from.locale),
    reminderMinutes: changed(sent.reminderMinutes, from.reminderMinutes),
  }
}

function changed<T>(sent: T, from: T): T | undefined {
  return sent === from ? undefined : sent
}

/** What is not shown anyway stays hidden if it was: its switch was not there to be set. */
function hiddenKinds(
  { options }: Feed,
  { hide: before = [] }: Choices,
  { show }: Choice,
): readonly FeedKind[] {
  return feedKinds.filter((kind) =>
    options[kind].show ? !show.includes(kind) : before.includes(kind),
  )
}

/** What is as the feed has it is no choice: it follows the feed. */
function unless<T>(wanted: T | undefined, set: T): T | null {
  return wanted === undefined || wanted === set ? null : wanted
}

/** Whether these choices switch off everything that the feed's options show. */
export function showsNothing(feed: Feed, choices: Choices): boolean {
  return showsAnything(feed) && !showsAnything(shownFeed(feed, { choices }))
}

function showsAnything({ options }: Feed): boolean {
  return feedKinds.some((kind) => options[kind].show)
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

/** Whether two choices are the same. */
export function isSameChoice(one: Choices, other: Choices): boolean {
  return JSON.stringify(choicesOf(one)) === JSON.stringify(choicesOf(other))
}

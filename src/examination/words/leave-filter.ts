import type { LeaveFilterExamined } from '../../copies/proof/leave-examination.ts'
import { type Finding, findingOf } from '../../domain/examination.ts'
import type { LeaveFilterVerdict } from '../verdicts/leave-filter.ts'
import { counted } from './counted.ts'

type State = LeaveFilterVerdict['state']

const seenBy: Readonly<Record<State, string>> = {
  honoured: 'known users bring each their own and an unknown one brings none.',
  disproved: 'an unknown user, or two users alike, bring leaves that are not theirs.',
  rejected: 'the request for a known user is refused.',
  empty: 'none of the known users brings any.',
  incomparable: 'unknown users are refused, and nothing shows that known ones are told apart.',
  unsure: 'an unknown user brings none, and there is nothing to compare with.',
  unknown: 'the request for an unknown user is refused, and no other user is known.',
  unanswered: 'the Read API failed while it was asked.',
  unpaged: 'it is refused, as lists are as soon as they are asked for by pages.',
  unnamed: 'no parameter name is set, so it is never asked for.',
}

const untold =
  'Leaves cannot be told apart: calendars are served without them, and those that have shown proven ones keep these for FEED_STALE_DAYS.'
const wasDisproved =
  'But leaves have come for the wrong employee before: calendars are served without new leaves until it is proven again, which is tried by itself every hour, and with a poll ten minutes after the last time: next from'

/** Of the others leaves cannot be told apart. */
const meansBy: Readonly<Partial<Record<State, string>>> = {
  honoured: 'Leaves are shown.',
  empty:
    'That may be so, since only a few users are tried. If calendars lack leaves, the parameter has another name.',
  unsure: 'Nothing speaks against the name: leaves are shown as soon as they are proven.',
  unknown:
    'Whether the parameter has that name shows once somebody is known from timesheets, tasks or feeds.',
  unpaged:
    'Nothing is known of the name: mend the paging first (see the finding truncation), then examine again.',
  unanswered: 'Nothing is proven: leaves stay as last read. Examine again.',
}

/** Says whether leaves can be told apart by employee; `name` is the one that is set, `set` the setting that mends it. */
export function sayLeaveFilter(
  verdict: LeaveFilterVerdict,
  name: string | null,
  set: string,
): Finding {
  const { level, unfiltered, betterName } = verdict
  const all = unfiltered === null ? '' : ` Without it come ${counted(unfiltered, 'leave')}.`
  return findingOf({
    check: 'leaves-employee',
    level,
    seen: `Leaves by employee (${name ?? 'unnamed'}): ${seenOf(verdict)}${all}`,
    means: meansOf(verdict),
    set: betterName === null ? null : set,
  })
}

function seenOf({ state, reason, alike }: LeaveFilterVerdict): string {
  if (reason === 'similar_id') {
    return 'an id that only looks like a user’s brings that user’s leaves: the beginning, the end or a pattern is enough.'
  }
  const ways = alike.flatMap((likeness) => likenesses[likeness] ?? [])
  if (ways.length === 0) return seenBy[state]
  return `${seenBy[state]} Ids that differ from a user’s only in ${ways.join(' and ')} bring that user’s too, which does no harm as long as no two people’s do.`
}

const likenesses: Readonly<Partial<Record<LeaveFilterExamined['alike'][number], string>>> = {
  case: 'upper and lower case',
  zero: 'leading zeros',
}

function meansOf(verdict: LeaveFilterVerdict): string {
  const { state, betterName, areNamesTried, wasDisproved: isDisproved } = verdict
  if (betterName !== null) return `${untold} The parameter is called ${betterName}.`
  if (isDisproved && state !== 'disproved')
    return `${wasDisproved} ${new Date(verdict.triedAgainFrom).toISOString()} on.`
  return meansBy[state] ?? `${untold} ${areNamesTried ? unhelped : untried}`
}

const unhelped = 'No other usual name works: ask the vendor for it.'
const untried = 'Run doctor to have other usual names tried.'

import type { Finding } from '../../domain/examination.ts'
import type { LeaveFilterState, LeaveFilterVerdict } from '../verdicts/leave-filter.ts'
import { counted } from './counted.ts'

const seenBy: Readonly<Record<LeaveFilterState, string>> = {
  honoured: 'known users bring each their own and an unknown one brings none.',
  ignored: 'an unknown user, or two users alike, bring leaves that are not theirs.',
  rejected: 'the request for a known user is refused.',
  empty: 'none of the known users brings any.',
  unsure: 'an unknown user brings none, and there is nothing to compare with.',
  unanswered: 'the Read API failed while it was asked.',
  unnamed: 'no parameter name is set, so it is never asked for.',
}

const untold =
  'Leaves cannot be told apart: calendars are served without them, and those that have shown proven ones keep these for FEED_STALE_DAYS.'
const disputed =
  'But a leave has come for two employees before: until it comes for one alone, calendars are served without new leaves.'
const unhelped = `${untold} No other usual name works: ask the vendor for it.`

const meansBy: Readonly<Record<LeaveFilterState, string>> = {
  honoured: 'Leaves are shown.',
  ignored: unhelped,
  rejected: unhelped,
  empty:
    'That may be so, since only a few users are tried; if calendars lack leaves, the parameter has another name.',
  unsure: 'Leaves are shown.',
  unanswered: 'Nothing is proven: leaves stay as last read; examine again.',
  unnamed: unhelped,
}

/** Says whether leaves can be told apart by employee; `name` is the one that is set, `set` the setting that mends it. */
export function sayLeaveFilter(
  verdict: LeaveFilterVerdict,
  name: string | null,
  set: string,
): Finding {
  const { ok, state, unfiltered, betterName } = verdict
  const all = unfiltered === null ? '' : ` Without it come ${counted(unfiltered, 'leave')}.`
  return {
    check: 'leaves-employee',
    ok,
    seen: `Leaves by employee (${name ?? 'unnamed'}): ${seenBy[state]}${all}`,
    means: meansOf(verdict),
    set: betterName === null ? null : set,
  }
}

function meansOf({ state, betterName, isDisputed }: LeaveFilterVerdict): string {
  if (betterName !== null) return `${untold} The parameter is called ${betterName}.`
  return isDisputed ? disputed : meansBy[state]
}

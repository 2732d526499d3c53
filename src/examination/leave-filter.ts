import { isCleanRefusal, unknownEmployee } from '../copies/proof/leave-prover.ts'
import { AppError } from '../domain/errors.ts'
import type { Finding, ProbeAnswer } from '../domain/examination.ts'
import { ask, counted, type Examining, idsOf, recordsOf } from './examining.ts'
import { employeeNames } from './parameter-names.ts'
import type { Readings } from './readings.ts'

/**
 * What becomes of leaves' employee filter under a name. `empty`: nobody known has leaves though there are some;
 * `unsure`: nothing contradicts it and nothing shows it; `unanswered`: the Read API failed meanwhile.
 */
type Verdict = 'honoured' | 'ignored' | 'rejected' | 'empty' | 'unsure' | 'unanswered' | 'unnamed'

export interface LeaveFilterTrial {
  readonly verdict: Verdict
  /** How many leaves a request without a filter brings; null where it is refused. */
  readonly unfiltered: number | null
  /** A name under which the filter is honoured, where the one that is set does not do it; null where none was found. */
  readonly better: string | null
}

/** How the leaves' employee filter behaves under the name that is set and, if not well, under which other one it does. */
export async function tryLeaveFilter(
  examining: Examining,
  { userIds, plain }: Readings,
): Promise<LeaveFilterTrial> {
  const answer = plain.find(({ path }) => path === 'leaves')?.answer
  const unfiltered = (answer && recordsOf(answer)?.length) ?? null
  const name = examining.connection.parameters.leaves.employee
  const trial = { userIds, unfiltered }
  const verdict = name === null ? 'unnamed' : await tryName(examining, name, trial)
  const isGood = verdict === 'honoured' || verdict === 'unsure' || verdict === 'unanswered'
  const better = isGood ? null : await findName(examining, name, trial)
  return { verdict, unfiltered, better }
}

type Trial = Pick<Readings, 'userIds'> & { readonly unfiltered: number | null }

async function findName(
  examining: Examining,
  set: string | null,
  trial: Trial,
): Promise<string | null> {
  for (const name of employeeNames.filter((it) => it !== set)) {
    if ((await tryName(examining, name, trial)) === 'honoured') return name
  }
  return null
}

async function tryName(examining: Examining, name: string, trial: Trial): Promise<Verdict> {
  const canary = await askFor(examining, name, unknownEmployee())
  if (canary instanceof AppError) return 'unanswered'
  if ((canary.records?.length ?? 0) > 0) return 'ignored'
  if (!canary.records && !isCleanRefusal(canary.status)) return 'unanswered'
  if (trial.userIds.length === 0) return withoutUsers(canary, trial)
  const answers = await Promise.all(trial.userIds.map((userId) => askFor(examining, name, userId)))
  return judge(answers, trial)
}

function askFor(
  examining: Examining,
  name: string,
  userId: string,
): Promise<ProbeAnswer | AppError> {
  return ask(examining, { path: 'leaves', query: { [name]: userId } })
}

/** An empty list where there is more shows the filter; a refusal may be one of the parameter itself. */
function withoutUsers({ records }: ProbeAnswer, { unfiltered }: Trial): Verdict {
  return records !== null && (unfiltered ?? 0) > 0 ? 'honoured' : 'unsure'
}

function judge(answers: readonly (ProbeAnswer | AppError)[], { unfiltered }: Trial): Verdict {
  if (answers.some((answer) => answer instanceof AppError)) return 'unanswered'
  const lists = answers.flatMap((answer) => {
    const records = recordsOf(answer)
    return records ? [idsOf(records)] : []
  })
  if (lists.length === 0) return answers.every(isRefusal) ? 'rejected' : 'unanswered'
  const ids = lists.flat()
  if (new Set(ids).size < ids.length) return 'ignored'
  if (ids.length > 0) return 'honoured'
  return (unfiltered ?? 0) > 0 ? 'empty' : 'unsure'
}

/** Of the parameter itself; a Read API that is busy or fails says nothing of it. */
function isRefusal(answer: ProbeAnswer | AppError): boolean {
  return !(answer instanceof AppError) && isCleanRefusal(answer.status)
}

const seenBy: Readonly<Record<Verdict, string>> = {
  honoured: 'known users bring each their own and an unknown one brings none.',
  ignored: 'an unknown user, or two users alike, bring leaves that are not theirs.',
  rejected: 'the request for a known user is refused.',
  empty: 'none of the known users brings any.',
  unsure: 'an unknown user brings none, and there is nothing to compare with.',
  unanswered: 'the Read API failed while it was asked.',
  unnamed: 'no parameter name is set, so it is never asked for.',
}

/** Says whether leaves can be told apart by employee; `set` is the setting that mends it. */
export function leaveFilterFinding(
  examining: Examining,
  { verdict, unfiltered, better }: LeaveFilterTrial,
  set: string,
): Finding {
  const check = 'leaves-employee'
  const name = examining.connection.parameters.leaves.employee
  const all = unfiltered === null ? '' : ` Without it come ${counted(unfiltered, 'leave')}.`
  const seen = `Leaves by employee (${name ?? 'unnamed'}): ${seenBy[verdict]}${all}`
  if (better !== null) {
    const means = `${untold} The parameter is called ${better}.`
    return { check, ok: false, seen, means, set }
  }
  if (isDisputed(examining)) return { check, ok: false, seen, means: disputedMeans, set: null }
  return { check, ok: isServed(verdict), seen, means: meansOf(verdict), set: null }
}

const untold =
  'Leaves cannot be told apart: calendars are served without them, and those that have shown proven ones keep these for FEED_STALE_DAYS.'

const disputedMeans =
  'But a leave has come for two employees before: until it comes for one alone, calendars are served without new leaves.'

function isDisputed({ proof }: Examining): boolean {
  return proof.state === 'disproved' && proof.reason === 'two_employees'
}

/** What an unknown employee does not get is proven enough to be served. */
function isServed(verdict: Verdict): boolean {
  return verdict === 'honoured' || verdict === 'empty' || verdict === 'unsure'
}

function meansOf(verdict: Verdict): string {
  if (verdict === 'honoured' || verdict === 'unsure') return 'Leaves are shown.'
  if (verdict === 'empty') {
    return 'That may be so, since only a few users are tried; if calendars lack leaves, the parameter has another name.'
  }
  if (verdict === 'unanswered') return 'Nothing is proven: leaves stay as last read; examine again.'
  return `${untold} No other usual name works: ask the vendor for it.`
}

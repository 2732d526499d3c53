import { AppError } from '../domain/errors.ts'
import type { Finding, ProbeAnswer } from '../domain/examination.ts'
import { baseUrlCandidates } from './base-url-candidates.ts'
import { adviseCredential } from './credential-advice.ts'
import { ask, type Examining, succeeded } from './examining.ts'

const lists = ['schedules', 'timesheets', 'leaves'] as const
/** Statuses by which a Read API shows that it is one, though it gives nothing. */
const refusals: ReadonlySet<number> = new Set([400, 401, 403, 422])

/** Whether the Read API is there, and lets us in. */
export async function examineArrival(examining: Examining): Promise<readonly Finding[]> {
  const answers = await Promise.all(lists.map((path) => ask(examining, { path })))
  const replies = answers.filter(succeeded)
  const reachable = await examineReach(examining, answers, replies)
  return reachable.ok ? [reachable, await examineCredential(examining, replies)] : [reachable]
}

async function examineReach(
  examining: Examining,
  answers: readonly (ProbeAnswer | AppError)[],
  replies: readonly ProbeAnswer[],
): Promise<Finding> {
  const { baseUrl } = examining.probe
  if (replies.some(isReadApi)) return reached(`The Read API answers at ${baseUrl}.`)
  const fault = answers.find((answer) => answer instanceof AppError)
  const busy = replies.find(({ status }) => status === 429 || status >= 500)
  if (busy) return unable(`The Read API answers ${busy.status} at ${baseUrl}.`)
  const better = await findBaseUrl(examining, replies)
  const seen = fault
    ? fault.message
    : `What answers at ${baseUrl} is no Read API: ${listStatuses(replies)}.`
  return {
    check: 'reachable',
    ok: false,
    seen,
    means: better
      ? `No calendar can be served; the Read API answers at ${better}.`
      : 'No calendar can be served: the address, the network or a proxy is wrong, or the Read API is down.',
    set: better && examining.advise('baseUrl', better),
  }
}

function reached(seen: string): Finding {
  const means = 'The address is right.'
  return { check: 'reachable', ok: true, seen, means, set: null }
}

function unable(seen: string): Finding {
  const means =
    'It is overloaded or broken: calendars stay as last read; examine again when it works.'
  return { check: 'reachable', ok: false, seen, means, set: null }
}

function isReadApi({ status, records }: ProbeAnswer): boolean {
  return records !== null || refusals.has(status)
}

function listStatuses(replies: readonly ProbeAnswer[]): string {
  return replies
    .map(
      ({ status }, index) =>
        `${lists[index]} answers ${status === 200 ? '200 without {"data": […]}' : status}`,
    )
    .join(', ')
}

async function findBaseUrl(
  examining: Examining,
  replies: readonly ProbeAnswer[],
): Promise<string | null> {
  const { baseUrl } = examining.probe
  const { origin } = new URL(baseUrl)
  const redirect = replies.flatMap(({ redirectsTo }) => redirectsTo ?? [])[0]
  for (const candidate of baseUrlCandidates(baseUrl, redirect)) {
    const question = { path: 'schedules', baseUrl: candidate }
    const isElsewhere = new URL(candidate).origin !== origin
    // Where nothing answers at all, another path does not either.
    if (!isElsewhere && replies.length === 0) continue
    // The credential is meant for its own origin alone.
    const answer = await ask(
      examining,
      isElsewhere ? { ...question, credential: { scheme: 'none' } } : question,
    )
    if (!(answer instanceof Error) && isOpenOrLocked(answer)) return candidate
  }
  return null
}

function isOpenOrLocked({ status, records }: ProbeAnswer): boolean {
  return records !== null || status === 401 || status === 403
}

async function examineCredential(
  examining: Examining,
  replies: readonly ProbeAnswer[],
): Promise<Finding> {
  const check = 'credentials'
  const denied = replies.find(({ status }) => status === 401 || status === 403)
  if (!denied || replies.some(({ records }) => records !== null)) {
    const seen = `The Read API answers with what is set (${examining.probe.credential}).`
    return { check, ok: true, seen, means: 'The credential is right.', set: null }
  }
  const { value, means } = await adviseCredential(examining, denied)
  const seen = `The Read API answers ${denied.status} to what is set (${examining.probe.credential}).`
  return { check, ok: false, seen, means, set: examining.advise('auth', value) }
}

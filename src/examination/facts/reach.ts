import type { ProbeQuestion } from '../../domain/examination.ts'
import { type ProbeOutcome, succeeded } from '../verdicts/outcomes.ts'
import { firstLists, isLost, isOpenOrLocked, type ReachFacts } from '../verdicts/reach.ts'
import { baseUrlCandidates } from './base-url-candidates.ts'
import { ask, type Inquiry } from './inquiry.ts'

/** Asks for the first lists and, where no Read API is found so, at other addresses. */
export async function askReach(inquiry: Inquiry): Promise<ReachFacts> {
  const outcomes = await Promise.all(firstLists.map((path) => ask(inquiry, { path })))
  const otherBaseUrl = isLost(outcomes) ? await findBaseUrl(inquiry, outcomes) : null
  return { outcomes, otherBaseUrl }
}

async function findBaseUrl(
  inquiry: Inquiry,
  outcomes: readonly ProbeOutcome[],
): Promise<string | null> {
  const replies = outcomes.filter(succeeded)
  const { baseUrl } = inquiry.probe
  const redirect = replies.flatMap(({ redirectsTo }) => redirectsTo ?? [])[0]
  for (const candidate of baseUrlCandidates(baseUrl, redirect)) {
    const isElsewhere = new URL(candidate).origin !== new URL(baseUrl).origin
    // Where nothing answers at all, another path does not either.
    if (!isElsewhere && replies.length === 0) continue
    const outcome = await ask(inquiry, questionAt(candidate, isElsewhere))
    if (succeeded(outcome) && isOpenOrLocked(outcome)) return candidate
  }
  return null
}

/** The credential is meant for its own origin alone. */
function questionAt(baseUrl: string, isElsewhere: boolean): ProbeQuestion {
  const question = { path: 'schedules', baseUrl }
  return isElsewhere ? { ...question, credential: { scheme: 'none' } } : question
}

import type { ProbeQuestion } from '../../domain/examination.ts'
import { succeeded } from '../verdicts/outcomes.ts'
import {
  type FirstAnswer,
  type FoundElsewhere,
  isDenial,
  isLost,
  type ReachFacts,
} from '../verdicts/reach.ts'
import { baseUrlCandidates } from './base-url-candidates.ts'
import { ask, type Inquiry } from './inquiry.ts'
import { boundsQuery } from './timesheet-bounds.ts'

const nowhere: FoundElsewhere = { answersAt: null, deniesAt: null }

/** Asks for the first lists and, where no Read API is found so and a person wants to know, at other paths of the same origin. */
export async function askReach(inquiry: Inquiry): Promise<ReachFacts> {
  const answers = await Promise.all(
    firstQuestions(inquiry).map(async (question): Promise<FirstAnswer> => ({
      path: question.path,
      outcome: await ask(inquiry, question),
    })),
  )
  const isLookedFor = inquiry.guesses && isLost(answers)
  return { answers, elsewhere: isLookedFor ? await lookElsewhere(inquiry, answers) : nowhere }
}

/** No feed ever asks for everybody's leaves. */
function firstQuestions(inquiry: Inquiry): readonly ProbeQuestion[] {
  const all = [{ path: 'schedules' }, { path: 'timesheets', query: boundsQuery(inquiry) }]
  return inquiry.guesses ? [...all, { path: 'leaves' }] : all
}

async function lookElsewhere(
  inquiry: Inquiry,
  answers: readonly FirstAnswer[],
): Promise<FoundElsewhere> {
  // Where nothing answers at all, another path does not either.
  if (!answers.some(({ outcome }) => succeeded(outcome))) return nowhere
  let deniesAt: string | null = null
  for (const baseUrl of baseUrlCandidates(inquiry.probe.baseUrl)) {
    const outcome = await ask(inquiry, { path: 'schedules', baseUrl })
    if (!succeeded(outcome)) continue
    if (outcome.records) return { answersAt: baseUrl, deniesAt: null }
    if (isDenial(outcome)) deniesAt ??= baseUrl
  }
  return { answersAt: null, deniesAt }
}

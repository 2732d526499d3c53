import { AppError } from '../../domain/errors.ts'
import {
  type ProbeAnswer,
  type ProbeQuestion,
  type Finding,
  findingOf,
} from '../../domain/examination.ts'
import { isBusy, type ProbeOutcome, succeeded, ask, type Inquiry, type Advise } from '../advice.ts'
import { boundsQuery } from './timesheet-filter.ts'

/** What came of asking for one of the first lists. */
export interface FirstAnswer {
  /** `schedules`, `timesheets`, … */
  readonly path: string
  readonly outcome: ProbeOutcome
}

/** Other base URLs of the same origin; null where none was found, or none had to be looked for. */
export interface FoundElsewhere {
  /** Where a list answers. */
  readonly answersAt: string | null
  /** Where a credential is asked for. */
  readonly deniesAt: string | null
}

export interface ReachFacts {
  readonly answers: readonly FirstAnswer[]
  readonly elsewhere: FoundElsewhere
}

/**
 * `answered`: a list came; `denied`: a credential is asked for; `refused`: it takes offence at the requests themselves, so
 * that lists have still to be tried as feeds ask for them; `busy`: it cannot answer just now; `silent`: nothing readable
 * comes; `stranger`: what answers is no Read API.
 */
export type ReachVerdict =
  | { readonly state: 'answered' }
  | { readonly state: 'denied' | 'refused' | 'busy'; readonly status: number }
  | { readonly state: 'silent'; readonly fault: AppError }
  | {
      readonly state: 'stranger'
      readonly replies: readonly Reply[]
      readonly elsewhere: FoundElsewhere
    }

export interface Reply extends Pick<ProbeAnswer, 'status' | 'redirectsTo'> {
  readonly path: string
}

/** Statuses by which what a request says is refused, anyone who sent it. */
const refusals: ReadonlySet<number> = new Set([400, 422])

/** Whether a Read API is there: certain only if a list came. */
export function judgeReach({ answers, elsewhere }: ReachFacts): ReachVerdict {
  const replies = answers.flatMap(({ path, outcome }) =>
    succeeded(outcome) ? [{ path, ...outcome }] : [],
  )
  if (replies.some(({ records }) => records !== null)) return { state: 'answered' }
  const fault = answers.map(({ outcome }) => outcome).find((outcome) => outcome instanceof AppError)
  return (
    tellingReply(replies) ??
    (fault ? { state: 'silent', fault } : { state: 'stranger', replies, elsewhere })
  )
}

function tellingReply(replies: readonly ProbeAnswer[]): ReachVerdict | undefined {
  for (const [state, tells] of telling) {
    const reply = replies.find(tells)
    if (reply) return { state, status: reply.status }
  }
  return undefined
}

/** What an answer without a list says, the most telling first. */
const telling = [
  ['denied', isDenial],
  ['refused', ({ status }: ProbeAnswer) => refusals.has(status)],
  ['busy', isBusy],
] as const

/** Whether the Read API has to be looked for elsewhere. */
function isLost(answers: readonly FirstAnswer[]): boolean {
  const { state } = judgeReach({ answers, elsewhere: { answersAt: null, deniesAt: null } })
  return state === 'stranger' || state === 'silent'
}

/** Whether a credential is asked for, or is not enough. */
function isDenial({ status }: ProbeAnswer): boolean {
  return status === 401 || status === 403
}

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

const check = 'reachable'
const embedded = 'the embedded Read API'
const noneServed = 'No calendar can be served'

/** Says whether the Read API is there; `baseUrl` is where it was looked for, null for the embedded one, which is elsewhere at each start. */
export function sayReach(verdict: ReachVerdict, baseUrl: string | null, advise: Advise): Finding {
  if (verdict.state === 'answered') return sayAnswered(baseUrl)
  const { set = null, ...words } = wordsOf(verdict, baseUrl ?? embedded, advise)
  // What is wrong then is the credential, which is a finding of its own.
  const level = verdict.state === 'denied' ? 'note' : 'wrong'
  return findingOf({ check, level, ...words, set })
}

function sayAnswered(baseUrl: string | null): Finding {
  const words =
    baseUrl === null
      ? { seen: `A list of ${embedded} answers.`, means: 'WORKFORCE_BASE_URL connects another.' }
      : {
          seen: `A list of the Read API answers at ${baseUrl}.`,
          means: 'The address is right.',
        }
  return findingOf({ check, level: 'ok', ...words, set: null })
}

interface Words extends Pick<Finding, 'seen' | 'means'> {
  readonly set?: string
}

function wordsOf(
  verdict: Exclude<ReachVerdict, { readonly state: 'answered' }>,
  baseUrl: string,
  advise: Advise,
): Words {
  if (verdict.state === 'silent') {
    const means = `${noneServed}: the address, the network or a proxy is wrong, or the Read API is down.`
    return { seen: verdict.fault.message, means }
  }
  if (verdict.state === 'stranger') {
    const seen = `What answers at ${baseUrl} does not answer as the Read API does: ${verdict.replies.map(replyWords).join(', ')}.`
    return { seen, ...wayOut(verdict.replies, verdict.elsewhere, advise) }
  }
  const seen = `Every list that was asked for at ${baseUrl} is answered with ${verdict.status}.`
  return { seen, means: meansBy[verdict.state] }
}

const meansBy = {
  denied: 'Whether the address is right shows once a credential is accepted.',
  refused: `${noneServed}: what answers takes offence at the requests. Whether it is the Read API is not certain.`,
  busy: 'It is overloaded or broken: calendars stay as last read. Examine again when it works.',
} as const

function wayOut(
  replies: readonly Reply[],
  { answersAt, deniesAt }: FoundElsewhere,
  advise: Advise,
): Omit<Words, 'seen'> {
  if (answersAt !== null) {
    const means = `${noneServed} from there; a list of the Read API answers at ${answersAt}.`
    return { means, set: advise('baseUrl', answersAt) }
  }
  const isRedirect = replies.some(({ redirectsTo }) => redirectsTo !== null)
  const moved = isRedirect
    ? ' Redirects are not followed: if the Read API has moved, set its new address once its vendor has confirmed it.'
    : ''
  const locked =
    deniesAt === null ? '' : ` At ${deniesAt} a credential is asked for: it may be there.`
  return {
    means: `${noneServed}: the address, a proxy or the credential is wrong.${moved}${locked}`,
  }
}

function replyWords({ path, status, redirectsTo }: Reply): string {
  if (redirectsTo !== null) return `${path} answers ${status}, a redirect to ${redirectsTo}`
  return `${path} answers ${status === 200 ? '200 without {"data": […]}' : status}`
}

const candidatesMax = 40
/** Where programs that are moved below a path are usually found. */
const usualPrefixes = ['/api', '/rest', '/app', '/backend', '/workforce']

/** Base URLs of the same origin at which the Read API may be found instead, the likeliest first. */
function baseUrlCandidates(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl)
  const shorter = pathsAbove(pathname)
  const longer = [pathname, ...shorter].flatMap((path) =>
    usualPrefixes.map((prefix) => trimmed(path) + prefix),
  )
  const candidates = [...shorter, ...longer].map((path) => origin + trimmed(path))
  return [...new Set(candidates)].filter((it) => it !== baseUrl).slice(0, candidatesMax)
}

/** `/a/b` → `/a`, ``. */
function pathsAbove(path: string): readonly string[] {
  const segments = trimmed(path).split('/')
  return segments
    .slice(1)
    .map((_, index) => segments.slice(0, segments.length - 1 - index).join('/'))
}

function trimmed(path: string): string {
  return path.replace(/\/+$/, '')
}

import { AppError } from '../../domain/errors.ts'
import { type Finding, findingOf, type ProbeAnswer } from '../../domain/examination.ts'
import { ask, type Inquiry, isBusy, succeeded } from '../inquiry.ts'
import { boundsQuery } from './lists.ts'

/** The result of the first lists. */
export interface Reach {
  /**
   * `answered`: a list was returned; `denied`: a credential is required; `refused`: the requests themselves are refused, so
   * lists must still be tried as feeds request them; `lost`: nothing else can be read.
   */
  readonly state: 'answered' | 'denied' | 'refused' | 'lost'
  readonly denial?: ProbeAnswer
  readonly finding: Finding
}

interface Reply extends ProbeAnswer {
  readonly path: string
}

const check = 'reachable'
const noneServed = 'No calendar can be served'

/** Requests the first lists. `baseUrl` is null for the embedded Read API, since its address changes with each start. */
export async function checkReach(inquiry: Inquiry, baseUrl: string | null): Promise<Reach> {
  const questions = [
    { path: 'schedules' },
    { path: 'timesheets', query: boundsQuery(inquiry) },
    // Feeds never request the leaves of all people.
    ...(inquiry.guesses ? [{ path: 'leaves' }] : []),
  ]
  const outcomes = await Promise.all(questions.map((question) => ask(inquiry, question)))
  const replies = outcomes.flatMap((outcome, index) =>
    succeeded(outcome) ? [{ ...outcome, path: questions[index]?.path ?? '' }] : [],
  )
  if (replies.some(({ records }) => records !== null)) {
    return { state: 'answered', finding: answeredFinding(baseUrl) }
  }
  const place = baseUrl ?? 'the embedded Read API'
  const seenOf = ({ status }: Reply): string =>
    `Every list that was asked for at ${place} is answered with ${status}.`
  const denial = replies.find(isDenial)
  if (denial) {
    const means = 'Whether the address is right shows once a credential is accepted.'
    // Only a note: the credential is wrong and has its own finding.
    const finding = findingOf({ check, level: 'note', seen: seenOf(denial), means })
    return { state: 'denied', denial, finding }
  }
  const refusal = replies.find(({ status }) => status === 400 || status === 422)
  if (refusal) {
    const means = `${noneServed}: what answers refuses the requests. Whether it is the Read API is not certain.`
    return {
      state: 'refused',
      finding: findingOf({ check, level: 'wrong', seen: seenOf(refusal), means }),
    }
  }
  const busy = replies.find(isBusy)
  if (busy) {
    const means =
      'It is overloaded or broken: calendars stay as last read. Examine again when it works.'
    return {
      state: 'lost',
      finding: findingOf({ check, level: 'wrong', seen: seenOf(busy), means }),
    }
  }
  const fault = outcomes.find((outcome) => outcome instanceof AppError)
  if (fault) {
    const means = `${noneServed}: the address, the network or a proxy is wrong, or the Read API is down.`
    return {
      state: 'lost',
      finding: findingOf({ check, level: 'wrong', seen: fault.message, means }),
    }
  }
  const seen = `What answers at ${place} does not answer as the Read API does: ${replies.map(replyWords).join(', ')}.`
  const wayOut = await findWayOut(inquiry, replies)
  return { state: 'lost', finding: findingOf({ check, level: 'wrong', seen, ...wayOut }) }
}

/** Returns the finding for a list that was read. */
export function answeredFinding(baseUrl: string | null): Finding {
  const words =
    baseUrl === null
      ? {
          seen: 'A list of the embedded Read API answers.',
          means: 'WORKFORCE_BASE_URL connects another.',
        }
      : { seen: `A list of the Read API answers at ${baseUrl}.`, means: 'The address is right.' }
  return findingOf({ check, level: 'ok', ...words })
}

function isDenial({ status }: ProbeAnswer): boolean {
  return status === 401 || status === 403
}

function replyWords({ path, status, redirectsTo }: Reply): string {
  if (redirectsTo !== null) return `${path} answers ${status}, a redirect to ${redirectsTo}`
  return `${path} answers ${status === 200 ? '200 without {"data": […]}' : status}`
}

/** If a person waits for the result, looks for the Read API at other paths of the same origin. */
async function findWayOut(
  inquiry: Inquiry,
  replies: readonly Reply[],
): Promise<{ readonly means: string; readonly set?: string }> {
  const candidates = inquiry.guesses ? baseUrlCandidates(inquiry.probe.baseUrl) : []
  let means = `${noneServed}: the address, a proxy or the credential is wrong.`
  if (replies.some(({ redirectsTo }) => redirectsTo !== null)) {
    means += ` Redirects are not followed: if the Read API has moved, set its new address once its vendor has confirmed it.`
  }
  let deniesAt: string | undefined
  for (const baseUrl of candidates) {
    const outcome = await ask(inquiry, { path: 'schedules', baseUrl })
    if (!succeeded(outcome)) continue
    if (outcome.records) {
      return {
        means: `${noneServed} from there; a list of the Read API answers at ${baseUrl}.`,
        set: inquiry.advise('baseUrl', baseUrl),
      }
    }
    if (isDenial(outcome)) deniesAt ??= baseUrl
  }
  if (deniesAt !== undefined) {
    means += ` At ${deniesAt} a credential is asked for: it may be there.`
  }
  return { means }
}

const candidatesMax = 40
/** Usual paths below which programs are mounted. */
const usualPrefixes = ['/api', '/rest', '/app', '/backend', '/workforce']

/** Returns other base URLs of the same origin to try, the likeliest first. */
function baseUrlCandidates(baseUrl: string): readonly string[] {
  const { origin, pathname } = new URL(baseUrl)
  const segments = pathname.replace(/\/+$/, '').split('/')
  // `/a/b`, `/a` and the empty path.
  const [own = '', ...shorter] = segments.map((_, index) =>
    segments.slice(0, segments.length - index).join('/'),
  )
  const longer = [own, ...shorter].flatMap((path) => usualPrefixes.map((prefix) => path + prefix))
  const candidates = [...shorter, ...longer].map((path) => origin + path)
  return [...new Set(candidates)].filter((it) => it !== baseUrl).slice(0, candidatesMax)
}

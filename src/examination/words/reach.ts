import { type Finding, findingOf } from '../../domain/examination.ts'
import type { FoundElsewhere, ReachVerdict, Reply } from '../verdicts/reach.ts'
import type { Advise } from './setting-advice.ts'

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

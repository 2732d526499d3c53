import {
  type Finding,
  findingOf,
  type ProbeAnswer,
  type ProbeCredential,
} from '../../domain/examination.ts'
import { ask, type Inquiry, recordsOf, succeeded } from '../inquiry.ts'

const check = 'credentials'

/**
 * Checks whether the configured credential is accepted. `denial` is a response that refused it; `file` holds the credential
 * if the settings name one. Advises no setting that is set already, or that would be set beside the file.
 */
export async function checkCredential(
  inquiry: Inquiry,
  denial: ProbeAnswer | undefined,
  file: string | null,
): Promise<Finding> {
  const { credential: set } = inquiry.probe
  if (!denial) {
    const seen = `The Read API answers with what is set (${set}).`
    return findingOf({ check, level: 'ok', seen, means: 'The credential is right.' })
  }
  const seen = `What is set (${set}) is answered with ${denial.status}.`
  const way = inquiry.guesses ? await findAcceptedWay(inquiry) : undefined
  const { right, means, isOfValue } = way ? otherWay(way) : remedyOf(denial, set)
  if (file === null && right !== set) {
    return findingOf({ check, level: 'wrong', seen, means, set: inquiry.advise('auth', right) })
  }
  const reason = isOfValue ? means : 'No calendar can be served: the credential is refused.'
  const place =
    file === null
      ? 'Put the right credential in place of the one that is set.'
      : `Put the right credential into ${file}, written as ${right}.`
  return findingOf({ check, level: 'wrong', seen, means: `${reason} ${place}` })
}

interface Remedy {
  /** The value to set, with placeholders for secrets. */
  readonly right: string
  readonly means: string
  /** Whether the advice also applies if the setting is already written correctly. */
  readonly isOfValue: boolean
}

function otherWay(way: ProbeCredential): Remedy {
  const right = way.scheme === 'header' ? `header:${way.name}:VALUE` : `${way.scheme}:TOKEN`
  const means =
    'The same secret is accepted when it is sent another way: put it in place of the last word.'
  return { right, means, isOfValue: true }
}

function remedyOf({ status, challenge }: ProbeAnswer, set: string): Remedy {
  const wanted = schemeAskedFor(challenge)
  if (wanted !== undefined) {
    const means = `No calendar can be served. What answers asks for ${wanted}: put in what its vendor gave out.`
    return { right: wanted, means, isOfValue: false }
  }
  const right = set === 'none' ? 'bearer:TOKEN' : set
  if (status === 403) {
    const means =
      'No calendar can be served: the credential is refused or does not open the lists; it needs the right to read them.'
    return { right, means, isOfValue: true }
  }
  const means =
    'No calendar can be served. Put in what the vendor of the Read API gave out, as bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE.'
  return { right, means, isOfValue: false }
}

/** Returns the scheme that a challenge names (RFC 9110 section 11.6.1). */
function schemeAskedFor(challenge: string): string | undefined {
  if (/\bbearer\b/i.test(challenge)) return 'bearer:TOKEN'
  return /\bbasic\b/i.test(challenge) ? 'basic:USER:PASSWORD' : undefined
}

const headerNames = ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Authorization']
/** Other ways to send the same secret; never in an address, since others log addresses. */
const otherWays: readonly ProbeCredential[] = [
  { scheme: 'bearer' },
  ...headerNames.map((name) => ({ scheme: 'header', name }) as const),
]

async function findAcceptedWay(inquiry: Inquiry): Promise<ProbeCredential | undefined> {
  const { credential: set } = inquiry.probe
  if (set === 'none' || set.startsWith('basic')) return undefined
  let entered: ProbeCredential | undefined
  for (const way of otherWays) {
    const outcome = await ask(inquiry, { path: 'schedules', credential: way })
    if (recordsOf(outcome)) return way
    // A request denied without the credential and not found with it was accepted: only the address is still wrong.
    if (succeeded(outcome) && outcome.status === 404) entered ??= way
  }
  return entered
}

import {
  type ProbeAnswer,
  type ProbeCredential,
  type Finding,
  findingOf,
} from '../../domain/examination.ts'
import {
  type ProbeOutcome,
  succeeded,
  recordsOf,
  ask,
  type Inquiry,
  type Advise,
} from '../advice.ts'
import type { FirstAnswer } from './reach.ts'

export interface CredentialFacts {
  /** The credential as it is set, secrets as placeholders. */
  readonly set: string
  /** The answer that denies entry; undefined where none does. */
  readonly denial: ProbeAnswer | undefined
  /** Another way to send the same secret by which the Read API lets in; undefined where none was found or looked for. */
  readonly acceptedWay: ProbeCredential | undefined
}

/**
 * `sent_wrongly`: the same secret is accepted another way; `asked_for`: the answer names a scheme; `not_entitled`: it is
 * known but does not open the lists; `unknown`: nothing shows what is wanted.
 */
export type CredentialVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly state: 'sent_wrongly' | 'asked_for' | 'not_entitled' | 'unknown'
      /** That denies entry. */
      readonly status: number
      /** What to set, secrets as placeholders. */
      readonly right: string
    }

/** Whether what is set lets in and, if not, what may. */
export function judgeCredential({ set, denial, acceptedWay }: CredentialFacts): CredentialVerdict {
  if (!denial) return { ok: true }
  const { status } = denial
  if (acceptedWay) {
    return { ok: false, state: 'sent_wrongly', status, right: settingOf(acceptedWay) }
  }
  const wanted = schemeAskedFor(denial)
  if (wanted !== null) return { ok: false, state: 'asked_for', status, right: wanted }
  const state = status === 403 ? 'not_entitled' : 'unknown'
  return { ok: false, state, status, right: set === 'none' ? 'bearer:TOKEN' : set }
}

/** The answer that denies entry where no list came all the same. */
function findDenial(outcomes: readonly ProbeOutcome[]): ProbeAnswer | undefined {
  const replies = outcomes.filter(succeeded)
  if (replies.some(({ records }) => records !== null)) return undefined
  return replies.find(({ status }) => status === 401 || status === 403)
}

function settingOf(way: ProbeCredential): string {
  return way.scheme === 'header' ? `header:${way.name}:VALUE` : `${way.scheme}:TOKEN`
}

/** RFC 9110 section 11.6.1; null where the answer does not say. */
function schemeAskedFor({ challenge }: ProbeAnswer): string | null {
  if (/\bbearer\b/i.test(challenge)) return 'bearer:TOKEN'
  return /\bbasic\b/i.test(challenge) ? 'basic:USER:PASSWORD' : null
}

/** Other ways in which the same secret may be meant. None puts it into an address, which is logged by others. */
const otherWays: readonly ProbeCredential[] = [
  { scheme: 'bearer' },
  ...['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Authorization'].map((name) => ({
    scheme: 'header' as const,
    name,
  })),
]

/** Whether the first lists were denied and, if so and a person wants to know, the way in which the secret is accepted. */
export async function askCredential(
  inquiry: Inquiry,
  answers: readonly FirstAnswer[],
): Promise<CredentialFacts> {
  const { credential: set } = inquiry.probe
  const denial = findDenial(answers.map(({ outcome }) => outcome))
  const isLookedFor = inquiry.guesses && denial !== undefined
  return { set, denial, acceptedWay: isLookedFor ? await findAcceptedWay(inquiry) : undefined }
}

async function findAcceptedWay(inquiry: Inquiry): Promise<ProbeCredential | undefined> {
  const { credential: set } = inquiry.probe
  if (set === 'none' || set.startsWith('basic')) return undefined
  let entered: ProbeCredential | undefined
  for (const way of otherWays) {
    const outcome = await ask(inquiry, { path: 'schedules', credential: way })
    if (recordsOf(outcome)) return way
    // What is denied to others and not found with it has been let in: only the address is still wrong.
    if (succeeded(outcome) && outcome.status === 404) entered ??= way
  }
  return entered
}

type WrongCredential = Extract<CredentialVerdict, { readonly ok: false }>

const check = 'credentials'

interface SetCredential {
  /** Secrets as placeholders. */
  readonly set: string
  /** In which it stands; null where it stands in the settings themselves. */
  readonly file: string | null
}

/** Says whether the credential that is set lets in. No setting is advised that is set so already, or would stand beside the file. */
export function sayCredential(
  verdict: CredentialVerdict,
  { set, file }: SetCredential,
  advise: Advise,
): Finding {
  if (verdict.ok) {
    const seen = `The Read API answers with what is set (${set}).`
    return findingOf({ check, level: 'ok', seen, means: 'The credential is right.', set: null })
  }
  const seen = `What is set (${set}) is answered with ${verdict.status}.`
  const { right } = verdict
  if (file === null && right !== set) {
    const means = meansOf(verdict)
    return findingOf({ check, level: 'wrong', seen, means, set: advise('auth', right) })
  }
  const means = `${meansOfValue(verdict)} ${placeOf(file, right)}`
  return findingOf({ check, level: 'wrong', seen, means, set: null })
}

/** Of one that is written as it should be, or in a file, where no setting mends it. */
function meansOfValue(verdict: WrongCredential): string {
  const isTold = verdict.state === 'not_entitled' || verdict.state === 'sent_wrongly'
  return isTold ? meansOf(verdict) : 'No calendar can be served: the credential is refused.'
}

function placeOf(file: string | null, right: string): string {
  if (file === null) return 'Put the right credential in place of the one that is set.'
  return `Put the right credential into ${file}, written as ${right}.`
}

function meansOf({ state, right }: WrongCredential): string {
  const sentences: Readonly<Record<WrongCredential['state'], string>> = {
    sent_wrongly:
      'The same secret is accepted when it is sent another way: put it in place of the last word.',
    asked_for: `No calendar can be served. What answers asks for ${right}: put in what its vendor gave out.`,
    not_entitled:
      'No calendar can be served: the credential is refused or does not open the lists; it needs the right to read them.',
    unknown:
      'No calendar can be served. Put in what the vendor of the Read API gave out, as bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE.',
  }
  return sentences[state]
}

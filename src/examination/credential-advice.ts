import type { ProbeAnswer, ProbeCredential } from '../domain/examination.ts'
import { ask, type Examining, recordsOf } from './examining.ts'

interface CredentialAdvice {
  /** Of the setting, secrets as placeholders. */
  readonly value: string
  readonly means: string
}

/** Other ways in which the same secret may be meant. None puts it into an address, which is logged by others. */
const otherWays: readonly ProbeCredential[] = [
  { scheme: 'bearer' },
  ...['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Authorization'].map((name) => ({
    scheme: 'header' as const,
    name,
  })),
]

/** How the Read API that answered `denied` may want its credential. */
export async function adviseCredential(
  examining: Examining,
  denied: ProbeAnswer,
): Promise<CredentialAdvice> {
  const accepted = await findAcceptedWay(examining)
  if (accepted) {
    const means =
      'The same secret is accepted when it is sent another way: put it in place of the last word.'
    return { value: accepted, means }
  }
  return guess(examining.probe.credential, denied)
}

async function findAcceptedWay(examining: Examining): Promise<string | undefined> {
  const { credential } = examining.probe
  if (credential === 'none' || credential.startsWith('basic')) return undefined
  for (const way of otherWays) {
    const answer = await ask(examining, { path: 'schedules', credential: way })
    if (recordsOf(answer)) return settingOf(way)
  }
  return undefined
}

function settingOf(way: ProbeCredential): string {
  return way.scheme === 'header' ? `header:${way.name}:VALUE` : `${way.scheme}:TOKEN`
}

function guess(set: string, { status, challenge }: ProbeAnswer): CredentialAdvice {
  const asked = schemeAskedFor(challenge)
  if (asked) {
    const means = `No calendar can be served; the Read API asks for ${asked}: put in what its vendor gave out.`
    return { value: asked, means }
  }
  const value = set === 'none' ? 'bearer:TOKEN' : set
  const means =
    status === 403
      ? 'No calendar can be served: the credential is known but does not open the lists; it needs the right to read them.'
      : 'No calendar can be served; put in what the vendor of the Read API gave out, as bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE.'
  return { value, means }
}

/** RFC 9110 section 11.6.1; null where the answer does not say. */
function schemeAskedFor(challenge: string): string | null {
  if (/\bbearer\b/i.test(challenge)) return 'bearer:TOKEN'
  return /\bbasic\b/i.test(challenge) ? 'basic:USER:PASSWORD' : null
}

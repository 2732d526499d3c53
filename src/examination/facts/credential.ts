import type { ProbeCredential } from '../../domain/examination.ts'
import { type CredentialFacts, findDenial } from '../verdicts/credential.ts'
import { type ProbeOutcome, recordsOf } from '../verdicts/outcomes.ts'
import { ask, type Inquiry } from './inquiry.ts'

/** Other ways in which the same secret may be meant. None puts it into an address, which is logged by others. */
const otherWays: readonly ProbeCredential[] = [
  { scheme: 'bearer' },
  ...['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'Authorization'].map((name) => ({
    scheme: 'header' as const,
    name,
  })),
]

/** Whether the first lists were denied and, if so, the way in which the secret is accepted. */
export async function askCredential(
  inquiry: Inquiry,
  outcomes: readonly ProbeOutcome[],
): Promise<CredentialFacts> {
  const { credential: set } = inquiry.probe
  const denial = findDenial(outcomes)
  return { set, denial, acceptedWay: denial && (await findAcceptedWay(inquiry)) }
}

async function findAcceptedWay(inquiry: Inquiry): Promise<ProbeCredential | undefined> {
  const { credential: set } = inquiry.probe
  if (set === 'none' || set.startsWith('basic')) return undefined
  for (const way of otherWays) {
    if (recordsOf(await ask(inquiry, { path: 'schedules', credential: way }))) return way
  }
  return undefined
}

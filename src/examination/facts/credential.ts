import type { ProbeCredential } from '../../domain/examination.ts'
import { type CredentialFacts, findDenial } from '../verdicts/credential.ts'
import { recordsOf } from '../verdicts/outcomes.ts'
import type { FirstAnswer } from '../verdicts/reach.ts'
import { ask, type Inquiry } from './inquiry.ts'

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
  for (const way of otherWays) {
    if (recordsOf(await ask(inquiry, { path: 'schedules', credential: way }))) return way
  }
  return undefined
}

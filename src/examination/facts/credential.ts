import type { ProbeCredential } from '../../domain/examination.ts'
import { type CredentialFacts, findDenial } from '../verdicts/credential.ts'
import { recordsOf, succeeded } from '../verdicts/outcomes.ts'
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
  let entered: ProbeCredential | undefined
  for (const way of otherWays) {
    const outcome = await ask(inquiry, { path: 'schedules', credential: way })
    if (recordsOf(outcome)) return way
    // What is denied to others and not found with it has been let in: only the address is still wrong.
    if (succeeded(outcome) && outcome.status === 404) entered ??= way
  }
  return entered
}

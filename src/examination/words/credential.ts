import { type Finding, findingOf } from '../../domain/examination.ts'
import type { CredentialVerdict } from '../verdicts/credential.ts'
import type { Advise } from './setting-advice.ts'

type WrongCredential = Extract<CredentialVerdict, { readonly ok: false }>

const check = 'credentials'

/** Says whether the credential that is set lets in; `set` is it, secrets as placeholders. */
export function sayCredential(verdict: CredentialVerdict, set: string, advise: Advise): Finding {
  if (verdict.ok) {
    const seen = `The Read API answers with what is set (${set}).`
    return findingOf({ check, level: 'ok', seen, means: 'The credential is right.', set: null })
  }
  const seen = `What is set (${set}) is answered with ${verdict.status}.`
  const advice = advise('auth', verdict.right)
  return findingOf({ check, level: 'wrong', seen, means: meansOf(verdict), set: advice })
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

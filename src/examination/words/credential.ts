import type { Finding } from '../../domain/examination.ts'
import type { CredentialVerdict } from '../verdicts/credential.ts'
import type { Advise } from './setting-advice.ts'

type WrongCredential = Extract<CredentialVerdict, { readonly ok: false }>

const check = 'credentials'

/** Says whether the credential that is set lets in; `set` is it, secrets as placeholders. */
export function sayCredential(verdict: CredentialVerdict, set: string, advise: Advise): Finding {
  if (verdict.ok) {
    const seen = `The Read API answers with what is set (${set}).`
    return { check, ok: true, seen, means: 'The credential is right.', set: null }
  }
  const seen = `The Read API answers ${verdict.status} to what is set (${set}).`
  return { check, ok: false, seen, means: meansOf(verdict), set: advise('auth', verdict.right) }
}

function meansOf({ state, right }: WrongCredential): string {
  const sentences: Readonly<Record<WrongCredential['state'], string>> = {
    sent_wrongly:
      'The same secret is accepted when it is sent another way: put it in place of the last word.',
    asked_for: `No calendar can be served; the Read API asks for ${right}: put in what its vendor gave out.`,
    not_entitled:
      'No calendar can be served: the credential is known but does not open the lists; it needs the right to read them.',
    unknown:
      'No calendar can be served; put in what the vendor of the Read API gave out, as bearer:TOKEN, basic:USER:PASSWORD, header:NAME:VALUE or query:NAME:VALUE.',
  }
  return sentences[state]
}

import { type Finding, findingOf } from '../../domain/examination.ts'
import type { CredentialVerdict } from '../verdicts/credential.ts'
import type { Advise } from './setting-advice.ts'

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

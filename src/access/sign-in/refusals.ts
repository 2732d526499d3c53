import { AppError, type ErrorCode } from '../../domain/errors.ts'

/** Why nobody is signed in, and what that is to programs. */
const codes = {
  unknown_mail: 'forbidden',
  mail_of_several: 'forbidden',
  unverified_mail: 'forbidden',
  no_mail: 'forbidden',
  no_id: 'forbidden',
  unknown_id: 'forbidden',
  id_of_several: 'forbidden',
  has_left: 'forbidden',
  groups_left_out: 'forbidden',
  not_begun_here: 'invalid',
  cancelled: 'forbidden',
  code_refused: 'invalid',
  answer_wrong: 'invalid',
  provider_away: 'upstream_unavailable',
  provider_wrong: 'upstream_invalid',
  set_up_wrong: 'upstream_rejected',
} as const satisfies Record<string, ErrorCode>

export type SignInRefusal = keyof typeof codes

const retryAfterMs = 30_000

interface RefusalDetails {
  /** What went wrong by the standard's, the library's or the system's name; no secret. */
  readonly what?: string | undefined
  /** What IT has to mend, as a sentence. */
  readonly mend?: string | undefined
  readonly cause?: unknown
}

/** A sign-in that has come to nothing. */
export class SignInRefused extends AppError {
  readonly reason: SignInRefusal
  readonly what: string | undefined
  readonly mend: string | undefined

  constructor(reason: SignInRefusal, { what, mend, cause }: RefusalDetails = {}) {
    const isPassing = reason === 'provider_away' || reason === 'provider_wrong'
    super(codes[reason], 'Nobody is signed in.', { cause, ...(isPassing ? { retryAfterMs } : {}) })
    this.reason = reason
    this.what = what
    this.mend = mend
  }
}

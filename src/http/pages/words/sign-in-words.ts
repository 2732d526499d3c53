import type { SignInRefusal } from '../../../access/sign-in/refusals.ts'
import type { Role } from '../../../domain/access/staff.ts'
import type { ErrorWords } from './words.ts'

/** Of signing in and out. */
export interface SignInWords {
  readonly title: string
  readonly again: string
  readonly signOut: string
  readonly refusals: Readonly<Record<SignInRefusal, ErrorWords>>
  /** Where several companies know who signs in; a button names each. */
  readonly company: { readonly heading: string; readonly text: string }
  readonly staff: StaffWords
}

/** Of the page on which staff arrive. */
export interface StaffWords {
  readonly heading: string
  /** Who is signed in, by which role. */
  signedIn(who: string, role: Role): string
  readonly documentation: string
  readonly ownCalendar: string
}

/** Why a letter is sent: a first link, one in place of another, one for who has not subscribed, or one that was lost. */
export type LetterKind = 'invitation' | 'renewed' | 'reminder' | 'lost'

/** What letters say in one language; plain text, escaped where it is written. */
export interface LetterWords {
  readonly subjects: Readonly<Record<LetterKind, string>>
  /** Without a name where none is known. */
  greeting(firstName: string): string
  /** What it is, of the calendar of that name. */
  readonly intros: Readonly<Record<LetterKind, (calendar: string) => string>>
  readonly oldHasEnded: string
  oldEndsOn(date: string): string
  readonly page: string
  readonly steps: readonly [string, string, string]
  readonly secret: string
  readonly unasked: Readonly<Record<LetterKind, string>>
}

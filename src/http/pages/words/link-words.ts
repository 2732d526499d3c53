import type { Locale } from '../../../domain/feed.ts'
import type { ErrorWords } from './words.ts'

/** What the page says of all that the holder of a link may change of it. */
export interface LinkWords {
  readonly locale: string
  readonly reminder: string
  readonly reminderHint: string
  readonly noReminder: string
  /** Of whole minutes, hours or days before. */
  readonly before: (minutes: number) => string
  /** Beside a choice that would switch everything off. */
  readonly nothingShown: string
  /** Beside a button that was pressed without the box being ticked. */
  readonly unconfirmed: string
  /** Beside a button that was pressed without a connection. */
  readonly notSent: string
  readonly heading: string
  /** How to come by another: from HR, or where people sign in, on their own page. */
  readonly another: { readonly fromHr: string; readonly bySignIn: string }
  /** At the foot of a page whose reader can take a new address. */
  readonly secret: string
  readonly replace: GivingUpWords
  readonly end: GivingUpWords
  readonly replaced: ReplacedWords
  readonly ended: EndedWords
}

/** A form that ends the link, behind a line that says what for. */
export interface GivingUpWords {
  readonly summary: string
  readonly text: string
  readonly confirm: string
  readonly action: string
}

/** Of the page that shows the new address. */
export interface ReplacedWords extends Omit<ErrorWords, 'hint'> {
  readonly keep: string
  readonly page: string
  readonly remove: string
  /** What becomes of what had been chosen for the old one. */
  readonly choices: string
  readonly secret: string
}

/** Of the page that says what comes after an end. */
export interface EndedWords extends ErrorWords {
  readonly programs: readonly string[]
}

/** The languages, each by its own name. */
export const localeNames: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch' }

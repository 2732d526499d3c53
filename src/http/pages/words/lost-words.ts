import type { Notice } from './words.ts'

/** Of the form for a link that was lost, and of what it is answered with. */
export interface LostLinkWords {
  /** In place of the advice to ask HR. */
  readonly text: string
  readonly label: string
  readonly action: string
  readonly answer: Notice & { readonly hint: string; readonly back: string }
}

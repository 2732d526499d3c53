import type { Notice } from './words.ts'

/** Of the page at `/`. */
export interface FrontWords {
  readonly title: string
  readonly heading: string
  readonly what: string
  readonly forWhom: string
  readonly signIn: Notice & { readonly link: string }
  readonly lost: Notice & {
    /** Where people can sign in. */
    readonly bySignIn: string
  }
  readonly documentation: Notice & { readonly link: string }
  readonly sample: Notice & { readonly link: string }
}

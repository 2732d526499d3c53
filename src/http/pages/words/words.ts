import type { SignInRefusal } from '../../../access/sign-in/provider.ts'
import type { Locale } from '../../../domain/feed.ts'
import type { FormFault } from '../../../feeds/self-service/own-calendar.ts'
import { deFeed } from './de-feed.ts'
import deSite from './de-site.json' with { type: 'json' }
import { enFeed, type Notice } from './en-feed.ts'
import enSite from './en-site.json' with { type: 'json' }

type ErrorWords = Notice & { readonly hint: string }

/** The sentences of all pages but a link's; a value goes where its name stands in braces: see `fill`. */
type SiteWords = typeof enSite & {
  readonly signIn: { readonly refusals: Readonly<Record<SignInRefusal, ErrorWords>> }
  readonly me: { readonly faults: Readonly<Record<FormFault, string>> }
}

/** All texts of the pages in one language; plain text, escaped where it is written. */
export type PageWords = typeof enFeed & SiteWords

export const pageLanguages: Readonly<Record<Locale, PageWords>> = {
  en: { ...enFeed, ...enSite },
  de: { ...deFeed, ...deSite },
}

/** The sentence with the values in place of their names in braces. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name)
}

/** What keeps a page from being shown. */
export type PageError = keyof PageWords['errors']

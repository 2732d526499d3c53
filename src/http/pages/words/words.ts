import type { SignInRefusal } from '../../../access/sign-in/provider.ts'
import type { Locale } from '../../../domain/feed.ts'
import type { FormFault } from '../../../feeds/self-service/own-calendar.ts'
import { deAccount } from './de-account.ts'
import { deFeed } from './de-feed.ts'
import { deMissing } from './de-missing.ts'
import deSite from './de-site.json' with { type: 'json' }
import { enAccount } from './en-account.ts'
import { enFeed, type Notice } from './en-feed.ts'
import { enMissing } from './en-missing.ts'
import enSite from './en-site.json' with { type: 'json' }

type ErrorWords = Notice & { readonly hint: string }

/** Texts of all pages except a link's. Names in braces are placeholders for `fill`. */
type SiteWords = typeof enSite & {
  readonly signIn: { readonly refusals: Readonly<Record<SignInRefusal, ErrorWords>> }
  readonly me: { readonly faults: Readonly<Record<FormFault, string>> }
}

/** All page texts in one language, as plain text; templates escape them. */
export type PageWords = typeof enFeed &
  SiteWords & { readonly account: typeof enAccount; readonly missing: typeof enMissing }

export const pageLanguages: Readonly<Record<Locale, PageWords>> = {
  en: { ...enFeed, ...enSite, account: enAccount, missing: enMissing },
  de: { ...deFeed, ...deSite, account: deAccount, missing: deMissing },
}

/** Fills the placeholders, which are names in braces. */
export function fill(sentence: string, values: Readonly<Record<string, string>>): string {
  return sentence.replaceAll(/\{(\w+)\}/g, (name, key: string) => values[key] ?? name)
}

/** Reasons why a page cannot be shown. */
export type PageError = keyof PageWords['errors']

import type { OpenLink } from '../../publishing/open-link.ts'
import type { HttpDeps } from '../http-deps.ts'
import type { PageWords } from './words/words.ts'

/** How the holder of a link comes by another: who can sign in makes one of their own calendar. */
export function sayAnother(
  { access }: Pick<HttpDeps, 'access'>,
  { feed }: Pick<OpenLink, 'feed'>,
  { link: { another } }: PageWords,
): string {
  return access.signIn && feed.audience === 'own' ? another.bySignIn : another.fromHr
}

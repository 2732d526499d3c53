import type { Request } from 'express'

import type { HttpDeps } from '../http-deps.ts'
import { basePath, type PageDeps } from './page-renderer.ts'
import { askedLanguage, languageQuery } from './preferred-language.ts'

export type WaysOnDeps = PageDeps & Pick<HttpDeps, 'access'>

/** Where whoever has come upon a message goes on: the own calendar, where people can sign in, and the front page. */
export function viewWaysOn({ access, publicUrl }: WaysOnDeps, request: Request): object {
  const [base, language] = [basePath(publicUrl), languageQuery('?', askedLanguage(request))]
  const own = access.signIn && `${base}/me${language}`
  return { waysOn: { own, front: `${base}/${language}` } }
}

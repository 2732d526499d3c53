import type { Request } from 'express'

import type { Feed } from '../../../domain/feed.ts'
import type { Instant } from '../../../domain/world.ts'
import { pageTimes } from '../page-times.ts'
import { preferredLanguage } from '../preferred-language.ts'
import { readerLocale, writtenAs } from '../reader-locale.ts'
import { pageLanguages } from '../words/languages.ts'

/** Why a person has no calendar, by what has become of theirs, and whether they may make one. */
export function viewEnded(ended: Feed | undefined, request: Request, now: Instant): object {
  const words = pageLanguages[preferredLanguage(request)]
  const { empty } = words.me
  if (!ended) return { why: empty.text, mayMake: true }
  const mayMake = false
  if (ended.revokedAt === null) return { why: empty.closed, mayMake }
  const language = writtenAs(readerLocale(request, words.language).tag)
  const day = pageTimes(now, ended.timezone, language).date(ended.revokedAt)
  return { why: empty.revoked(day), mayMake }
}

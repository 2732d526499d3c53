import type { Company } from '../domain/company.ts'
import type { Feed } from '../domain/feed.ts'
import { type CollectionKind, collectionKinds } from '../domain/kinds.ts'
import type { CollectionRequest } from './kinds/kind.ts'
import { kinds } from './kinds/kinds.ts'

/** Everything of the Read API that the shown feed is made of. */
export function feedRequests(feed: Feed, company: Company): readonly CollectionRequest[] {
  return collectionKinds.flatMap((kind) => requestsOf(kind, feed, company))
}

function requestsOf(
  kind: CollectionKind,
  feed: Feed,
  company: Company,
): readonly CollectionRequest[] {
  const { neededBy, ...of } = kinds[kind]
  if (neededBy.length > 0 && !neededBy.some((shown) => feed.options[shown].show)) return []
  const scope = of.scopeOf(feed.options)
  const subjects = new Set(of.subjectsOf(feed, company))
  return [...subjects].map((subject) => ({ collection: { kind, subject }, scope }))
}

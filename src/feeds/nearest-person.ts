import type { FeedStore } from '../domain/feed.ts'
import { likelyMeant } from '../domain/nearest.ts'
import type { PeopleFinder } from '../domain/person.ts'

/** Whoever mistypes an id mostly has its beginning right: of those that begin alike so many are compared. */
const comparedMax = 100

/** By whom somebody is found whose id is nearly the one that was given. */
export interface NearestPersonDeps {
  readonly feeds: Pick<FeedStore, 'listFeeds'>
  readonly peopleFinder: Pick<PeopleFinder, 'findPeople' | 'listAlike' | 'listPeopleAfter'>
}

/** Says that nobody is known by the id in any of the companies, and whose is like it; undefined where somebody is. */
export async function sayNobody(
  deps: NearestPersonDeps,
  userId: string,
  companyIds: readonly string[],
): Promise<string | undefined> {
  const { feeds, peopleFinder } = deps
  const known = await Promise.all(companyIds.map((id) => peopleFinder.findPeople(id, [userId])))
  if (known.flat().length > 0) return undefined
  if ((await feeds.listFeeds({ userIds: [userId], limit: 1 })).length > 0) return undefined
  return `Nobody is known by the id "${userId}"${didYouMean(await nearestPerson(deps, userId, companyIds))}`
}

/** The end of a sentence about somebody who is not known. */
export function didYouMean(userId: string | undefined): string {
  return userId === undefined ? '.' : `; did you mean \`${userId}\`?`
}

/** The known id in these companies that is so like that one that it is likely what was meant; undefined where none is. */
export async function nearestPerson(
  { feeds, peopleFinder: people }: NearestPersonDeps,
  userId: string,
  companyIds: readonly string[],
): Promise<string | undefined> {
  const begin = userId.slice(0, Math.ceil(userId.length / 2))
  const near = await Promise.all(companyIds.map((id) => listNear(people, id, { userId, begin })))
  const companyId = companyIds.length === 1 ? companyIds[0] : undefined
  const inFeeds = await feeds.listFeeds({ companyId, search: begin, limit: comparedMax })
  const members = inFeeds.flatMap(({ userIds }) => userIds.filter((id) => id.startsWith(begin)))
  const others = [...near.flat(), ...members.slice(0, comparedMax)].filter((id) => id !== userId)
  return likelyMeant(userId, others)
}

async function listNear(
  people: NearestPersonDeps['peopleFinder'],
  companyId: string,
  { userId, begin }: { readonly userId: string; readonly begin: string },
): Promise<readonly string[]> {
  const alike = await people.listAlike(companyId, userId, comparedMax)
  const after = await people.listPeopleAfter(companyId, begin, comparedMax)
  return [...alike, ...after]
}

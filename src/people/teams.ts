/*
 * Feeds of teams follow the people directory: the members are written into the feed, so that everything else works as in any
 * feed of several people. They follow from the directory alone, whichever node reads it.
 */
import type { DepartureShare } from '../domain/departure.ts'
import { peopleMax } from '../domain/feed-options.ts'
import { isTooLargeByDefaults, peopleMaxOf } from '../domain/feed-size.ts'
import type { FeedStore } from '../domain/feed-store.ts'
import type { Feed, Team } from '../domain/feed.ts'
import type { LostManagers, ManagerChange, WithoutManager } from '../domain/person.ts'
import type { ListedManager, ManagersQuery, TeamPerson } from '../domain/team.ts'
import { dayMs } from '../domain/world.ts'
import { areTooManyLeaving } from './leaving-share.ts'
import type { PeopleDeps } from './people-deps.ts'

type MembersDeps = Pick<PeopleDeps, 'teams'>

type TeamsDeps = Pick<PeopleDeps, 'teams' | 'log'> & {
  readonly feeds: Pick<FeedStore, 'changeFeed'>
}

/** Everybody in the team now, in the order of ids. */
export async function listMembers(
  { teams }: MembersDeps,
  companyId: string,
  team: Team,
): Promise<readonly string[]> {
  return teams.listMembers(companyId, team, [...keptOf(await teams.findLostManagers(companyId))])
}

/** Everybody in the team now, by name; undefined if they are more than that. */
export async function describeTeam(
  { teams }: MembersDeps,
  companyId: string,
  team: Team,
  most: number,
): Promise<readonly TeamPerson[] | undefined> {
  const kept = keptOf(await teams.findLostManagers(companyId))
  const members = await teams.describeMembers(companyId, team, [...kept], most + 1)
  return members.length > most ? undefined : members
}

/** A page of the managers of people who have not left. */
export async function listManagers(
  { teams }: MembersDeps,
  companyId: string,
  query: ManagersQuery,
): Promise<readonly ListedManager[]> {
  const kept = keptOf(await teams.findLostManagers(companyId))
  return teams.listManagers(companyId, query, [...kept])
}

/** Updates the feeds of teams that the person was or is in; `change` is what a reading said of their manager. */
export async function followReading(
  deps: TeamsDeps,
  companyId: string,
  change: ManagerChange,
): Promise<void> {
  const { userId, before, after } = change
  const named = [before, after].flatMap(({ managerId }) => (managerId === null ? [] : [managerId]))
  await followTeams(deps, companyId, [userId, ...named, ...othersOf(change)])
}

/** Updates the feeds of teams that any of these people manages or is in, at any depth. */
export async function followTeams(
  deps: TeamsDeps,
  companyId: string,
  userIds: readonly string[],
): Promise<void> {
  for (const id of await deps.teams.listFeedsAbove(companyId, userIds)) await followTeam(deps, id)
}

/** Updates all feeds of teams. */
export async function followAllTeams(deps: TeamsDeps, companyId: string): Promise<void> {
  for (const id of await deps.teams.listTeamFeeds(companyId)) await followTeam(deps, id)
}

/** Updates one feed if it is of a team. */
export async function followTeam(deps: TeamsDeps, feedId: string): Promise<void> {
  const last = { joined: 0, left: 0 }
  const follow = async (feed: Feed): Promise<Feed | null> => {
    Object.assign(last, { joined: 0, left: 0 })
    const { team, companyId, closedAt, revokedAt } = feed
    if (!team || closedAt !== null || revokedAt !== null) return null
    const members = await listMembers(deps, companyId, team)
    const userIds = members.slice(0, shownMaxOf(feed))
    last.joined = new Set(userIds).difference(new Set(feed.userIds)).size
    last.left = new Set(feed.userIds).difference(new Set(userIds)).size
    return last.joined + last.left > 0 ? { ...feed, userIds } : null
  }
  // Members read before the last change may be older than what another node has written: read them once more.
  do {
    await deps.feeds.changeFeed(feedId, follow)
    if (last.joined + last.left > 0) deps.log.info({ feed: feedId, ...last }, 'team_followed')
  } while (last.joined + last.left > 0)
}

/** How many lost their manager together with too many others; null if nobody did. */
export async function managersHeldBack(
  { teams }: MembersDeps,
  companyId: string,
): Promise<DepartureShare | null> {
  const { size: leaving } = keptOf(await teams.findLostManagers(companyId))
  return leaving === 0 ? null : { people: await teams.countReporting(companyId), leaving }
}

/** What readers of a team's calendar should know. */
export type TeamCondition =
  /** The directory does not know the manager, or they have left. */
  | { readonly about: 'team_manager_unknown' | 'team_manager_left' }
  | { readonly about: 'team_empty' }
  /** Only the first `shown` of `members` are shown. */
  | { readonly about: 'team_too_large'; readonly members: number; readonly shown: number }

/** Most serious first; empty for a feed without a team. */
export async function teamConditions(
  deps: MembersDeps,
  feed: Feed,
): Promise<readonly TeamCondition[]> {
  const { companyId, team } = feed
  if (!team) return []
  const { managerId } = team
  const members = (await listMembers(deps, companyId, team)).length
  const shown = shownMaxOf(feed)
  const manager = await deps.teams.findManagerState(companyId, managerId)
  return [
    ...(manager === 'unknown' ? [{ about: 'team_manager_unknown' } as const] : []),
    ...(manager === 'left' ? [{ about: 'team_manager_left' } as const] : []),
    ...(members === 0 ? [{ about: 'team_empty' } as const] : []),
    ...(members > shown ? [{ about: 'team_too_large', members, shown } as const] : []),
  ]
}

/** While the company's defaults keep a calendar from being served, nobody is taken out of it whom clients may still see. */
function shownMaxOf(feed: Feed): number {
  return feed.leavesShown && isTooLargeByDefaults(feed) ? peopleMax : peopleMaxOf(feed.options)
}

/**
 * People who lost their manager within a day together with too many others of the company, or with most of their team: more
 * likely a fault of the Read API, so they stay in their teams until a week has confirmed it.
 */
function keptOf({ people, reporting }: LostManagers): ReadonlySet<string> {
  if (people.length < 2) return new Set()
  const ofTeams = Map.groupBy(people, ({ managerId }) => managerId).values()
  return new Set([
    ...lostTogether(people, (count) => areTooManyLosing(reporting, count)),
    ...ofTeams.flatMap((ofTeam) =>
      lostTogether(ofTeam, (count) => count > (ofTeam[0]?.reporting ?? 0) / 2),
    ),
  ])
}

/** Those who lost their manager within a day together with too many others. */
function lostTogether(
  missing: readonly WithoutManager[],
  areTooMany: (count: number) => boolean,
): ReadonlySet<string> {
  const inOrder = missing.toSorted((a, b) => a.since - b.since)
  const found = new Set<string>()
  let end = 0
  for (const [start, { since }] of inOrder.entries()) {
    while (end < inOrder.length && (inOrder[end]?.since ?? since) - since < dayMs) end += 1
    const count = end - start
    if (count < 2 || !areTooMany(count)) continue
    for (const { userId } of inOrder.slice(start, end)) found.add(userId)
  }
  return found
}

function areTooManyLosing(people: number, leaving: number): boolean {
  const inFeeds = { people: 0, leaving: 0 }
  return areTooManyLeaving({ known: { people, leaving }, wereHere: leaving, heldBack: 0, inFeeds })
}

/**
 * The managers of people who enter or leave their team because one person more or less has lost their manager, or reports to
 * anybody.
 */
function othersOf({ userId, before, after, lost }: ManagerChange): readonly string[] {
  const { managerId, managerMissingSince: since } = after
  // How many have left one team matters to that team alone, which is updated in any case.
  const isWithout =
    managerId !== null && since !== null ? [{ userId, managerId, since, reporting: Infinity }] : []
  const people = [...lost.people.filter((it) => it.userId !== userId), ...isWithout]
  const reporting = lost.reporting + Number(managerId !== null) - Number(before.managerId !== null)
  const changed = keptOf(lost).symmetricDifference(keptOf({ people, reporting }))
  return people.flatMap((it) => (changed.has(it.userId) ? [it.managerId] : []))
}

import { peopleMax } from '../domain/feed-options.ts'
import type { Feed, Team } from '../domain/feed.ts'
import type { User } from '../domain/user.ts'
import { listMembers, type TeamCondition, teamConditions } from '../people/teams.ts'
import type { CompanyLookup } from './company-lookup.ts'
import type { FeedsDeps } from './deps.ts'
import type { FeedPatch } from './feed-input.ts'
import { invalidFeed } from './link-replacement.ts'

/** The directory fills in the background: a request waits for the first search, but not for long. */
const firstSearchMs = 10_000
const pointer = '/team/managerId'

/** A team with its present members, and its manager if they are known. */
export interface SettledTeam {
  readonly userIds: readonly string[]
  readonly manager: readonly User[]
  readonly warnings: readonly string[]
}

/** `invalid` for a manager that the Read API does not know, and for a team that is too large for a calendar. */
export async function settleTeam(
  { teams, people, directory }: Pick<FeedsDeps, 'teams' | 'people' | 'directory'>,
  lookup: CompanyLookup,
  team: Team,
): Promise<SettledTeam> {
  const { managerId } = team
  const { id: companyId } = lookup.connection.company
  const known = await lookup.findUsersToShow([managerId], [], () => pointer)
  await directory.untilSeen(companyId, AbortSignal.timeout(firstSearchMs))
  const userIds = await listMembers({ teams }, companyId, team)
  if (userIds.length > peopleMax) {
    const detail = `Must have at most ${peopleMax} members: ${userIds.length} people report to "${managerId}"${depthWords[team.depth]}.`
    throw invalidFeed('/team', detail)
  }
  const person = await people.findPerson(companyId, managerId)
  const { firstName = null } = person ?? {}
  const manager = known.users.length > 0 ? known.users : [{ id: managerId, firstName }]
  return { userIds, manager, warnings: known.warnings }
}

const depthWords: Readonly<Record<Team['depth'], string>> = { direct: '', all: ' at any depth' }

/** A sentence for each condition; none for a feed without a team. */
export async function teamWarnings(
  deps: Pick<FeedsDeps, 'teams'>,
  feed: Feed,
): Promise<readonly string[]> {
  const { team } = feed
  if (!team) return []
  return (await teamConditions(deps, feed)).map((it) => sentenceOf(team, it))
}

function sentenceOf({ managerId, depth }: Team, it: TeamCondition): string {
  if (it.about === 'team_too_large') {
    return `${it.members} people report to "${managerId}": the calendar shows the first ${it.shown} by id.`
  }
  return {
    team_manager_unknown: `The people directory does not know the manager "${managerId}".`,
    team_manager_left: `The manager "${managerId}" has left; the calendar continues with everybody who still reports to them.`,
    team_empty: `Nobody in the people directory reports to "${managerId}"${depthWords[depth]}: the calendar is empty until somebody does.`,
  }[it.about]
}

/** `invalid` unless the input has exactly one of `userIds` and `team`. */
export async function refuseOtherThanOne({
  userIds,
  team,
}: Readonly<Record<string, unknown>>): Promise<void> {
  if (userIds === undefined && team == null) throw invalidFeed('/userIds', 'Is missing.')
  if (userIds === undefined || team == null) return
  throw invalidFeed(
    '/team',
    'Cannot be given together with userIds: a team follows the people directory.',
  )
}

/** What a merge patch makes of the team; `invalid` if it is incomplete, or the feed is of one person. */
export function patchedTeam(
  { team: before, audience }: Pick<Feed, 'team' | 'audience'>,
  patch: Exclude<FeedPatch['team'], undefined>,
): Team | null {
  if (patch === null) return null
  if (audience === 'own') {
    throw invalidFeed('/team', 'Cannot be set in a feed of audience own: create another feed.')
  }
  const { managerId = before?.managerId, depth = before?.depth } = patch
  if (managerId === undefined) throw invalidFeed(pointer, 'Is missing.')
  return { managerId, depth: depth ?? 'direct' }
}

/* The managers of a company and their teams. */
import { displayName } from '../../domain/user.ts'
import { readCursor, writeCursor } from '../../feeds/pages.ts'
import { placeSchema } from '../../feeds/people-listing.ts'
import { listManagers } from '../../people/teams.ts'
import { isolated } from '../../text/plain-text.ts'
import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, searchIn, sendConsole, type Visit } from './console.ts'
import { showTeamMonth } from './team-month.ts'
import { changeTeam, showTeam, teamPath } from './team-page.ts'

type Route =
  | 'GET /console/teams'
  | 'GET /console/teams/{managerId}'
  | 'POST /console/teams/{managerId}'
  | 'POST /console/teams/{managerId}/month'

const managersPerPage = 50

export function teamsHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/teams': (visit) => showTeams(deps, visit),
    'GET /console/teams/{managerId}': (visit) => showTeam(deps, visit),
    'POST /console/teams/{managerId}': (visit) => changeTeam(deps, visit),
    'POST /console/teams/{managerId}/month': (visit) => showTeamMonth(deps, visit),
  }
}

async function showTeams(deps: PageDeps, visit: Visit): Promise<void> {
  const { words, request, companyId } = visit
  const { cursor } = request.query
  const search = searchIn(visit)
  const place = typeof cursor === 'string' && cursor !== '' ? cursor : undefined
  const found = await listManagers(deps, companyId, {
    ...(search !== '' && { search }),
    after: place === undefined ? undefined : placeOf(place),
    limit: managersPerPage + 1,
  })
  const shown = found.slice(0, managersPerPage)
  const last = found.length > shown.length ? shown.at(-1) : undefined
  sendConsole(deps, visit, {
    template: 'teams',
    title: words.teams.title,
    place: 'teams',
    search,
    isLater: place !== undefined,
    nextCursor: last ? writeCursor([last.sortName, last.userId]) : null,
    rows: shown.map((manager) => ({
      name: isolated(displayName(manager) || manager.userId),
      path: teamPath(manager.userId),
      email: manager.email === null ? null : isolated(manager.email),
      reports: manager.reports.toLocaleString(visit.locale),
    })),
  })
}

function placeOf(cursor: string): { readonly sortName: string; readonly userId: string } {
  const [sortName, userId] = readCursor(placeSchema, cursor)
  return { sortName, userId }
}

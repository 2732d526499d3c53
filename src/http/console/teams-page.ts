import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/teams' | 'POST /console/teams'

export function teamsHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/teams': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.teams.title,
        place: 'teams',
      }),
    'POST /console/teams': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.teams.title,
        place: 'teams',
      }),
  }
}

import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/access' | 'POST /console/access'

export function accessHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/access': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.access.title,
        place: 'access',
      }),
    'POST /console/access': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.access.title,
        place: 'access',
      }),
  }
}

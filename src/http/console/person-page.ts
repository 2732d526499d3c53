import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/people/{userId}' | 'POST /console/people/{userId}'

export function personHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/people/{userId}': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.person.title,
        place: 'people',
      }),
    'POST /console/people/{userId}': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.person.title,
        place: 'people',
      }),
  }
}

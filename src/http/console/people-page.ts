import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/people' | 'GET /console/people.csv' | 'POST /console/people'

export function peopleHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/people': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.people.title,
        place: 'people',
      }),
    'GET /console/people.csv': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.people.title,
        place: 'people',
      }),
    'POST /console/people': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.people.title,
        place: 'people',
      }),
  }
}

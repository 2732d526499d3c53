import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/defaults' | 'POST /console/defaults'

export function defaultsHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/defaults': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.defaults.title,
        place: 'defaults',
      }),
    'POST /console/defaults': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.defaults.title,
        place: 'defaults',
      }),
  }
}

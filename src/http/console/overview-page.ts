import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console'

export function overviewHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.overview.title,
        place: 'overview',
      }),
  }
}

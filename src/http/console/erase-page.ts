import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/erase' | 'POST /console/erase'

export function eraseHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/erase': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.erase.title,
        place: 'erase',
      }),
    'POST /console/erase': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.erase.title,
        place: 'erase',
      }),
  }
}

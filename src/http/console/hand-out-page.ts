import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/hand-out' | 'POST /console/hand-out'

export function handOutHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/hand-out': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.handOut.title,
        place: 'handOut',
      }),
    'POST /console/hand-out': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.handOut.title,
        place: 'handOut',
      }),
  }
}

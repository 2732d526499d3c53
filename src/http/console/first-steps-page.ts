import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/first-steps' | 'POST /console/first-steps'

export function firstStepsHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/first-steps': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.firstSteps.title,
        place: 'firstSteps',
      }),
    'POST /console/first-steps': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.firstSteps.title,
        place: 'firstSteps',
      }),
  }
}

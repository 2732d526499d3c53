import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/audit' | 'GET /console/audit.csv'

export function auditHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/audit': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.audit.title,
        place: 'audit',
      }),
    'GET /console/audit.csv': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.audit.title,
        place: 'audit',
      }),
  }
}

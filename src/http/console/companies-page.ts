import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/companies' | 'POST /console/companies'

export function companiesHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/companies': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.companies.title,
        place: 'companies',
      }),
    'POST /console/companies': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.companies.title,
        place: 'companies',
      }),
  }
}

import type { PageDeps } from '../pages/page.ts'
import { type ConsoleHandler, sendConsole } from './console.ts'

type Route = 'GET /console/tokens' | 'POST /console/tokens'

export function tokensHandlers(deps: PageDeps): Readonly<Record<Route, ConsoleHandler>> {
  return {
    'GET /console/tokens': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.tokens.title,
        place: 'tokens',
      }),
    'POST /console/tokens': async (visit) =>
      sendConsole(deps, visit, {
        template: 'later',
        title: visit.words.tokens.title,
        place: 'tokens',
      }),
  }
}

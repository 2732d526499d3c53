import type { Express, RequestHandler } from 'express'

import { neededOnRoutes, type StaffRoute } from '../../access/needed-roles.ts'
import { onlyTakes } from '../../web/only-takes.ts'
import { readBody } from '../../web/request-body.ts'
import { requireRole } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { listAudit } from './audit.ts'
import { erase } from './erasures.ts'
import { showExamination } from './examination.ts'
import { createFeeds, listFeeds, revokeFeed, showFeed, updateFeed } from './feeds.ts'
import { createLink, endLink, rotateLink } from './links.ts'
import { createToken, listTokens, revokeToken } from './tokens.ts'

/** The API, for programs with a token and for staff who are signed in. */
export function routeApi(app: Express, deps: HttpDeps, staff: RequestHandler): void {
  app.use('/api', staff, keepNothing)
  app.post('/api/feeds', requireRole(neededOnRoutes['POST /api/feeds']), createFeeds(deps))
  app.get('/api/feeds', staffOnly('GET /api/feeds'), listFeeds(deps))
  app.get('/api/feeds/:id', staffOnly('GET /api/feeds/{id}'), showFeed(deps))
  app.patch('/api/feeds/:id', staffOnly('PATCH /api/feeds/{id}'), updateFeed(deps))
  app.delete('/api/feeds/:id', staffOnly('DELETE /api/feeds/{id}'), revokeFeed(deps))
  app.post('/api/feeds/:id/links', staffOnly('POST /api/feeds/{id}/links'), createLink(deps))
  const rotations = 'POST /api/feeds/{id}/rotations'
  app.post('/api/feeds/:id/rotations', staffOnly(rotations), rotateLink(deps))
  const links = 'DELETE /api/feeds/{id}/links/{label}'
  app.delete('/api/feeds/:id/links/:label', staffOnly(links), endLink(deps))
  const examination = 'GET /api/companies/{id}/examination'
  app.get('/api/companies/:id/examination', staffOnly(examination), showExamination(deps))
  app.get('/api/audit', staffOnly('GET /api/audit'), listAudit(deps))
  app.get('/api/tokens', staffOnly('GET /api/tokens'), listTokens(deps))
  app.post('/api/tokens', staffOnly('POST /api/tokens'), createToken(deps))
  app.delete('/api/tokens/:name', staffOnly('DELETE /api/tokens/{name}'), revokeToken(deps))
  app.post('/api/erasures', staffOnly('POST /api/erasures'), erase(deps))
  app.all(['/api/feeds', '/api/tokens'], onlyTakes('GET, HEAD, POST'))
  app.all('/api/feeds/:id', onlyTakes('GET, HEAD, PATCH, DELETE'))
  app.all(['/api/feeds/:id/links', '/api/feeds/:id/rotations', '/api/erasures'], onlyTakes('POST'))
  app.all(['/api/feeds/:id/links/:label', '/api/tokens/:name'], onlyTakes('DELETE'))
  app.all(['/api/companies/:id/examination', '/api/audit'], onlyTakes('GET, HEAD'))
}

/** Lets those through whose role does, as the table has it; only then is the body read. */
function staffOnly(route: StaffRoute): RequestHandler[] {
  return [requireRole(neededOnRoutes[route]), readBody]
}

/** Secrets stand in some of the answers. */
const keepNothing: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store')
  next()
}

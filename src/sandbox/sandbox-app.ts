import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type RequestParamHandler,
  type Router,
} from 'express'

import { AppError, asAppError } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import { statusOf } from '../web/problem.ts'
import { listBody, recordBody } from '../wire/envelope.ts'
import { errorBody } from '../wire/error-body.ts'
import { isIdentifier } from '../wire/fields.ts'
import { findRecord, listLeaves, listSchedules, listTasks, listTimesheets } from './records.ts'
import type { SandboxDatabase } from './sandbox-database.ts'

export interface SandboxAppDeps {
  readonly database: SandboxDatabase
  readonly log: Log
}

/** The Read API on a database: six operations, JSON in every answer, weak entity tags for clients that revalidate. */
export function createSandboxApp({ database, log }: SandboxAppDeps): Express {
  const api = express.Router().use('/api/public/v1', operations(database))
  return express().disable('x-powered-by').use(onlyReading, api, notFound, errorHandler(log))
}

function operations({ queries }: SandboxDatabase): Router {
  const router = express.Router({ caseSensitive: true })
  router.param('id', onlyIdentifiers)
  router.get('/timesheets', async ({ query }, response) => {
    response.type('json').send(listBody(await listTimesheets(queries, query)))
  })
  router.get('/leaves', async ({ query }, response) => {
    response.type('json').send(listBody(await listLeaves(queries, query)))
  })
  router.get('/schedules', async ({ query }, response) => {
    response.type('json').send(listBody(await listSchedules(queries, query)))
  })
  router.get('/projects/:id/tasks', async ({ params: { id } }, response) => {
    const tasks = existing(await listTasks(queries, id), `project ${id}`)
    response.type('json').send(listBody(tasks))
  })
  router.get('/users/:id', async ({ params: { id } }, response) => {
    const user = existing(await findRecord(queries, 'users', id), `user ${id}`)
    response.type('json').send(recordBody(user))
  })
  router.get('/invoices/:id', async ({ params: { id } }, response) => {
    const invoice = existing(await findRecord(queries, 'invoices', id), `invoice ${id}`)
    response.type('json').send(recordBody(invoice))
  })
  return router
}

/** What can be no identifier names nothing, and no database is asked for it. */
const onlyIdentifiers: RequestParamHandler = (_request, _response, next, id: string) => {
  if (!isIdentifier(id)) throw new AppError('not_found', 'There is nothing of this id.')
  next()
}

function existing<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new AppError('not_found', `There is no ${what}.`)
  return found
}

/** RFC 9110 section 15.5.6: a 405 names the methods that are allowed. */
const onlyReading: RequestHandler = ({ method }, response, next) => {
  if (method === 'GET' || method === 'HEAD') return next()
  response
    .status(405)
    .set('Allow', 'GET, HEAD')
    .json(errorBody('method_not_allowed', 'The Read API is only read from: GET or HEAD.'))
}

const notFound: RequestHandler = ({ path }) => {
  throw new AppError('not_found', `There is nothing at ${path}.`)
}

function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error)
    const known = asAppError(error)
    if (known) response.status(statusOf(known)).json(errorBody(known.code, known.message))
    else if (error instanceof URIError) {
      response.status(400).json(errorBody('bad_request', 'The path is not percent-encoded UTF-8.'))
    } else {
      log.error({ error }, 'workforce_request_failed')
      response.status(500).json(errorBody('internal', 'The Read API failed.'))
    }
  }
}

import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type RequestParamHandler,
} from 'express'

import type { Database } from '../database/database.ts'
import { AppError, asAppError } from '../domain/errors.ts'
import type { Log } from '../domain/world.ts'
import { statusOf } from '../web/problem.ts'
import { listBody, recordBody } from '../wire/envelope.ts'
import { errorBody } from '../wire/error-body.ts'
import { isIdentifier } from '../wire/fields.ts'
import { readLeaveQuery, readScheduleQuery, readTimesheetQuery } from './filters.ts'
import { findRecord, listLeaves, listSchedules, listTasks, listTimesheets } from './records.ts'
import type { WorkforceTables } from './tables.ts'

export interface WorkforceApiDeps {
  readonly database: Database<WorkforceTables>
  readonly log: Log
}

/** The Read API on a database: six operations, JSON in every answer, weak entity tags for clients that revalidate. */
export function createWorkforceApi({ database, log }: WorkforceApiDeps): Express {
  const app = express().disable('x-powered-by')
  const api = express.Router({ caseSensitive: true })
  const { queries } = database

  api.param('id', onlyIdentifiers)
  api.get('/timesheets', async ({ query }, response) => {
    const records = await listTimesheets(queries, readTimesheetQuery(query))
    response.type('json').send(listBody(records))
  })
  api.get('/leaves', async ({ query }, response) => {
    const records = await listLeaves(queries, readLeaveQuery(query))
    response.type('json').send(listBody(records))
  })
  api.get('/schedules', async ({ query }, response) => {
    const records = await listSchedules(queries, readScheduleQuery(query))
    response.type('json').send(listBody(records))
  })
  api.get('/projects/:id/tasks', async ({ params }, response) => {
    const records = existing(await listTasks(queries, params.id), 'project', params.id)
    response.type('json').send(listBody(records))
  })
  api.get('/users/:id', async ({ params }, response) => {
    const record = existing(await findRecord(queries, 'users', params.id), 'user', params.id)
    response.type('json').send(recordBody(record))
  })
  api.get('/invoices/:id', async ({ params }, response) => {
    const record = existing(await findRecord(queries, 'invoices', params.id), 'invoice', params.id)
    response.type('json').send(recordBody(record))
  })

  app.use(onlyReading, express.Router().use('/api/public/v1', api), notFound, errorHandler(log))
  return app
}

/** What can be no identifier names nothing, and no database is asked for it. */
const onlyIdentifiers: RequestParamHandler = (_request, _response, next, id: string) => {
  if (!isIdentifier(id)) throw new AppError('not_found', 'There is nothing of this id.')
  next()
}

function existing<T>(found: T | undefined, noun: string, id: string): T {
  if (found === undefined) throw new AppError('not_found', `There is no ${noun} ${id}.`)
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

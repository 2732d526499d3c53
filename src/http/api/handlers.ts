import type { Request, RequestHandler } from 'express'

import { tokenCompanySchema } from '../../access/api-tokens.ts'
import { readAuditPage } from '../../access/audit-log.ts'
import type { StaffRoute } from '../../access/needed-roles.ts'
import { refuseOtherCompany, type Staff } from '../../domain/access/staff.ts'
import { asOthersSee } from '../../domain/company-defaults.ts'
import { AppError } from '../../domain/errors.ts'
import { explainFeed } from '../../feeds/feed-explanation.ts'
import { bareSchema, parseInput, parseQuery, previewSchema } from '../../feeds/feed-input.ts'
import { toIso } from '../../feeds/feed-view.ts'
import { listPeople } from '../../feeds/people-listing.ts'
import { exportPerson } from '../../feeds/person-data.ts'
import { erasePerson } from '../../people/erasure.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { newErasureSchema } from './administration.ts'
import { changeFeeds } from './feed-changes.ts'
import { createFeeds, warned } from './feeds.ts'
import {
  companyIdOf,
  feedIdOf,
  isPurge,
  jsonBody,
  labelOf,
  optionalJsonBody,
  tokenNameOf,
  userIdOf,
} from './input.ts'
import { TablePlaces } from './table-places.ts'

type Handle = (request: Request, by: Staff) => Promise<object | void>

/** Sends the result of `handle`, or 204 without one; fails with `invalid` if the query has parameters. */
function answer(handle: Handle, status = 200): RequestHandler {
  return answerQuery(async (request, by) => {
    parseQuery(bareSchema, request.query)
    return handle(request, by)
  }, status)
}

/** Like `answer`, for routes with query parameters. */
function answerQuery(handle: Handle, status = 200): RequestHandler {
  return async (request, response) => {
    const body = await handle(request, staffOf(response))
    if (body === undefined) response.status(204).end()
    else response.status(status).json(body)
  }
}

/** Returns the handler of each API route. */
export function apiHandlers(deps: HttpDeps): Readonly<Record<StaffRoute, RequestHandler>> {
  const { access, administrationBy, erasing, examiner, explaining, previewJson } = deps
  const { peopleListing, exportingPerson } = deps
  const places = new TablePlaces()
  deps.metrics.watchQueue('tables', () => places.waiting)
  return {
    'GET /api/feeds': answerQuery(async ({ query }, by) => {
      const page = await administrationBy(by).listing.list(query)
      const warnings = page.warnings?.map(
        (it) => `${it} Use the parameter search to find people by name.`,
      )
      return warnings === undefined ? page : { ...page, warnings }
    }),
    'POST /api/feeds': createFeeds(deps, places),
    'POST /api/feed-changes': changeFeeds(deps, places),
    'GET /api/feeds/{id}': answer((request, by) =>
      administrationBy(by).listing.show(feedIdOf(request)),
    ),
    'GET /api/feeds/{id}/preview': async (request, response) => {
      const { as } = parseQuery(previewSchema, request.query)
      const { listing } = administrationBy(staffOf(response))
      const feed = await listing.findById(feedIdOf(request))
      response.type('json').send(await previewJson(as === 'others' ? asOthersSee(feed) : feed))
    },
    // A merge patch (RFC 7396).
    'PATCH /api/feeds/{id}': answer(async (request, by) => {
      const { changes } = administrationBy(by)
      const { feed, warnings } = await changes.update(feedIdOf(request), jsonBody(request))
      return { ...feed, ...warned(warnings) }
    }),
    'DELETE /api/feeds/{id}': answerQuery((request, by) =>
      administrationBy(by).changes.revoke(feedIdOf(request), isPurge(request)),
    ),
    'GET /api/feeds/{id}/explanation': answerQuery((request, by) =>
      explainFeed(explaining, by, feedIdOf(request), request.query),
    ),
    'POST /api/feeds/{id}/links': answer(
      (request, by) => administrationBy(by).feedLinks.create(feedIdOf(request), jsonBody(request)),
      201,
    ),
    'POST /api/feeds/{id}/rotations': answer(
      (request, by) =>
        administrationBy(by).feedLinks.rotate(feedIdOf(request), optionalJsonBody(request)),
      201,
    ),
    'DELETE /api/feeds/{id}/links/{label}': answerQuery((request, by) => {
      const purge = isPurge(request)
      return administrationBy(by).feedLinks.end(feedIdOf(request), labelOf(request), purge)
    }),
    'GET /api/companies': answer((_request, by) => administrationBy(by).companies.list()),
    'GET /api/companies/{id}': answer((request, by) =>
      administrationBy(by).companies.show(companyIdOf(request)),
    ),
    // A merge patch (RFC 7396).
    'PATCH /api/companies/{id}': answer((request, by) =>
      administrationBy(by).companies.change(companyIdOf(request), jsonBody(request)),
    ),
    'GET /api/companies/{id}/examination': answer(async (request, { companyId }) => {
      const id = companyIdOf(request)
      refuseOtherCompany(companyId, id)
      const { examination, examinedAt } = await examiner.latest(id).catch(namingOnly(companyId))
      return { ...examination, examinedAt: toIso(examinedAt) }
    }),
    'GET /api/companies/{id}/people': answerQuery(async (request, { companyId }) => {
      const id = companyIdOf(request)
      refuseOtherCompany(companyId, id)
      return listPeople(peopleListing, id, request.query).catch(namingOnly(companyId))
    }),
    'GET /api/companies/{id}/people/{userId}/data': answer(async (request, by) => {
      const person = { companyId: companyIdOf(request), userId: userIdOf(request) }
      const { listing } = administrationBy(by)
      return exportPerson(exportingPerson, listing, person, by).catch(asNotFound)
    }),
    'GET /api/audit': answerQuery(({ query }, by) => readAuditPage(access.audit, by, query)),
    'GET /api/tokens': answer((_request, by) => access.apiTokens.list(by)),
    'POST /api/tokens': answer(
      (request, by) => access.apiTokens.create(by, jsonBody(request)),
      201,
    ),
    'DELETE /api/tokens/{name}': answerQuery(async (request, by) => {
      const { companyId } = parseQuery(tokenCompanySchema, request.query)
      await access.apiTokens.revoke(by, tokenNameOf(request), companyId)
    }),
    'POST /api/erasures': answer(async (request, by) => {
      const what = 'The erasure'
      const { dryRun, ...asked } = parseInput(newErasureSchema, jsonBody(request), { what })
      return erasePerson(erasing, { ...asked, isDry: dryRun === true }, by)
    }),
  }
}

/** An unknown company's error lists all companies, which a token of one company must not see. */
function namingOnly(companyId: Staff['companyId']): (error: unknown) => never {
  return (error) => {
    const isUnknown = error instanceof AppError && error.code === 'not_found'
    if (companyId === null || !isUnknown) throw error
    throw new AppError('not_found', 'There is no such company.', { cause: error })
  }
}

/** A company in a path that does not exist is `not_found`. */
function asNotFound(error: unknown): never {
  const isUnknown = error instanceof AppError && error.code === 'invalid'
  if (!isUnknown) throw error
  const [fault] = error.faults
  throw new AppError('not_found', fault?.detail ?? error.message, { cause: error })
}

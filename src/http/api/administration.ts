/* What the API does beside feeds: the audit log, tokens, erasures and examinations. */
import type { RequestHandler } from 'express'
import { z } from 'zod'

import { tokenCompanySchema } from '../../access/api-tokens.ts'
import { readAuditPage } from '../../access/audit-log.ts'
import { refuseOtherCompany } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import { type Examination, type Finding, findingLevels } from '../../domain/examination.ts'
import { parseInput, parseQuery, idField } from '../../feeds/feed-input.ts'
import { instantSchema, toIso } from '../../feeds/feed-view.ts'
import { erasePerson, type Erasure } from '../../people/erasure.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { jsonBody, refuseQuery, tokenNameOf } from './input.ts'

/** `GET /api/audit`: the audit log, newest first. */
export function listAudit({ access }: HttpDeps): RequestHandler {
  return async ({ query }, response) => {
    response.json(await readAuditPage(access.audit, staffOf(response), query))
  }
}

/** `POST /api/tokens`: one more token; no other reply holds its secret. */
export function createToken({ access }: HttpDeps): RequestHandler {
  return async (request, response) => {
    refuseQuery(request)
    response.status(201).json(await access.apiTokens.create(staffOf(response), jsonBody(request)))
  }
}

/** `GET /api/tokens`: all tokens. */
export function listTokens({ access }: HttpDeps): RequestHandler {
  return async (request, response) => {
    refuseQuery(request)
    response.json(await access.apiTokens.list(staffOf(response)))
  }
}

/** `DELETE /api/tokens/{name}`. */
export function revokeToken({ access }: HttpDeps): RequestHandler {
  return async (request, response) => {
    const { companyId } = parseQuery(tokenCompanySchema, request.query)
    await access.apiTokens.revoke(staffOf(response), tokenNameOf(request), companyId)
    response.status(204).end()
  }
}

export const newErasureSchema = z.strictObject({
  userId: idField,
  companyId: idField.optional().describe('Required if several companies know the id'),
  dryRun: z.boolean().optional().describe('Only report what would be removed'),
})

export const erasureSchema = z.strictObject({
  userId: z.string(),
  companyId: z.string(),
  dryRun: z.boolean(),
  removedFeeds: z.array(z.string()).describe('Feeds of this person alone'),
  changedFeeds: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .describe('Feeds that include others too; they continue without the person'),
  copies: z.int().min(0).describe('How many copies of records were removed or changed'),
  heldBy: z
    .array(
      z.strictObject({
        feedId: z.string(),
        label: z.string(),
        client: z.string(),
        lastPolledAt: instantSchema,
      }),
    )
    .describe('Calendar programs that still hold what they fetched'),
  backups: z.array(z.string()).describe('Database backups that the program made itself'),
  remains: z.array(z.string()).describe('What is not removed, in sentences'),
} satisfies Record<keyof Erasure, z.ZodType>)

/** `POST /api/erasures`: removes everything that is kept about a person. */
export function erase({ erasing }: HttpDeps): RequestHandler {
  return async (request, response) => {
    refuseQuery(request)
    const what = 'The erasure'
    const { dryRun, ...asked } = parseInput(newErasureSchema, jsonBody(request), { what })
    const input = { ...asked, isDry: dryRun === true }
    response.json(await erasePerson(erasing, input, staffOf(response)))
  }
}

export const findingSchema = z.strictObject({
  check: z.string(),
  level: z.enum(findingLevels),
  ok: z.boolean(),
  seen: z.string(),
  means: z.string(),
  set: z.string().nullable(),
} satisfies Record<keyof Finding, z.ZodType>)

export const examinationSchema = z.strictObject({
  companyId: z.string(),
  ok: z.boolean(),
  findings: z.array(findingSchema),
  examinedAt: instantSchema,
} satisfies Record<keyof Examination | 'examinedAt', z.ZodType>)

/** `GET /api/companies/{id}/examination`: the latest findings, and when; `not_found` for an unknown company. */
export function showExamination({ examiner }: HttpDeps): RequestHandler {
  return async (request, response) => {
    refuseQuery(request)
    const { companyId } = staffOf(response)
    const id = String(request.params['id'])
    refuseOtherCompany(companyId, id)
    try {
      const { examination, examinedAt } = await examiner.latest(id)
      response.json({ ...examination, examinedAt: toIso(examinedAt) })
    } catch (error) {
      // The error lists all companies, which a token of one company must not see.
      const isUnknown = error instanceof AppError && error.code === 'not_found'
      if (companyId === null || !isUnknown) throw error
      throw new AppError('not_found', 'There is no such company.', { cause: error })
    }
  }
}

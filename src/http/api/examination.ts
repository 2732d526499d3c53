import type { Request, Response } from 'express'
import { z } from 'zod'

import { refuseOtherCompany } from '../../domain/access/staff.ts'
import { AppError } from '../../domain/errors.ts'
import { type Examination, type Finding, findingLevels } from '../../domain/examination.ts'
import { type Answer, instantSchema, toIso } from '../../feeds/feed-view.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { refuseQuery } from './input.ts'

export const findingSchema = z.strictObject({
  check: z.string(),
  level: z.enum(findingLevels),
  ok: z.boolean(),
  seen: z.string(),
  means: z.string(),
  set: z.string().nullable(),
} satisfies Record<keyof Finding, z.ZodType>)

/** What was found last, and when. */
export const examinationSchema = z.strictObject({
  companyId: z.string(),
  ok: z.boolean(),
  findings: z.array(findingSchema),
  examinedAt: instantSchema,
} satisfies Record<keyof Examination | 'examinedAt', z.ZodType>)

type ExaminationView = Answer<typeof examinationSchema>

/** `GET /api/companies/{id}/examination`: what was found last, and when; `not_found` for an unknown company. */
export function showExamination({ examiner }: Pick<HttpDeps, 'examiner'>) {
  return async (
    request: Request<{ id: string }>,
    response: Response<ExaminationView>,
  ): Promise<void> => {
    refuseQuery(request)
    const { companyId } = staffOf(response)
    refuseOtherCompany(companyId, request.params.id)
    const found = examiner.latest(request.params.id)
    const { examination, examinedAt } = await found.catch((error: unknown) => {
      throw companyId === null ? error : withoutOthers(error)
    })
    response.json({ ...examination, examinedAt: toIso(examinedAt) })
  }
}

/** Whoever sees one company that is set up no longer is told of no other. */
function withoutOthers(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'not_found') return error
  return new AppError('not_found', 'There is no such company.', { cause: error })
}

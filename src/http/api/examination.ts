import type { Request, Response } from 'express'

import type { Examiner } from '../../examination/examiner.ts'

export interface ExaminationDeps {
  readonly examiner: Examiner
}

/** `GET /api/companies/{id}/examination`: what was found last, and when; `not_found` for an unknown company. */
export function showExamination({ examiner }: ExaminationDeps) {
  return async ({ params }: Request<{ id: string }>, response: Response): Promise<void> => {
    const { examination, examinedAt } = await examiner.latest(params.id)
    response.setHeader('Cache-Control', 'no-store')
    response.json({ ...examination, examinedAt: new Date(examinedAt).toISOString() })
  }
}

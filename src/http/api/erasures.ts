import type { Request, Response } from 'express'
import { z } from 'zod'

import { parseInput } from '../../feeds/feed-input.ts'
import { instantSchema } from '../../feeds/feed-view.ts'
import { idField } from '../../feeds/input-fields.ts'
import { type ErasureView, viewErasure } from '../../people/erasure-report.ts'
import { erasePerson } from '../../people/erasure.ts'
import { staffOf } from '../authentication.ts'
import type { HttpDeps } from '../http-deps.ts'
import { jsonBody, refuseQuery } from './input.ts'

/** Whom to erase. */
export const newErasureSchema = z.strictObject({
  userId: idField,
  companyId: idField.optional().describe('Needed where several companies know the id'),
  dryRun: z.boolean().optional().describe('Only say what would be removed'),
})

/** What was removed of a person, and what of them is still outside. */
export const erasureSchema = z.strictObject({
  userId: z.string(),
  companyId: z.string(),
  dryRun: z.boolean(),
  removedFeeds: z.array(z.string()).describe('Of that person alone'),
  changedFeeds: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .describe('About others too: they go on without the person'),
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
    .describe('Calendar programs that hold what they fetched'),
  backups: z.array(z.string()).describe('Of the database, made by the program itself'),
  remains: z.array(z.string()).describe('What is not taken away with it, in sentences'),
} satisfies Record<keyof ErasureView, z.ZodType>)

/** `POST /api/erasures`: removes everything that is kept about a person. */
export function erase({ erasing }: Pick<HttpDeps, 'erasing'>) {
  return async (request: Request, response: Response<ErasureView>): Promise<void> => {
    refuseQuery(request)
    const what = 'The erasure'
    const { dryRun, ...asked } = parseInput(newErasureSchema, jsonBody(request), { what })
    const input = { ...asked, isDry: dryRun === true }
    response.json(viewErasure(await erasePerson(erasing, input, staffOf(response))))
  }
}

/* Schemas of the API for erasures and examinations. */
import { z } from 'zod'

import { type Examination, type Finding, findingLevels } from '../../domain/examination.ts'
import { idField } from '../../feeds/feed-input.ts'
import { instantSchema } from '../../feeds/feed-view.ts'
import type { Erasure } from '../../people/erasure.ts'

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

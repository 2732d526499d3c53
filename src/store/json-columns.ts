/* The columns that hold JSON, as this program writes them; of members that it does not know it takes no note. */
import { z } from 'zod'

import type { Doubt } from '../domain/copy.ts'
import { type Finding, findingLevels, findingOf } from '../domain/examination.ts'
import type { OwnOptions } from '../domain/feed-options.ts'
import { locales } from '../domain/feed.ts'
import { feedKinds } from '../domain/kinds.ts'
import { leaveDetails } from '../domain/leave.ts'
import { choicesOf } from '../domain/link.ts'
import type { SightingProblem } from '../domain/person.ts'

/** `feeds.user_ids`, `feeds.shown`, `creations.feed_ids`. */
export const idsColumn = z.array(z.string())

/** `feeds.own_options`, once what does not fit has been left out of it. */
export const ownOptionsColumn = z.custom<OwnOptions>()

/** `links.choices`; those kept by a program before name every member, null where nothing is chosen. */
export const choicesColumn = z
  .object({
    hide: z.array(z.enum(feedKinds)),
    detail: z.enum(leaveDetails).nullable(),
    locale: z.enum(locales),
    reminderMinutes: z.union([z.number(), z.literal('none')]),
    onlyAway: z.boolean(),
  })
  .partial()
  .transform(choicesOf)

/** `copies.doubt`. */
export const doubtColumn = z.object({
  lostHash: z.string(),
  since: z.number(),
  ofAll: z.boolean(),
  isReplaced: z.boolean().default(false),
  readings: z.number(),
  ofMany: z.boolean(),
}) satisfies z.ZodType<Doubt>

/** `copies.held`. */
export const heldColumn = z.custom<Readonly<Record<string, number>>>(
  // Of very many a schema of each would take long.
  (held) => isObject(held) && Object.values(held).every((since) => typeof since === 'number'),
)

/** `examinations.findings`. */
export const findingsColumn = z.array(
  z
    .object({
      check: z.string(),
      level: z.enum(findingLevels).optional(),
      ok: z.boolean(),
      seen: z.string(),
      means: z.string(),
      set: z.string().nullable(),
    })
    // Releases up to 0.1 kept no level.
    .transform(({ level, ...kept }) =>
      findingOf({ ...kept, level: level ?? (kept.ok ? 'ok' : 'wrong') }),
    ),
) satisfies z.ZodType<readonly Finding[]>

/** `look_rounds.problems`. */
export const problemsColumn = z.array(
  z.object({ source: z.string(), reason: z.string() }),
) satisfies z.ZodType<readonly SightingProblem[]>

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

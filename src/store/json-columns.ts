/* The columns that hold JSON, as this program writes them; of members that it does not know it takes no note. */
import { z } from 'zod'

import type { Finding } from '../domain/examination.ts'
import type { Choices, OwnOptions } from '../domain/feed-options.ts'
import { feedKinds } from '../domain/kinds.ts'
import { leaveDetails } from '../domain/leave.ts'

/** `feeds.user_ids`, `creations.feed_ids`. */
export const idsColumn = z.array(z.string())

/** `feeds.own_options`, once what does not fit has been left out of it. */
export const ownOptionsColumn = z.custom<OwnOptions>()

/** `feeds.self_service_choices`. */
export const choicesColumn = z.object({
  hide: z.array(z.enum(feedKinds)),
  detail: z.enum(leaveDetails).nullable(),
}) satisfies z.ZodType<Choices>

/** `examinations.findings`. */
export const findingsColumn = z.array(
  z.object({
    check: z.string(),
    ok: z.boolean(),
    seen: z.string(),
    means: z.string(),
    set: z.string().nullable(),
  }),
) satisfies z.ZodType<readonly Finding[]>

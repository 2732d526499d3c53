import type { Request } from 'express'
import { z } from 'zod'

import { AppError } from '../../../domain/errors.ts'
import { locales } from '../../../domain/feed.ts'

const key = z.string().regex(/^[\w-]{43}$/)
const confirm = z.literal('yes').optional()
const labelField = z.string().max(1000)
const feedField = z.string().max(256)

/** What each form of the page sends; nothing else is taken. */
const formSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('make'), key }),
  z.strictObject({
    action: z.literal('link'),
    feed: feedField,
    label: labelField,
    key,
    onlyAway: confirm,
  }),
  z.strictObject({
    action: z.literal('replace'),
    feed: feedField,
    label: labelField,
    key,
    confirm,
  }),
  z.strictObject({ action: z.literal('end'), feed: feedField, label: labelField, confirm }),
  z.strictObject({
    action: z.literal('settings'),
    feed: feedField,
    locale: z.enum(locales),
    reminderMinutes: z.union([z.literal('none'), z.string().regex(/^\d{1,5}$/)]),
  }),
])
export type MeForm = z.output<typeof formSchema>

/** What was sent of a form of the page; `invalid` for anything else. */
export function readForm(request: Pick<Request, 'is' | 'body'>): MeForm {
  if (!request.is('application/x-www-form-urlencoded')) {
    throw new AppError('unsupported_media_type', 'The form must be sent as one.')
  }
  const read = formSchema.safeParse({ ...request.body })
  if (read.success) return read.data
  throw new AppError('invalid', 'The form has other fields than its page gave it.')
}

/* What programs are told of tokens, and what a new one may be given. */
import { z } from 'zod'

import { type ApiToken, roles } from '../domain/access/staff.ts'
import { linkLabelField } from '../feeds/feed-input.ts'
import { instantSchema, toIso, toIsoOrNull } from '../feeds/feed-view.ts'
import { idField } from '../feeds/input-fields.ts'

/** What a new token may be given. */
export const newTokenSchema = z.strictObject({
  name: linkLabelField.describe('By which it is listed, revoked and known in the audit'),
  role: z.enum(roles),
  companyId: idField
    .optional()
    .describe('The only company of which it sees anything; all that its maker sees, if left out'),
})

/** Which of several of that name is revoked. */
export const tokenCompanySchema = z.strictObject({
  companyId: idField
    .optional()
    .describe(
      'Whose token; left out, it is that of all companies, or else the only one of that name',
    ),
})

const about = z.strictObject({
  name: z.string(),
  role: z.enum(roles),
  companyId: z.string().nullable().describe('null: all companies'),
  createdAt: instantSchema,
})

/** A token as it is listed. */
export const tokenSchema = about
  .extend({ lastUsedAt: instantSchema.nullable().describe('To the minute') })
  .describe('One more token for the API')

/** A token that was just made. */
export const createdTokenSchema = about.extend({
  token: z.string().describe('The secret; only in the reply that makes it'),
})

/** All that there are. */
export const tokenPageSchema = z.strictObject({
  data: z.array(tokenSchema),
  nextCursor: z.null(),
})

export type TokenView = z.output<typeof tokenSchema>
export type CreatedTokenView = z.output<typeof createdTokenSchema>
export type TokenPage = z.output<typeof tokenPageSchema>

/** The token as programs see it. */
export function viewToken({ name, role, companyId, ...token }: ApiToken): TokenView {
  const { createdAt, lastUsedAt } = token
  const used = toIsoOrNull(lastUsedAt)
  return { name, role, companyId, createdAt: toIso(createdAt), lastUsedAt: used }
}

import { z } from 'zod'

import {
  auditActions,
  type AuditEntry,
  type AuditFilter,
  type AuditStore,
} from '../domain/access/audit-entry.ts'
import type { Actor } from '../domain/access/staff.ts'
import type { Instant } from '../domain/world.ts'
import { idField, pageFields, parseQuery } from '../feeds/feed-input.ts'
import { instantSchema, toIso } from '../feeds/feed-view.ts'
import { makeCursor, parseCursor, readInParts } from '../feeds/pages.ts'

const dateForm = z.iso.date()
const instantForm = z.iso.datetime({ offset: true })

/** In an address a plus sign that is not escaped means a space. */
const sinceField = z
  .string()
  .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .refine((text) => dateForm.safeParse(text).success || instantForm.safeParse(text).success, {
    error: 'Must be a date such as 2026-01-05, or an instant such as 2026-01-05T08:00:00Z.',
  })
  .transform((text): Instant => Date.parse(text))
  .meta({ type: 'string' })

export const auditListSchema = z.strictObject({
  since: sinceField
    .optional()
    .describe('Only entries from this instant on (RFC 3339; a date counts from midnight UTC)'),
  feedId: idField.optional().describe('Only this feed'),
  userId: idField.optional().describe('Only feeds and links of this person'),
  ...pageFields,
})

export const auditEntrySchema = z
  .strictObject({
    at: instantSchema,
    actor: z
      .string()
      .describe(
        'admin, token:NAME, staff:MAIL, person:ID, holder (of a link), command-line or bridge; erased people are person:erased or staff:erased',
      ),
    action: z.enum(auditActions),
    companyId: z.string().nullable(),
    feedId: z.string().nullable(),
    userIds: z.array(z.string()),
    label: z
      .string()
      .nullable()
      .describe('Label of the link, name of the token, or the reason for looking at a calendar'),
  })
  .describe('One entry of the audit log')

export const auditPageSchema = z.strictObject({
  data: z.array(auditEntrySchema),
  nextCursor: z.string().nullable(),
})

export type AuditPage = z.output<typeof auditPageSchema>

/** A page, the last entry first; staff of one company see only that company. `invalid` for wrong filters. */
export async function readAuditPage(
  audit: AuditStore,
  { companyId }: Pick<Actor, 'companyId'>,
  query: object,
): Promise<AuditPage> {
  const { limit, cursor, ...asked } = parseQuery(auditListSchema, query)
  const page = await readEntries(audit, { ...asked, companyId }, limit, cursor)
  const data = page.entries.map(({ id: _, at, userIds, ...entry }) => ({
    at: toIso(at),
    ...entry,
    userIds: [...userIds],
  }))
  return { data, nextCursor: page.nextCursor }
}

/** The entries that follow the cursor, the last one first, and the cursor of those that follow them. */
export async function readEntries(
  audit: AuditStore,
  filter: Omit<AuditFilter, 'after' | 'limit'>,
  limit: number,
  cursor?: string,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly nextCursor: string | null }> {
  const behind = cursor === undefined ? null : parseCursor(cursor)
  const { data, end } = await readInParts({
    begin: behind && { at: behind.createdAt, id: behind.id },
    limit,
    read: (after, most) => audit.listEntries({ ...filter, after, limit: most }),
    view: async (entries) => entries,
  })
  return { entries: data, nextCursor: end && makeCursor({ createdAt: end.at, id: end.id }) }
}

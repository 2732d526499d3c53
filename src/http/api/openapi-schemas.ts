import { z } from 'zod'

import {
  feedListSchema,
  feedPatchSchema,
  newFeedSchema,
  newLinkSchema,
  rotationSchema,
} from '../../feeds/feed-input.ts'
import { feedOptionsSchema, ownOptionsSchema } from '../../feeds/feed-options.ts'

const instant = z.iso.datetime().describe('RFC 3339, in UTC')
const count = z.int().min(0)

const link = z
  .strictObject({
    label: z.string(),
    url: z.string().optional().describe('The secret address; only in the reply that makes it'),
    createdAt: instant,
    endsAt: instant.nullable(),
    lastPolledAt: instant.nullable(),
    client: z.string().nullable().describe('The family of the client that asked last'),
  })
  .describe('One secret address of a feed')

const feed = z
  .strictObject({
    id: z.string(),
    companyId: z.string(),
    userIds: z.array(z.string()),
    audience: z.enum(['own', 'others']),
    name: z.string(),
    timezone: z.string(),
    locale: z.enum(['en', 'de']),
    options: feedOptionsSchema,
    ownOptions: ownOptionsSchema.describe('Those of them that are set for this feed'),
    links: z.array(link),
    createdAt: instant,
    revokedAt: instant.nullable(),
    closedBecause: z.string().nullable(),
  })
  .describe('A calendar for one person (own) or about several (others)')

const warnings = z.array(z.string()).optional().describe('What could not be checked')
const createdFeed = feed.extend({ warnings })
const importedFeed = feed.extend({
  status: z
    .enum(['created', 'skipped', 'rotated', 'failed'])
    .optional()
    .describe('Of a row of a table; a failed one was not made or rotated'),
  reason: z.string().optional().describe('Of a failed row'),
  email: z.string().optional().describe("Of a row of a table: the person's, where it is known"),
})

const client = z.strictObject({
  label: z.string(),
  client: z.string(),
  firstPolledAt: instant,
  lastPolledAt: instant,
  lastStatus: z.int(),
  polls: count,
  verdict: z.string().nullable().describe('Whether it has the last change, in a sentence'),
})

const collection = z.strictObject({
  collection: z.string(),
  fetchedAt: instant.nullable(),
  missingSince: instant.nullable(),
})

const finding = z.strictObject({
  check: z.string(),
  ok: z.boolean(),
  seen: z.string(),
  means: z.string(),
  set: z.string().nullable(),
})

/** Everything that goes into the API, by its name in the document: the very schemas that check it. */
export const inputSchemas = {
  NewFeed: newFeedSchema,
  NewFeeds: z.array(newFeedSchema),
  FeedPatch: feedPatchSchema,
  NewLink: newLinkSchema,
  Rotation: rotationSchema,
}

/** Everything that comes out of it. */
export const outputSchemas = {
  Feed: feed,
  CreatedFeed: createdFeed,
  CreatedFeeds: z.strictObject({ data: z.array(importedFeed), warnings }),
  FeedPage: z.strictObject({ data: z.array(feed), nextCursor: z.string().nullable() }),
  FeedDetails: feed.extend({ activity: z.array(client), freshness: z.array(collection) }),
  FeedOptions: feedOptionsSchema,
  Link: link,
  Examination: z.strictObject({
    companyId: z.string(),
    ok: z.boolean(),
    findings: z.array(finding),
    examinedAt: instant,
  }),
  Problem: z
    .strictObject({
      type: z.literal('about:blank'),
      title: z.string(),
      status: z.int(),
      detail: z.string(),
      errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })).optional(),
    })
    .describe('RFC 9457'),
}

export type SchemaName = keyof typeof inputSchemas | keyof typeof outputSchemas

/** All of them as JSON Schema, as OpenAPI 3.1 has it. */
export function componentSchemas(): Readonly<Record<string, object>> {
  return { ...jsonSchemas(inputSchemas, 'input'), ...jsonSchemas(outputSchemas, 'output') }
}

/** The filters of the list as query parameters. */
export function listParameters(): readonly object[] {
  const { properties = {} } = z.toJSONSchema(feedListSchema, { io: 'input' })
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }))
}

function jsonSchemas(
  schemas: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, plain(z.toJSONSchema(schema, { io }))]),
  )
}

/** The dialect is the document's own (OpenAPI 3.1 section 4.8.24.7). */
function plain({ $schema: _, ...schema }: z.core.JSONSchema.BaseSchema): object {
  return schema
}
